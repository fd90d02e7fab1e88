import type { ErrorInfo } from '@shared/contracts/contract.ts';
import { ModelError } from '../ports/errors.ts';
import type { Clock } from '../ports/infrastructure.ts';
import { sleep } from './abortable.ts';

/** What is waited for, and until when (milliseconds since the epoch). `attempt` is the one that comes next, from 2. */
export interface RetryWait {
  at: number;
  attempt: number;
  error: ErrorInfo;
}

export interface RetryOptions {
  signal: AbortSignal;
  clock: Clock;
  /** Told before every wait, and with null when it is over. */
  onWait: (wait: RetryWait | null) => void;
  /** False once something of the answer has arrived: that is kept, so the request can't be repeated unnoticed. */
  mayRepeat: () => boolean;
  /** A number from 0 up to 1. Default Math.random. */
  random?: () => number;
}

/** The first attempt included. */
export const MAX_ATTEMPTS = 5;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** A server that asks for more than this gets no retry: a person would rather know now. */
const MAX_SERVER_DELAY_MS = 120_000;

/**
 * Makes the request, and again after a wait when it fails with a ModelError that is `retryable`: after the delay that the
 * server asked for, or a growing one (1 s, doubling, at most 30 s). At most five attempts. Throws the last error, or the
 * signal's reason.
 */
export async function withRetry<Value>(request: () => Promise<Value>, options: RetryOptions): Promise<Value> {
  const { signal, clock, onWait, random = Math.random } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError) || !error.retryable || attempt >= MAX_ATTEMPTS || !options.mayRepeat()) {
        throw error;
      }
      if ((error.retryAfterMs ?? 0) > MAX_SERVER_DELAY_MS) throw error;
      const delay = retryDelay(attempt, error.retryAfterMs, random());
      onWait({ at: clock.now() + delay, attempt: attempt + 1, error: error.toInfo() });
      try {
        await sleep(delay, signal);
      } finally {
        onWait(null);
      }
    }
  }
}

/**
 * Milliseconds to wait after failed attempt number `attempt`, from 1. `jitter` (0 to 1) spreads clients: never earlier than
 * the server asked for and up to a tenth later; without its word, between half of the growing delay and all of it.
 */
export function retryDelay(attempt: number, serverMs: number | undefined, jitter: number): number {
  if (serverMs !== undefined && serverMs > 0) return Math.round(serverMs * (1 + jitter / 10));
  const full = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
  return Math.round(full * (0.5 + jitter / 2));
}
