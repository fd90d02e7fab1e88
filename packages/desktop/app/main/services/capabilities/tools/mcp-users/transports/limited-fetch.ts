import type { Fetch } from '../../../../ports/infrastructure.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** As much of an error page as is of use. */
const MAX_ERROR_BYTES = 64 * 1024;
/** So many milliseconds of a body are read in one go. */
const LONG_TURN_MS = 20;

/**
 * A fetch whose answers are bounded: one that is larger than `maxBytes`, or a single event of a stream that is, ends with an
 * error; the body of a refusal is cut. A server must not be able to fill the app's memory.
 */
export const limitedFetch =
  (fetch: Fetch, maxBytes: number): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const { body, status, statusText, headers } = response;
    if (!body) return response;
    if (!response.ok) return new Response(cutAfter(body, MAX_ERROR_BYTES), { status, statusText, headers });
    if (headers.get('content-type')?.includes('text/event-stream')) {
      // Streams are read by their body alone, and one comes with every call: a second Response costs more than all the rest.
      const ends = new LineEnds();
      const events = limit(body, maxBytes, new OpenEvent(), (chunk) => ends.complete(chunk));
      return Object.defineProperty(response, 'body', { value: events });
    }
    return new Response(limit(body, maxBytes, new WholeBody()), { status, statusText, headers });
  };

type Bytes = Uint8Array<ArrayBuffer>;

/** A stream may end without the empty line that ends its last event. */
const EVENT_END = new TextEncoder().encode('\n\n');

/**
 * Passes a body on chunk by chunk, without the queues of a TransformStream. `take` gives what is passed on, or throws; what
 * `atEnd` gives comes after a body that was not cut off.
 */
function read(
  body: ReadableStream<Bytes>,
  take: (chunk: Bytes) => { chunk: Bytes; isLast?: boolean },
  atEnd?: () => Bytes | undefined,
) {
  const reader = body.getReader();
  let turnStartedAt = performance.now();
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        try {
          // What comes without a pause would keep the app from everything else.
          if (performance.now() - turnStartedAt > LONG_TURN_MS) {
            await new Promise(setImmediate);
            turnStartedAt = performance.now();
          }
          const { done, value } = await reader.read();
          if (done) {
            const end = atEnd?.();
            if (end) controller.enqueue(end);
            controller.close();
            return;
          }
          const { chunk, isLast } = take(value);
          controller.enqueue(chunk);
          if (!isLast) return;
          controller.close();
          await reader.cancel();
        } catch (error) {
          // What the server still sends is of no use; the reason is told to whoever reads.
          reader.cancel(error).catch(() => {});
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

interface Counter {
  /** Bytes of the message that is being received, this chunk included. */
  sizeAfter(chunk: Bytes): number;
  /** What the body lacks at its end. */
  atEnd?(): Bytes | undefined;
}

const limit = (
  body: ReadableStream<Bytes>,
  maxBytes: number,
  counter: Counter,
  change: (chunk: Bytes) => Bytes = (chunk) => chunk,
) => {
  const take = (received: Bytes) => {
    const chunk = change(received);
    if (counter.sizeAfter(chunk) > maxBytes) {
      throw new Error(`The server sent a message larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB.`);
    }
    return { chunk };
  };
  return read(body, take, () => counter.atEnd?.());
};

class WholeBody implements Counter {
  #size = 0;

  sizeAfter(chunk: Bytes): number {
    this.#size += chunk.length;
    return this.#size;
  }
}

/** Counts the bytes of the event that is being received; an empty line ends it. */
class OpenEvent implements Counter {
  #size = 0;
  #lineIsEmpty = true;

  sizeAfter(chunk: Bytes): number {
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

  atEnd(): Bytes | undefined {
    return this.#size > 0 ? EVENT_END : undefined;
  }
}

/** Also when a carriage return by itself ended a line before, as in what {@link LineEnds} completes. */
const isBlank = (bytes: Uint8Array, start: number, end: number): boolean =>
  start === end || (bytes[end - 1] === CARRIAGE_RETURN && (start + 1 === end || bytes[end - 2] === CARRIAGE_RETURN));

/**
 * A carriage return ends a line by itself, too. A parser that is given one as the last waits for what follows, since it may be
 * a line feed that belongs to it, and on an open stream that may be the next event. So the line feed is put there, and the
 * server's own is left out when it comes.
 */
class LineEnds {
  #isAhead = false;

  complete(chunk: Bytes): Bytes {
    if (chunk.length === 0) return chunk;
    const rest = this.#isAhead && chunk[0] === NEWLINE ? chunk.subarray(1) : chunk;
    this.#isAhead = rest.at(-1) === CARRIAGE_RETURN;
    if (!this.#isAhead) return rest;
    const completed = new Uint8Array(rest.length + 1);
    completed.set(rest);
    completed[rest.length] = NEWLINE;
    return completed;
  }
}

function cutAfter(body: ReadableStream<Bytes>, maxBytes: number) {
  let left = maxBytes;
  return read(body, (chunk) => {
    const kept = chunk.subarray(0, left);
    left -= chunk.length;
    return { chunk: kept, isLast: left <= 0 };
  });
}
