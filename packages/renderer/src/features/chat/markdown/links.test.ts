import { describe, expect, it } from 'vitest';
import { openableUrl, pictureUrl } from './links.ts';

describe('openableUrl', () => {
  it.each(['http://example.com/', 'https://example.com/a?b#c', 'mailto:ada@example.com'])('takes %s', (url) => {
    expect(openableUrl(url)).toBe(url);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'app://local/index.html',
    'blob:https://example.com/1',
    '//example.com/x',
    '/settings',
    '#top',
    '',
    undefined,
  ])('refuses %j', (url) => {
    expect(openableUrl(url)).toBeNull();
  });
});

describe('pictureUrl', () => {
  it('tells pictures that lie elsewhere from those that are whole', () => {
    expect(pictureUrl('https://example.com/a.png')).toEqual({ url: 'https://example.com/a.png', remote: true });
    expect(pictureUrl('data:image/png;base64,aGk=')).toEqual({ url: 'data:image/png;base64,aGk=', remote: false });
  });

  it.each([
    'data:image/svg+xml;base64,aGk=',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'data:text/html,x',
    'javascript:alert(1)',
    'file:///x.png',
    'x.png',
    undefined,
  ])('refuses %j', (src) => {
    expect(pictureUrl(src)).toBeNull();
  });
});
