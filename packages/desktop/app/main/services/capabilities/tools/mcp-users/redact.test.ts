import { describe, expect, it } from 'vitest';
import { redactor } from './redact.ts';

describe('redactor', () => {
  it.each([
    ['a variable', { env: { A: 'hunter2-hunter2' } }, 'x hunter2-hunter2 y'],
    ['a header, without its scheme too', { headers: { Authorization: 'Token hunter2-hunter2' } }, 'hunter2-hunter2'],
    ['a line of a value of several', { env: { PEM: '---begin---\nhunter2-hunter2\n---end---' } }, 'hunter2-hunter2'],
    ['a value in JSON', { env: { A: 'hun"ter2\\hunter2' } }, JSON.stringify({ a: 'hun"ter2\\hunter2' })],
    ['a value in a URL', { env: { A: 'hunter2/hunter2' } }, `?q=${encodeURIComponent('hunter2/hunter2')}`],
    ['the argument after a flag', { args: ['--api-key', 'hunter2-hunter2'] }, 'started with hunter2-hunter2'],
    ['the value of a flag', { args: ['--token=hunter2-hunter2'] }, 'started with hunter2-hunter2'],
    ['an assignment among the arguments', { args: ['-e', 'API_KEY=hunter2-hunter2'] }, 'key hunter2-hunter2'],
    ['a bearer token', {}, 'Authorization: Bearer hunter2-hunter2'],
    ['a password in a URL', {}, 'postgres://ann:hunter2:hunter2@db/x'],
    ['a key in a URL', {}, 'https://h.example/?a=1&api_key=hunter2-hunter2&b=2'],
  ])('hides %s', (_, config, text) => {
    expect(redactor(config)(text)).toContain('•••');
    expect(redactor(config)(text)).not.toMatch(/ter2/);
  });

  it('hides what looks like a secret, and keeps what stands around it', () => {
    const redact = redactor({ headers: { a: 'Bearer abcdef123', b: 'abcdef123456' } });
    expect(redact('x abcdef123456 y abcdef123 z short')).toBe('x ••• y ••• z short');
    expect(redact('Authorization: Bearer zzzzzzzzzzzz')).toBe('Authorization: Bearer •••');
    expect(redact('GET https://ann:pw@host/x?api_key=123&a=1&token=9')).toBe(
      'GET https://•••@host/x?api_key=•••&a=1&token=•••',
    );
  });

  it.each([16_380, 24_570])('leaves no part of a secret where a text is cut, %i characters before it', (before) => {
    const redact = redactor({ env: { A: 'hunter2-hunter2' } });
    for (const start of ['', 'hunter2-hunter2 '.repeat(100)])
      expect(redact(`${start}${'.'.repeat(before - start.length)}hunter2-hunter2${'.'.repeat(9000)}`)).not.toMatch(
        /hunt/,
      );
  });

  it('leaves ordinary arguments and short values alone', () => {
    const redact = redactor({ args: ['-y', 'some-server', '--verbose', 'folder'], env: { MODE: 'prod' } });
    expect(redact('some-server --verbose folder in prod')).toBe('some-server --verbose folder in prod');
  });

  it.each(['a.', 'a:', '://', '://a:', '?a', '?token', 'bearer ', 'x://a:b'])('is quick with a lot of “%s”', (part) => {
    const began = performance.now();
    expect(redactor({ env: { A: 'hunter2' } })(part.repeat(1_000_000)).length).toBeLessThan(20_000);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
