import type { StreamPart } from '../../ports/model.ts';
import { findWireFailure, StreamedFailure } from './failures.ts';

/** Turns the chunks of one response into StreamParts. */
export interface StreamMachine<Chunk> {
  /** Nothing is missing any more but the end of the connection. */
  readonly isComplete: boolean;
  push(chunk: Chunk): StreamPart[];
  /** The last parts, `finish` among them. Throws `broken-stream` when the response is not complete. */
  end(): StreamPart[];
}

/** How long the end of a connection may take, or what else comes (the usage), once the answer is complete. */
const END_WAIT_MS = 30_000;

/**
 * Runs a response through its machine. A connection that fails after the answer is complete does not spoil it, and one that
 * stays open does not hold it up.
 */
export async function* runMachine<Chunk>(
  chunks: AsyncIterable<Chunk>,
  machine: StreamMachine<Chunk>,
): AsyncGenerator<StreamPart> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await (machine.isComplete ? soon(iterator.next()) : iterator.next());
      if (!next || next.done) break;
      yield* machine.push(next.value);
    }
  } catch (error) {
    if (!machine.isComplete || findWireFailure(error) instanceof StreamedFailure) throw error;
  } finally {
    // Not awaited: it may be waiting for the network itself.
    void iterator.return?.().then(undefined, () => undefined);
  }
  yield* machine.end();
}

/** undefined when it does not come soon enough. */
async function soon<T>(next: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), END_WAIT_MS);
  try {
    return await Promise.race([next, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
