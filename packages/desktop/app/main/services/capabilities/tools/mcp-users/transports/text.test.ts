import { describe, expect, it } from 'vitest';
import { LineSplitter, LineTooLong } from './line-splitter.ts';
import { TextTail } from './text-tail.ts';

const split = (chunks: Buffer[], maxBytes = 1000) => {
  const splitter = new LineSplitter(maxBytes);
  const lines: string[] = [];
  for (const chunk of chunks) splitter.push(chunk, (line) => lines.push(line));
  return lines;
};

describe('LineSplitter', () => {
  const text = 'ø\r\n日本\n\n🦊 a\u2028b\u0085c\r\nlast\n';
  const lines = ['ø', '日本', '', '🦊 a\u2028b\u0085c', 'last'];

  it.each([1, 2, 3, 5, 1000])('gives the same lines for pieces of %i bytes', (size) => {
    const bytes = Buffer.from(text);
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    expect(split(chunks)).toEqual(lines);
  });

  it('refuses a line that is too long, in one piece or in many', () => {
    expect(() => split([Buffer.from(`${'x'.repeat(11)}\n`)], 10)).toThrow(LineTooLong);
    expect(() => split(Array(11).fill(Buffer.from('x')), 10)).toThrow(LineTooLong);
    expect(split([Buffer.from('xxxxx'), Buffer.from('xxxxx\nxxxxx')], 10)).toEqual(['xxxxxxxxxx']);
  });
});

describe('TextTail', () => {
  it('keeps the end in bytes, and never half a character', () => {
    const tail = new TextTail(10, 100, () => {});
    for (let i = 0; i < 100; i++) tail.push(Buffer.from('日本'));
    expect(tail.text()).toBe('本日本');
  });

  it('begins with a whole line where it was cut', () => {
    const tail = new TextTail(20, 100, () => {});
    tail.push(Buffer.from('key=secret\nsecond\n'));
    expect(tail.text()).toBe('key=secret\nsecond');
    tail.push(Buffer.from('third\n'));
    expect(tail.text()).toBe('second\nthird');
  });

  it('gives lines, long ones in pieces, and the unfinished one at the end', () => {
    const lines: string[] = [];
    const tail = new TextTail(10, 5, (line) => lines.push(line));
    tail.push(Buffer.from('one\r\ntwo'));
    tail.push(Buffer.from('x\n\nabcdefghijkl'));
    tail.end();
    expect(lines).toEqual(['one', 'twox', '', 'abcde', 'fghij', 'kl']);
  });

  it('gives no part of a secret, wherever a long line is cut and however it comes', () => {
    const secret = 'S'.repeat(300);
    const line = `${'a'.repeat(3900)}${secret}${'b'.repeat(3990)}${secret}${secret.concat('-').repeat(40)}${'c'.repeat(9000)}`;
    for (const size of [700, 4096, 65_536]) {
      const lines: string[] = [];
      const redact = (text: string) => text.replaceAll(secret, '•••');
      const tail = new TextTail(10, 4096, (piece) => lines.push(piece), redact);
      const bytes = Buffer.from(`${line}\n`);
      for (let at = 0; at < bytes.length; at += size) tail.push(bytes.subarray(at, at + size));
      expect(lines.join('')).toBe(redact(line));
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(4096);
    }
  });
});
