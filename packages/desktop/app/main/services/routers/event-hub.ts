import type { AppEvent, EventBatch } from '@shared/contracts/index.ts';

export const FRAME_MS = 16;

/**
 * Collects events and sends them as one batch at most once a frame (16 ms). Text deltas of one part that follow each other
 * become one.
 */
export class EventHub {
  readonly #send: (batch: EventBatch) => void;
  #pending: AppEvent[] = [];
  #seq = 0;
  #lastSentAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #atBoundary: (() => void)[] = [];
  readonly #watchers: ((event: AppEvent) => void)[] = [];

  constructor(send: (batch: EventBatch) => void) {
    this.#send = send;
  }

  /** Calls `watcher` for every event from now on, at once and in order. It must not throw. */
  watch(watcher: (event: AppEvent) => void): void {
    this.#watchers.push(watcher);
  }

  emit(event: AppEvent): void {
    for (const watcher of this.#watchers) watcher(event);
    const merged = mergeDeltas(this.#pending.at(-1), event);
    if (merged) {
      this.#pending[this.#pending.length - 1] = merged;
      return;
    }
    this.#pending.push(event);
    this.#schedule();
  }

  /**
   * Runs `read` at a moment when every event emitted so far has been sent, with the number of the last batch: what `read`
   * sees is exactly the state after that batch. Waits one frame at most.
   */
  snapshot<T>(read: (seq: number) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = () => {
        try {
          resolve(read(this.#seq));
        } catch (thrown) {
          reject(thrown);
        }
      };
      if (this.#pending.length === 0) run();
      else this.#atBoundary.push(run);
    });
  }

  #schedule(): void {
    if (this.#timer) return;
    const wait = Math.max(0, this.#lastSentAt + FRAME_MS - performance.now());
    this.#timer = setTimeout(() => this.#flush(), Math.ceil(wait));
    this.#timer.unref();
  }

  #flush(): void {
    this.#timer = undefined;
    const now = performance.now();
    // A timer may be up to a millisecond early.
    if (now < this.#lastSentAt + FRAME_MS) {
      this.#schedule();
      return;
    }
    this.#lastSentAt = now;
    const events = this.#pending;
    this.#pending = [];
    this.#seq += 1;
    this.#send({ seq: this.#seq, events });
    for (const run of this.#atBoundary.splice(0)) run();
  }
}

/** One delta for two of the same part, or undefined where they can't be one. */
function mergeDeltas(last: AppEvent | undefined, next: AppEvent): AppEvent | undefined {
  if (last?.type !== 'completion.delta' || next.type !== 'completion.delta') return undefined;
  const { messageId, partIndex, text } = last.payload;
  if (messageId !== next.payload.messageId || partIndex !== next.payload.partIndex) return undefined;
  return { type: last.type, payload: { ...last.payload, text: text + next.payload.text } };
}
