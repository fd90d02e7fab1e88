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

/** Runs a response through its machine. A connection that fails after the answer is complete does not spoil it. */
export async function* runMachine<Chunk>(
  chunks: AsyncIterable<Chunk>,
  machine: StreamMachine<Chunk>,
): AsyncGenerator<StreamPart> {
  try {
    for await (const chunk of chunks) yield* machine.push(chunk);
  } catch (error) {
    if (!machine.isComplete || findWireFailure(error) instanceof StreamedFailure) throw error;
  }
  yield* machine.end();
}
