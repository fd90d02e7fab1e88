/** A value that others can wait for to change. */
export class ObservedState<State> {
  readonly #onChange: (state: State) => void;
  #value: State;
  #change = Promise.withResolvers<void>();

  constructor(initial: State, onChange: (state: State) => void) {
    this.#value = initial;
    this.#onChange = onChange;
  }

  get value(): State {
    return this.#value;
  }

  set(value: State): void {
    this.#value = value;
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve();
    this.#onChange(value);
  }

  /** Resolves at the next change, or after `ms`. Rejects with the signal's reason. */
  next(signal?: AbortSignal, ms = Number.POSITIVE_INFINITY): Promise<void> {
    const change = this.#change.promise;
    if (!signal && ms === Number.POSITIVE_INFINITY) return change;
    return new Promise((resolve, reject) => {
      const settle = (then: () => void) => () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        then();
      };
      const onAbort = settle(() => reject(signal?.reason));
      const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(settle(resolve), ms);
      signal?.addEventListener('abort', onAbort, { once: true });
      void change.then(settle(resolve));
    });
  }
}
