import { parseJson } from './json.ts';

export interface SseEvent {
  /** The event's name; undefined where the stream gives none. */
  event?: string;
  data: string;
}

/**
 * Reads server-sent events out of text, wherever it was cut. True to the rules of the HTML standard, with three leniencies
 * that model servers need: an event that the end of the stream cuts off before its blank line still counts, a line of bare
 * JSON (servers write errors like that) is an event of its own, and so is each line of data that is an object by itself, where
 * there is no blank line between events.
 */
export class SseParser {
  #pending = '';
  #endedWithCr = false;
  #event: string | undefined;
  #data: string[] = [];

  /** Events that `text` completes. */
  push(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    if (text === '') return events;
    let rest = text;
    if (this.#endedWithCr && rest.startsWith('\n')) rest = rest.slice(1);
    this.#endedWithCr = rest === '' ? false : rest.endsWith('\r');
    const lines = rest.split(/\r\n|\n|\r/);
    lines[0] = this.#pending + lines[0];
    this.#pending = lines.pop() ?? '';
    for (const line of lines) this.#line(line, events);
    return events;
  }

  /** The event that was still open when the stream ended. */
  end(): SseEvent[] {
    const events: SseEvent[] = [];
    if (this.#pending !== '') this.#line(this.#pending, events);
    this.#pending = '';
    this.#dispatch(events);
    return events;
  }

  #line(line: string, events: SseEvent[]): void {
    if (line === '') {
      this.#dispatch(events);
      return;
    }
    if (line.startsWith('{') && parseJson(line) !== undefined) {
      this.#dispatch(events);
      events.push({ data: line });
      return;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') {
      if (this.#event !== undefined && this.#data.length > 0) this.#dispatch(events);
      this.#event = value || undefined;
    }
  }

  #dispatch(events: SseEvent[]): void {
    const pieces = isEachAnEvent(this.#data) ? this.#data : [this.#data.join('\n')];
    for (const data of pieces) {
      if (data !== '') events.push(this.#event === undefined ? { data } : { event: this.#event, data });
    }
    this.#data = [];
    this.#event = undefined;
  }
}

/** Two lines of data belong together, unless each of them is a whole object or the sign that ends the stream. */
const isEachAnEvent = (lines: string[]): boolean =>
  lines.length > 1 &&
  lines.every((line) => line === '[DONE]' || (line.startsWith('{') && parseJson(line) !== undefined));
