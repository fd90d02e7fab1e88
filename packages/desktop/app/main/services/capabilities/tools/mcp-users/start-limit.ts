import { RequestTimeout } from './transports/errors.ts';

/**
 * How long a start may take: `silenceMs` since the last sign of life and `totalMs` in all, both in milliseconds. Aborts its
 * signal with a RequestTimeout.
 */
export class StartLimit {
  readonly #controller = new AbortController();
  readonly #silenceMs: number;
  readonly #total: NodeJS.Timeout;
  #silence: NodeJS.Timeout;
  #isOver = false;

  constructor(silenceMs: number, totalMs: number = silenceMs) {
    this.#silenceMs = silenceMs;
    this.#silence = this.#waitForLife();
    this.#total = setTimeout(() => this.#controller.abort(new RequestTimeout('total', totalMs)), totalMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The program wrote something: it is at work. */
  alive(): void {
    // It goes on writing after its start.
    if (this.#isOver) return;
    clearTimeout(this.#silence);
    this.#silence = this.#waitForLife();
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#silence);
    clearTimeout(this.#total);
  }

  #waitForLife(): NodeJS.Timeout {
    const abort = () => this.#controller.abort(new RequestTimeout('idle', this.#silenceMs));
    return setTimeout(abort, this.#silenceMs);
  }
}
