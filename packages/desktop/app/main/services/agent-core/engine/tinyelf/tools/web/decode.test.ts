import { describe, expect, it } from 'vitest';
import { decodeText } from './decode.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('decodeText', () => {
  it('goes by the byte order mark before anything else', () => {
    expect(decodeText(bytes('\xff\xfeh\0i\0'), 'utf-8', true)).toBe('hi');
    expect(decodeText(bytes('\xfe\xff\0h\0i'), undefined, false)).toBe('hi');
    expect(decodeText(bytes('\xef\xbb\xbf\xc3\xa9'), 'latin1', false)).toBe('é');
  });

  it('goes by the header, then by the page', () => {
    expect(decodeText(bytes('<meta charset=utf-8>\xe9'), 'iso-8859-1', true)).toBe('<meta charset=utf-8>é');
    expect(decodeText(bytes('<meta charset="windows-1251">\xcf'), undefined, true)).toContain('П');
    expect(
      decodeText(bytes('<META http-equiv=a content="text/html; charset=shift_jis">\x83\x65'), undefined, true),
    ).toContain('テ');
  });

  it('falls back to UTF-8 where a name is made up or lies', () => {
    expect(decodeText(bytes('\xc3\xa9'), 'no-such', true)).toBe('é');
    expect(decodeText(bytes('<meta charset=utf-16>\xc3\xa9'), undefined, true)).toContain('é');
    expect(decodeText(bytes('<meta charset=latin1>\xc3\xa9'), undefined, false)).toContain('é');
    expect(decodeText(bytes('\xff'), undefined, false)).toBe('\ufffd');
  });
});
