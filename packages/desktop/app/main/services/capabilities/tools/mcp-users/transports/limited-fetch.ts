import type { Fetch } from '../../../../ports/infrastructure.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** As much of an error page as is of use. */
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * A fetch whose answers are bounded: one that is larger than `maxBytes`, or a single event of a stream that is, ends with an
 * error; the body of a refusal is cut. A server must not be able to fill the app's memory.
 */
export const limitedFetch =
  (fetch: Fetch, maxBytes: number): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const isStream = headers.get('content-type')?.includes('text/event-stream') ?? false;
    const limiter = response.ok ? limit(maxBytes, isStream) : cutAfter(MAX_ERROR_BYTES);
    return new Response(response.body.pipeThrough(limiter), { status, statusText, headers });
  };

function limit(maxBytes: number, isStream: boolean): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const event = new OpenEvent();
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size = isStream ? event.sizeAfter(chunk) : size + chunk.length;
      if (size > maxBytes) {
        controller.error(new Error(`The server sent a message larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB.`));
      } else controller.enqueue(chunk);
    },
  });
}

/** Counts the bytes of the event that is being received; an empty line ends it. */
class OpenEvent {
  #size = 0;
  #lineIsEmpty = true;

  sizeAfter(chunk: Uint8Array): number {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const isEmpty = this.#lineIsEmpty && isBlank(chunk, start, end);
      this.#size = isEmpty ? 0 : this.#size + end + 1 - start;
      this.#lineIsEmpty = true;
      start = end + 1;
    }
    this.#lineIsEmpty &&= isBlank(chunk, start, chunk.length);
    this.#size += chunk.length - start;
    return this.#size;
  }
}

const isBlank = (bytes: Uint8Array, start: number, end: number): boolean =>
  start === end || (start + 1 === end && bytes[start] === CARRIAGE_RETURN);

function cutAfter(maxBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let left = maxBytes;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}
