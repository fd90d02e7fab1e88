import type { McpSubscription } from '@modelcontextprotocol/client';
import { isNotSupported } from './connection-errors.ts';
import { RetryPolicy, type RetryTimes } from './retry-policy.ts';
import type { LogSink } from './transports/stdio-transport.ts';

/** Some gateways end every stream after half a minute: one that stood that long has done nothing wrong. */
const TIMES: RetryTimes = {
  firstMs: 1000,
  longestMs: 60_000,
  stableMs: 20_000,
  tries: Number.POSITIVE_INFINITY,
  perMinute: 10,
};

export interface ChangeStreamOptions {
  /** Asks for the stream. Resolves when the server agreed. */
  listen: () => Promise<McpSubscription>;
  /** The stream is there again: what changed meanwhile was told to nobody. */
  onReopened: () => void;
  /** There will be no stream: the server does not know such a request. */
  onUnsupported?: () => void;
  log: LogSink;
}

/**
 * A `subscriptions/listen` stream, by which a server of the newer revision tells of changes. It is opened again when it ends
 * or is refused, later each time, until {@link end} or until the server says that it has none.
 */
export class ChangeStream {
  readonly #options: ChangeStreamOptions;
  readonly #retry = new RetryPolicy(TIMES);
  #subscription: McpSubscription | undefined;
  #isOver = false;
  #stopWaiting: (() => void) | undefined;

  constructor(options: ChangeStreamOptions) {
    this.#options = options;
  }

  /** Opens it, now or as soon as the server lets us. */
  begin(): void {
    void this.#keep();
  }

  /** Opens it. @throws what the server answers, and it is not tried again then */
  async open(): Promise<void> {
    await this.#listen();
    void this.#keep();
  }

  /** It is not opened any more. The connection that it runs on is ended by somebody else. */
  end(): void {
    this.#isOver = true;
    this.#stopWaiting?.();
  }

  /** It may be dead without a word: it is opened anew, or at once where it waits for that. */
  renew(): void {
    void this.#subscription?.close().catch(() => {});
    this.#stopWaiting?.();
  }

  /** Ends it, and tells the server. Never rejects. */
  async close(): Promise<void> {
    this.end();
    await this.#subscription?.close().catch(() => {});
  }

  /** Never rejects. */
  async #keep(): Promise<void> {
    const { log, onReopened, onUnsupported } = this.#options;
    let isSilent = false;
    let isFirst = true;
    while (!this.#isOver) {
      let reason = 'The stream ended.';
      try {
        if (!this.#subscription) await this.#listen();
        if (!isFirst) onReopened();
        if (isSilent) log('protocol', 'info', 'The server tells of changes again.');
        isSilent = false;
        await this.#subscription?.closed;
      } catch (error) {
        if (isNotSupported(error) && !this.#isOver) {
          log('protocol', 'info', 'The server does not tell of changes.');
          onUnsupported?.();
          return;
        }
        reason = String(error);
      }
      this.#subscription = undefined;
      isFirst = false;
      if (this.#isOver) return;
      if (!isSilent) log('protocol', 'warning', `The server does not tell of changes for now: ${reason}`);
      isSilent = true;
      await this.#wait(this.#retry.next(performance.now()) ?? TIMES.longestMs);
    }
  }

  async #listen(): Promise<void> {
    this.#retry.attempted(performance.now());
    const subscription = await this.#options.listen();
    this.#retry.succeeded(performance.now());
    this.#subscription = subscription;
    if (this.#isOver) await this.close();
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      this.#stopWaiting = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
