import { StringDecoder } from 'node:string_decoder';
import { LONGEST_SECRET } from '../redact.ts';

/** Of a line that is very long no more than half a character. */
const HALF_LINE = new RegExp(`^(?:[^\\n]{0,${LONGEST_SECRET}}\\n|\\uFFFD+)`);

/** The last bytes of a stream of text, and its lines as they come. Both are bounded, whatever the stream holds. */
export class TextTail {
  readonly #maxBytes: number;
  readonly #maxLine: number;
  readonly #onLine: (line: string) => void;
  readonly #redact: (text: string) => string;
  readonly #decoder = new StringDecoder('utf8');
  #parts: Buffer[] = [];
  #size = 0;
  #line = '';
  #isCut = false;

  /**
   * @param maxBytes how much of the end is kept
   * @param maxLine longer lines reach `onLine` in pieces of this length, in characters
   * @param redact hides the secrets of a line that comes in pieces: nobody recognises one that is cut in two
   */
  constructor(
    maxBytes: number,
    maxLine: number,
    onLine: (line: string) => void,
    redact: (text: string) => string = (text) => text,
  ) {
    this.#maxBytes = maxBytes;
    this.#maxLine = maxLine;
    this.#onLine = onLine;
    this.#redact = redact;
  }

  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes * 2) this.#trim();

    const pieces = (this.#line + this.#decoder.write(chunk)).split('\n');
    this.#line = pieces.pop() ?? '';
    for (const piece of pieces) this.#emit(piece);
    this.#line = this.#emitPieces(this.#line);
  }

  /** The stream has ended: an unfinished line is a line. */
  end(): void {
    if (this.#line !== '') this.#emit(this.#line);
    this.#line = '';
  }

  /** The end of the text, without the half line that cutting may leave at its beginning, and half of a secret with it. */
  text(): string {
    this.#trim();
    const text = Buffer.concat(this.#parts).toString('utf8');
    return (this.#isCut ? text.replace(HALF_LINE, '') : text).trim();
  }

  #emit(line: string): void {
    const rest = this.#emitPieces(line.replace(/\r$/, ''));
    // What is left of a long line can't grow any more, and is still longer than a piece.
    const text = rest.length > this.#maxLine ? this.#redact(rest) : rest;
    for (let at = 0; at === 0 || at < text.length; at += this.#maxLine)
      this.#onLine(text.slice(at, at + this.#maxLine));
  }

  /** Emits the pieces that are complete with whatever secret may begin in them. Returns the rest of the line. */
  #emitPieces(line: string): string {
    const window = this.#maxLine + LONGEST_SECRET;
    let rest = line;
    while (rest.length > window) {
      const redacted = this.#redact(rest.slice(0, window));
      // Redaction makes texts shorter: the secret at the end of the window may be half there.
      const end = Math.max(0, Math.min(this.#maxLine, redacted.length - LONGEST_SECRET));
      if (end > 0) this.#onLine(redacted.slice(0, end));
      rest = redacted.slice(end) + rest.slice(window);
    }
    return rest;
  }

  #trim(): void {
    if (this.#size <= this.#maxBytes) return;
    this.#isCut = true;
    const all = Buffer.concat(this.#parts);
    this.#parts = [Buffer.from(all.subarray(all.length - this.#maxBytes))];
    this.#size = this.#maxBytes;
  }
}
