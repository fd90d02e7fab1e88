/** When to try again after a failed connection. Times in milliseconds. */
export interface RetryTimes {
  firstMs: number;
  longestMs: number;
  /** A connection that stood this long was a good one: counting starts anew after it. */
  stableMs: number;
  /** So many attempts in a row are made before giving up. */
  tries: number;
  /** Most attempts within a minute, whatever they are for. */
  perMinute: number;
}

export const DEFAULT_RETRY_TIMES: RetryTimes = {
  firstMs: 1000,
  longestMs: 30_000,
  stableMs: 60_000,
  tries: 5,
  perMinute: 10,
};

const MINUTE_MS = 60_000;

/** Counts attempts, and says when there may be another. All times are those of one clock, in milliseconds. */
export class AttemptLimit {
  readonly #perMinute: number;
  #attempts: number[] = [];

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  attempted(now: number): void {
    this.#attempts = [...this.#attempts.filter((at) => at > now - MINUTE_MS), now];
  }

  /** Counts those of another as well, as many as there were until now. */
  include(other: AttemptLimit): void {
    this.#attempts = [...this.#attempts, ...other.#attempts].sort((a, b) => a - b);
  }

  /** Milliseconds until so many attempts at once stay within the number a minute; 0 when they do so now. */
  untilAllowed(now: number, attempts = 1): number {
    const recent = this.#attempts.filter((at) => at > now - MINUTE_MS);
    const blocking = recent.at(Math.min(-1, attempts - 1 - this.#perMinute));
    return blocking === undefined ? 0 : blocking + MINUTE_MS - now;
  }

  /** Whether there was none within the last minute. */
  isUnused(now: number): boolean {
    return this.#attempts.every((at) => at <= now - MINUTE_MS);
  }
}

/** Counts the attempts to connect to one server, and says how long to wait before the next. */
export class RetryPolicy {
  readonly #times: RetryTimes;
  readonly #random: () => number;
  #failures = 0;
  #readyAt: number | undefined;
  readonly attempts: AttemptLimit;

  constructor(times: RetryTimes, random: () => number = Math.random) {
    this.#times = times;
    this.#random = random;
    this.attempts = new AttemptLimit(times.perMinute);
  }

  /** A person asks: what failed before doesn't count. How often it was tried within the last minute still does. */
  reset(): void {
    this.#failures = 0;
    this.#readyAt = undefined;
  }

  attempted(now: number): void {
    this.attempts.attempted(now);
  }

  succeeded(now: number): void {
    this.#readyAt = now;
  }

  /** Delay before the next attempt, or undefined when there should be none. Called once for each failure and each loss. */
  next(now: number): number | undefined {
    if (this.#readyAt !== undefined && now - this.#readyAt >= this.#times.stableMs) this.#failures = 0;
    this.#readyAt = undefined;
    this.#failures++;
    if (this.#failures >= this.#times.tries) return undefined;
    const delay = Math.min(this.#times.longestMs, this.#times.firstMs * 2 ** (this.#failures - 1));
    // A quarter more or less, so that servers which fell together don't all come back together.
    return Math.max(delay * (0.75 + this.#random() / 2), this.untilAllowed(now));
  }

  /** Whether an attempt right now stays within the number a minute. */
  allows(now: number): boolean {
    return this.untilAllowed(now) === 0;
  }

  /** Milliseconds until so many attempts at once stay within the number a minute; 0 when they do so now. */
  untilAllowed(now: number, attempts = 1): number {
    return this.attempts.untilAllowed(now, attempts);
  }
}
