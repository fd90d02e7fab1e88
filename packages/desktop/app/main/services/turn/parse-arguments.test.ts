import { describe, expect, it } from 'vitest';
import { parseArguments } from './parse-arguments.ts';

describe('parseArguments', () => {
  it.each(['', '  ', '\n\t', 'null', ' null ', '""', '"  "', '{}'])('takes %j for no arguments', (text) => {
    expect(parseArguments(text)).toEqual({ ok: true, args: {} });
  });

  it.each([
    ['{"a":1}', { a: 1 }],
    [' {"a":{"b":[null]}} ', { a: { b: [null] } }],
    ['{"a":"[[[[{{{{"}', { a: '[[[[{{{{' }],
    ['{"id":"1234567890123456789"}', { id: '1234567890123456789' }],
    ['{"ns":1733000000000000000,"n":-9007199254740992}', { ns: 1_733_000_000_000_000_000, n: -9_007_199_254_740_992 }],
    ['{"pi":3.14159265358979323846,"n":1e100}', { pi: Math.PI, n: 1e100 }],
  ])('reads %j', (text, args) => {
    expect(parseArguments(text)).toEqual({ ok: true, args });
  });

  it.each([
    '{}{}',
    '{"a":1}{"b":2}',
    '[1]',
    '[]',
    '1',
    'true',
    '"hello"',
    '"[1]"',
    '{"a":1',
    '{"a":"',
    "{'a':1}",
    'undefined',
    '{"a":NaN}',
    '"null"',
    '"{\\"a\\":1}"',
    JSON.stringify(JSON.stringify('{}')),
    // The tool would get 1234567890123456800, and null.
    '{"id":1234567890123456789}',
    '{"ids":[{"id":-9007199254740993}]}',
    '{"n":1e400}',
  ])('refuses %j with a reason', (text) => {
    const parsed = parseArguments(text);
    expect(parsed.ok).toBe(false);
    expect(!parsed.ok && parsed.reason).toMatch(/was not run.*JSON object/s);
  });

  it('refuses what is nested so deeply that it could not be stored', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(parseArguments(deep).ok).toBe(false);
    expect(parseArguments(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`).ok).toBe(true);
  });

  it('keeps keys that mean something to JavaScript as plain keys', () => {
    const parsed = parseArguments('{"__proto__":{"polluted":true},"constructor":1}');
    expect(parsed.ok && Object.keys(parsed.args)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
