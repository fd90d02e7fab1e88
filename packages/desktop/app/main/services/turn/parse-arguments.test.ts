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
