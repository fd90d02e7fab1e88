import { StringDecoder } from 'node:string_decoder';

/** The last bytes of a stream of text, and its lines as they come. Both are bounded, whatever the stream holds. */
export class TextTail {
  readonly #maxBytes: number;
  readonly #maxLine: number;
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #parts: Buffer[] = [];
  #size = 0;
  #line = '';

  /** @param maxBytes how much of the end is kept @param maxLine longer lines reach `onLine` in pieces of this length */
  constructor(maxBytes: number, maxLine: number, onLine: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#maxLine = maxLine;
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes * 2) this.#trim();

    const pieces = (this.#line + this.#decoder.write(chunk)).split('\n');
    this.#line = pieces.pop() ?? '';
    for (const piece of pieces) this.#emit(piece);
    while (this.#line.length > this.#maxLine) {
      this.#onLine(this.#line.slice(0, this.#maxLine));
      this.#line = this.#line.slice(this.#maxLine);
    }
  }

  /** The stream has ended: an unfinished line is a line. */
  end(): void {
    if (this.#line !== '') this.#emit(this.#line);
    this.#line = '';
  }

  /** The end of the text, without the half character that cutting may leave at its beginning. */
  text(): string {
    this.#trim();
    return Buffer.concat(this.#parts)
      .toString('utf8')
      .replace(/^\uFFFD+/, '')
      .trim();
  }

  #emit(line: string): void {
    const text = line.replace(/\r$/, '');
    for (let at = 0; at === 0 || at < text.length; at += this.#maxLine)
      this.#onLine(text.slice(at, at + this.#maxLine));
  }

  #trim(): void {
    if (this.#size <= this.#maxBytes) return;
    const all = Buffer.concat(this.#parts);
    this.#parts = [Buffer.from(all.subarray(all.length - this.#maxBytes))];
    this.#size = this.#maxBytes;
  }
}
