import { BrokenStreamFailure, StreamedFailure, WireFailure } from './failures.ts';
import { isRecord, parseJson } from './json.ts';
import { type SseEvent, SseParser } from './sse-parser.ts';

/**
 * Rewrites a streamed response body into the plainest server-sent events there are, so that what an SDK's own parser gets
 * wrong does not matter. Seen with the versions in the lock file: @google/genai drops events that begin with a comment or an
 * `event:` line, does not join `data:` lines, and fails on a last event without a blank line; @anthropic-ai/sdk loses that
 * event, and every event without a name; all three end quietly on an error sent as bare JSON.
 *
 * - Each event becomes one `data:` line; its name is kept, or taken from the data's `type` where there is none.
 * - `[DONE]` ends the stream. A body that is JSON altogether becomes an event (an array: one for each element).
 * - An error event makes the stream fail with StreamedFailure, a lost connection with BrokenStreamFailure.
 */
export function normaliseSse(body: ReadableStream<Uint8Array>, host: string): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  // Strips a byte order mark and joins characters that were cut between chunks.
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const parser = new SseParser();
  let start = '';
  let json: string | undefined;
  let started = false;

  const read = (text: string): SseEvent[] => {
    if (json !== undefined) {
      json += text;
      return [];
    }
    if (started) return parser.push(text);
    // Until the first visible character it is open whether these are events or one JSON document.
    start += text;
    const visible = start.trimStart();
    if (visible === '') return [];
    started = true;
    if (/^[{[]/.test(visible)) {
      json = start;
      return [];
    }
    return parser.push(start);
  };

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const send = (events: SseEvent[]): boolean => {
        for (const event of events) {
          if (event.data.trim() === '[DONE]') return false;
          const text = toWire(event, host);
          if (text !== undefined) controller.enqueue(encoder.encode(text));
        }
        return true;
      };
      try {
        while (true) {
          const { done, value } = await reader.read();
          const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
          const events = read(text);
          if (done) events.push(...(json === undefined ? parser.end() : jsonEvents(json)));
          const open = send(events);
          if (!open || done) {
            controller.close();
            if (!done) await reader.cancel().catch(() => undefined);
            return;
          }
          if (events.length > 0) return;
        }
      } catch (error) {
        void reader.cancel().catch(() => undefined);
        controller.error(error instanceof WireFailure ? error : new BrokenStreamFailure(host, error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function jsonEvents(text: string): SseEvent[] {
  const value = parseJson(text);
  // Not JSON after all, or cut off: passed on for the SDK to fail on.
  if (!Array.isArray(value)) return [{ data: text.trim() }];
  return value.map((element) => ({ data: JSON.stringify(element) }));
}

/** Throws StreamedFailure for an event that reports an error. */
function toWire({ event, data }: SseEvent, host: string): string | undefined {
  let name = event;
  // Parsing every event twice is saved where no error can be in it and the name is known.
  if (event === 'error' || data.includes('"error"') || (event === undefined && data.includes('"type"'))) {
    const value = parseJson(data);
    if (isError(event, value)) throw new StreamedFailure(host, value ?? data);
    if (name === undefined && isRecord(value) && typeof value.type === 'string') name = value.type;
  }
  // Between the tokens of JSON a line break is white space, and inside a string none can stand.
  const line = data.replaceAll('\n', ' ');
  return name === undefined ? `data: ${line}\n\n` : `event: ${name.replaceAll('\n', ' ')}\ndata: ${line}\n\n`;
}

function isError(event: string | undefined, value: unknown): boolean {
  if (event === 'error') return true;
  return isRecord(value) && (value.type === 'error' || Boolean(value.error));
}
