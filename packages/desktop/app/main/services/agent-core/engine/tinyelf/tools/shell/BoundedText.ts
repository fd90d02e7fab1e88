/** Keeps the head and the tail of a text that comes in pieces, whatever its length; what lies between is only counted. */
export class BoundedText {
  readonly #headMax: number;
  readonly #tailMax: number;
  #head = '';
  #tail: string[] = [];
  #tailLength = 0;
  #length = 0;

  /** @param max characters to keep, half of them of the head */
  constructor(max: number) {
    this.#headMax = Math.ceil(max / 2);
    this.#tailMax = Math.floor(max / 2);
  }

  add(text: string): void {
    this.#length += text.length;
    const toHead = text.slice(0, this.#headMax - this.#head.length);
    this.#head += toHead;
    // Only the end of a long piece can be wanted.
    const rest = text.slice(toHead.length).slice(-this.#tailMax);
    if (rest === '') return;
    this.#tail.push(rest);
    this.#tailLength += rest.length;
    if (this.#tailLength > 2 * this.#tailMax) {
      this.#tail = [this.#tail.join('').slice(-this.#tailMax)];
      this.#tailLength = this.#tailMax;
    }
  }

  /** The whole text, or its head and tail with a note of what was left out between them. */
  text(): string {
    const tail = this.#tail.join('').slice(-this.#tailMax);
    const left = this.#length - this.#head.length - tail.length;
    if (left <= 0) return this.#head + tail;
    const note = `\n[… ${left.toLocaleString('en')} characters left out here …]\n`;
    return (this.#head + note + tail).toWellFormed();
  }

  /** The last line that isn't blank, cut to `max` characters. */
  lastLine(max: number): string {
    const end = (this.#tail.length > 0 ? this.#tail.slice(-2).join('') : this.#head).slice(-4 * max);
    const line =
      end
        .trimEnd()
        .split(/[\r\n]/)
        .at(-1) ?? '';
    return line.trim().slice(0, max).toWellFormed();
  }
}
