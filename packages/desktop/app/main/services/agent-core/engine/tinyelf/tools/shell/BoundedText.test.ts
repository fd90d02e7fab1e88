import { describe, expect, it } from 'vitest';
import { BoundedText } from './BoundedText.ts';

const filled = (max: number, pieces: string[]) => {
  const text = new BoundedText(max);
  for (const piece of pieces) text.add(piece);
  return text;
};

describe('BoundedText', () => {
  it('keeps whole what fits exactly', () => {
    expect(filled(10, ['01234', '56789']).text()).toBe('0123456789');
    expect(filled(10, ['0123456789']).text()).toBe('0123456789');
    expect(filled(10, []).text()).toBe('');
  });

  it('counts what lies between head and tail', () => {
    expect(filled(10, ['01234', '56', '78901']).text()).toBe('01234\n[… 2 characters left out here …]\n78901');
    expect(filled(4, ['a'.repeat(5_000_002)]).text()).toBe('aa\n[… 4,999,998 characters left out here …]\naa');
  });

  it('gives the same however the text is cut into pieces', () => {
    const whole = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
    const expected = filled(100, [whole]).text();
    for (const size of [1, 7, 49, 50, 51, 333]) {
      const pieces = whole.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(filled(100, pieces).text()).toBe(expected);
    }
  });

  it('leaves no half of a character at the cuts', () => {
    const text = filled(6, ['😀'.repeat(20)]).text();
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain('😀');
  });

  it('knows the last line that says something', () => {
    expect(filled(100, ['one\ntwo\n\n']).lastLine(80)).toBe('two');
    expect(filled(100, ['10 %\r50 %\r']).lastLine(80)).toBe('50 %');
    expect(filled(20, ['abc\n'.repeat(20), 'the end']).lastLine(3)).toBe('the');
    expect(filled(10, []).lastLine(3)).toBe('');
  });
});
