/** Tells when something hasn't been used for a time. It is armed by {@link start} and quiet while anybody uses it. */
export class IdleTimer {
  /** Milliseconds without use; undefined for never. Counts from the next start or use on. */
  limitMs: number | undefined;
  readonly #onIdle: () => void;
  #users = 0;
  #isOn = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(onIdle: () => void) {
    this.#onIdle = onIdle;
  }

  start(): void {
    this.#isOn = true;
    this.#arm();
  }

  stop(): void {
    this.#isOn = false;
    clearTimeout(this.#timer);
  }

  /** @returns what ends the use; it may be called once */
  use(): () => void {
    this.#users++;
    clearTimeout(this.#timer);
    return () => {
      this.#users--;
      this.#arm();
    };
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (!this.#isOn || this.#users > 0 || this.limitMs === undefined) return;
    this.#timer = setTimeout(this.#onIdle, this.limitMs);
    this.#timer.unref();
  }
}
