const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Thrown when a line has no end within the limit. */
export class LineTooLong extends Error {}

/**
 * Joins the bytes of a stream into lines. Only `\n` ends a line (other Unicode line ends are data), a `\r` before it is
 * dropped, and bytes are decoded only when the line is complete, so that no character is cut in two.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Calls `onLine` for each line that `chunk` completes. Throws LineTooLong. */
  push(chunk: Buffer, onLine: (line: string) => void): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      if (this.#size + end - start > this.#maxBytes) throw new LineTooLong();
      onLine(this.#complete(chunk, start, end));
      start = end + 1;
    }
    if (start === chunk.length) return;
    this.#size += chunk.length - start;
    if (this.#size > this.#maxBytes) throw new LineTooLong();
    this.#parts.push(start === 0 ? chunk : chunk.subarray(start));
  }

  /** The stream has ended: bytes without a line end are its last line. */
  end(onLine: (line: string) => void): void {
    if (this.#size > 0) onLine(this.#complete(Buffer.alloc(0), 0, 0));
  }

  #complete(chunk: Buffer, start: number, end: number): string {
    if (this.#parts.length === 0) return decode(chunk, start, end);
    const line = Buffer.concat([...this.#parts, chunk.subarray(start, end)]);
    this.#parts = [];
    this.#size = 0;
    return decode(line, 0, line.length);
  }
}

function decode(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
}
