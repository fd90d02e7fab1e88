import { describe, expect, it } from 'vitest';
import { visiblePieces } from './visible-text.ts';

const hidden = (text: string) => visiblePieces(text).flatMap((piece) => ('hidden' in piece ? [piece.hidden] : []));
const shown = (text: string) =>
  visiblePieces(text)
    .map((piece) => ('hidden' in piece ? `[${piece.hidden}]` : piece.text))
    .join('');

describe('visiblePieces', () => {
  it.each([
    ['right-to-left override', 'safe\u202etxt.exe', 'U+202E'],
    ['isolate', '\u2067abc', 'U+2067'],
    ['Arabic letter mark', 'a\u061cb', 'U+061C'],
    ['zero-width space', 'rm\u200b -rf', 'U+200B'],
    ['zero-width joiner between letters', 'a\u200db', 'U+200D'],
    ['word joiner', 'a\u2060b', 'U+2060'],
    ['byte order mark', '\ufeffx', 'U+FEFF'],
    ['soft hyphen', 'pass\u00adword', 'U+00AD'],
    ['tag character', 'x\u{e0041}', 'U+E0041'],
    ['variation selector on a letter', 'a\ufe0f', 'U+FE0F'],
    ['supplementary variation selector', 'a\u{e0101}', 'U+E0101'],
    ['Hangul filler', 'a\u3164b', 'U+3164'],
    ['blank Braille', 'a\u2800b', 'U+2800'],
    ['NUL', 'a\0b', 'U+0000'],
    ['escape', '\u001b[2J', 'U+001B'],
    ['backspace', 'ab\u0008', 'U+0008'],
    ['carriage return alone', 'visible\rhidden', 'U+000D'],
    ['C1 control', 'a\u0085b', 'U+0085'],
    ['line separator', 'a\u2028b', 'U+2028'],
    ['lone surrogate', 'a\ud800b', 'U+D800'],
    ['private use', 'a\ue000b', 'U+E000'],
  ])('names a %s', (_what, text, name) => {
    expect(hidden(text)).toEqual([name]);
  });

  it('keeps everything else as it is, in its place', () => {
    expect(shown('a\u202eb\u200bc')).toBe('a[U+202E]b[U+200B]c');
  });

  it.each(['Grüße, мир, 世界, שלום', 'a\tb\nc', 'a  b', '👩‍👩‍👧 ❤️ 👍🏽'])('leaves %j alone', (text) => {
    expect(visiblePieces(text).every((piece) => 'text' in piece)).toBe(true);
    expect(shown(text)).toBe(text);
  });

  it('shows Windows line ends as line breaks', () => {
    expect(shown('a\r\nb')).toBe('a\nb');
  });
});
