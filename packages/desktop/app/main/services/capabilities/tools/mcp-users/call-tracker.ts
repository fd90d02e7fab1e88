/** The running calls by the id that their caller gave them. */
export class CallTracker {
  readonly #calls = new Map<string, AbortController>();

  /**
   * Runs a call that ends when `outer` aborts or {@link cancel} is called for its id.
   * @throws Error when a call with this id is running already
   */
  async run<T>(callId: string, outer: AbortSignal | undefined, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#calls.has(callId)) throw new Error(`A call with the id ${callId} is running already`);
    const controller = new AbortController();
    const onAbort = () => controller.abort(outer?.reason);
    if (outer?.aborted) onAbort();
    outer?.addEventListener('abort', onAbort, { once: true });
    this.#calls.set(callId, controller);
    try {
      return await call(controller.signal);
    } finally {
      this.#calls.delete(callId);
      outer?.removeEventListener('abort', onAbort);
    }
  }

  /** Returns false when there is no such call. */
  cancel(callId: string): boolean {
    const controller = this.#calls.get(callId);
    controller?.abort();
    return controller !== undefined;
  }

  cancelAll(): void {
    for (const controller of this.#calls.values()) controller.abort();
  }
}
