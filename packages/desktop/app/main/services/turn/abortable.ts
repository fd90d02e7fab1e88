/**
 * The promise, or a rejection with the signal's reason as soon as it aborts: stopping must not depend on the other side
 * heeding the signal. What comes later is dropped.
 */
export function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) {
      onAbort();
      promise.catch(() => undefined);
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Goes through a stream until it ends or the signal aborts, in which case it throws the signal's reason at once. */
export async function* abortableStream<Item>(stream: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
  const iterator = stream[Symbol.asyncIterator]();
  let ended = false;
  try {
    while (true) {
      const next = await abortable(iterator.next(), signal);
      if (next.done) {
        ended = true;
        return;
      }
      yield next.value;
    }
  } catch (error) {
    ended = !signal.aborted;
    throw error;
  } finally {
    // Not awaited: a generator that hangs in its `next` would never get to its `return`.
    if (!ended) iterator.return?.().catch(() => undefined);
  }
}

/** Waits `ms` milliseconds, or throws the signal's reason as soon as it aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
