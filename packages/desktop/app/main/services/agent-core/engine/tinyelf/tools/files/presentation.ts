/** What a result holds at most, in UTF-8; the engine cuts at 50 KB. */
const MAX_RESULT_BYTES = 48 * 1024;

/** Collects lines of a result until it is full. */
export class ResultLines {
  readonly #lines: string[] = [];
  #bytes = 0;

  /** False when there was no room: nothing was added then. */
  add(line: string): boolean {
    const bytes = Buffer.byteLength(line) + 1;
    if (this.#bytes + bytes > MAX_RESULT_BYTES) return false;
    this.#bytes += bytes;
    this.#lines.push(line);
    return true;
  }

  get count(): number {
    return this.#lines.length;
  }

  /** `note` follows after an empty line, whether there is room or not. */
  toString(note = ''): string {
    const lines = this.#lines.join('\n');
    // What begins with that word is a failure to the engine; a file may be called so.
    const body = lines.startsWith('Error') ? `./${lines}` : lines;
    return body && note ? `${body}\n\n${note}` : body || note;
  }
}

/** For a path or name that could break the form of a result: as JSON when there are control characters in it. */
export function showName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it looks for
  return /[\u0000-\u001f\u007f\u2028\u2029]/.test(name) ? JSON.stringify(name) : name;
}

/** `512 bytes`, `1.4 KB`, `50 MB`. */
export function showSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let value = bytes / 1024;
  let unit = 'KB';
  for (const next of ['MB', 'GB', 'TB']) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return `${value < 10 ? value.toFixed(1).replace('.0', '') : Math.round(value)} ${unit}`;
}

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** At most `length` characters around a place, with `…` where something was left out. Never half a character. */
export function cutAround(line: string, at: number, length: number): string {
  if (line.length <= length) return line;
  const from = Math.max(0, Math.min(at - Math.floor(length / 4), line.length - length));
  const to = from + length;
  const cut = line.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${from > 0 ? '…' : ''}${cut}${to < line.length ? '…' : ''}`;
}
