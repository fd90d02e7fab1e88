import { BrokenStreamFailure, NotAnApiFailure, StreamedFailure, WireFailure } from './failures.ts';
import { isRecord, parseJson } from './json.ts';
import { type SseEvent, SseParser } from './sse-parser.ts';

/**
 * Rewrites a streamed response body into the plainest server-sent events there are, so that what an SDK's own parser gets
 * wrong does not matter. Seen with the versions in the lock file: @google/genai drops events that begin with a comment or an
 * `event:` line, does not join `data:` lines, and fails on a last event without a blank line; @anthropic-ai/sdk loses that
 * event, and every event without a name; all three end quietly on an error sent as bare JSON.
 *
 * - Each event becomes one `data:` line; its name is kept, or taken from the data's `type` where there is none.
 * - `[DONE]` ends the stream. A body that is JSON altogether, or in each line, becomes an event (an array: one for each
 *   element); that is what servers answer with that don't stream, or that report an error in a way of their own.
 * - An error event makes the stream fail with StreamedFailure, a lost connection with BrokenStreamFailure, a web page (which
 *   may come under any content type) with NotAnApiFailure.
 */
export function normaliseSse(body: ReadableStream<Uint8Array>, host: string): ReadableStream<Uint8Array> {
  // A failure comes after the events before it: a generator throws where it stands, and drops nothing that it has yielded.
  const events = normalisedEvents(body, host);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await events.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        // Not awaited: it may be waiting for the network itself, which an aborted request ends.
        void events.return(undefined).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* normalisedEvents(body: ReadableStream<Uint8Array>, host: string): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  // Strips a byte order mark and joins characters that were cut between chunks.
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const stream = new EventText(host);
  try {
    while (true) {
      const { done, value } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      const events = stream.push(text);
      if (done) events.push(...stream.end());
      for (const event of events) {
        if (event.data.trim() === '[DONE]') return;
        yield encoder.encode(toWire(event, host));
      }
      if (done) return;
    }
  } catch (error) {
    throw error instanceof WireFailure ? error : new BrokenStreamFailure(host, error);
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** Tells a stream of events from one JSON document, and from a web page, by the first visible character. */
class EventText {
  readonly #parser = new SseParser();
  readonly #host: string;
  #kind: 'open' | 'events' | 'json' = 'open';
  /** What has come before that was clear, or the document. */
  #held = '';

  constructor(host: string) {
    this.#host = host;
  }

  push(text: string): SseEvent[] {
    if (this.#kind === 'events') return this.#parser.push(text);
    this.#held += text;
    const first = this.#held.trimStart()[0];
    if (this.#kind === 'json' || first === undefined) return [];
    if (first === '<') throw new NotAnApiFailure(this.#host, 'a web page, by its first character');
    this.#kind = first === '{' || first === '[' ? 'json' : 'events';
    return this.#kind === 'json' ? [] : this.#parser.push(this.#held);
  }

  end(): SseEvent[] {
    return this.#kind === 'json' ? jsonEvents(this.#held, this.#host) : this.#parser.end();
  }
}

function jsonEvents(text: string, host: string): SseEvent[] {
  const value = parseJson(text);
  // One document in each line, or events that begin with one; or else cut off.
  if (value === undefined) {
    const parser = new SseParser();
    return [...parser.push(text), ...parser.end()];
  }
  return [value].flat().map((element) => ({ data: JSON.stringify(asEvent(element, host)) }));
}

/** Fields of which an answer has one. */
const ANSWER_FIELDS = ['choices', 'candidates', 'promptFeedback', 'usageMetadata', 'type', 'error'];

/** The event that carries a whole answer; in Chat Completions and Gemini's format it looks like a piece of one. */
function asEvent(value: unknown, host: string): unknown {
  if (!isRecord(value)) return value;
  if (value.object === 'response') return { type: 'response.completed', response: value };
  if (value.type === 'message') return { type: 'message_start', message: value };
  if (ANSWER_FIELDS.every((field) => value[field] === undefined || value[field] === null)) {
    throw new StreamedFailure(host, value);
  }
  return value;
}

/** Throws StreamedFailure for an event that reports an error. */
function toWire({ event, data }: SseEvent, host: string): string {
  let name = event;
  let written = data;
  // Parsing every event twice is saved where no error can be in it and the name is known.
  if (event === 'error' || data.includes('"error"') || (event === undefined && !isPiece(data))) {
    const value = parseJson(data);
    if (isError(event, value)) throw new StreamedFailure(host, value ?? data);
    if (name === undefined && isRecord(value) && typeof value.type === 'string') name = value.type;
    // SDKs take any error for one.
    if (isRecord(value) && value.error) written = JSON.stringify({ ...value, error: undefined });
  }
  // Between the tokens of JSON a line break is white space, and inside a string none can stand.
  const line = written.replaceAll('\n', ' ');
  return name === undefined ? `data: ${line}\n\n` : `event: ${name.replaceAll('\n', ' ')}\ndata: ${line}\n\n`;
}

/** Of an answer in Chat Completions or Gemini's format, whose events have no names. */
const isPiece = (data: string): boolean => data.includes('"choices"') || data.includes('"candidates"');

function isError(event: string | undefined, value: unknown): boolean {
  if (event === 'error') return true;
  if (!isRecord(value)) return false;
  if (value.type === 'error' || value.object === 'error' || saysSomething(value.error)) return true;
  // Some servers have no field of its own for an error; no event of an answer holds a message as text.
  const isAnswer = Array.isArray(value.choices) || Array.isArray(value.candidates);
  return !isAnswer && [value.message, value.msg, value.detail].some((text) => typeof text === 'string' && text !== '');
}

/** Some gateways put an error into every piece of an answer, with nothing in it. */
const saysSomething = (error: unknown): boolean =>
  isRecord(error) ? Object.values(error).some(Boolean) : Boolean(error);
