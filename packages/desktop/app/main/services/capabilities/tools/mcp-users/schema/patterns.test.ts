import { describe, expect, it } from 'vitest';
import { prepareTool } from './prepare-tool.ts';
import { makeTool } from './test-support.ts';

const openai = (schema: unknown) => prepareTool('openai', makeTool(schema));
const anthropic = (schema: unknown) => prepareTool('anthropic', makeTool(schema));
const gemini = (schema: unknown) => prepareTool('google', makeTool(schema));
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('keys by pattern', () => {
  it.each(['^.*$', '^(.*)$', '.*', '^', '', '^.+$', '[\\s\\S]*'])(
    'that every key matches, %j, are a map',
    (pattern) => {
      for (const more of [{}, { additionalProperties: false }]) {
        const schema = object({ m: { type: 'object', patternProperties: { [pattern]: { type: 'number' } }, ...more } });
        for (const prepare of [openai, anthropic]) {
          const map = { type: 'object', properties: {}, additionalProperties: { type: 'number' } };
          expect(prepare(schema).schema.properties.m).toEqual(map);
        }
        expect(gemini(schema).schema.properties.m.description).toContain('{[key: string]: number}');
      }
    },
  );

  it.each<[string, object, unknown, string]>([
    ['in a closed object', { additionalProperties: false }, { type: 'integer' }, 'keys that match ^x-: integer'],
    [
      'beside others',
      { additionalProperties: { type: 'string' } },
      { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      'keys that match ^x-: integer',
    ],
    ['in an open object', {}, true, 'keys that match ^x-: integer'],
  ])('go into words %s, and nothing that they allow is refused', (_where, more, allowed, words) => {
    const part = object({ a: { type: 'string' } }, { patternProperties: { '^x-': { type: 'integer' } }, ...more });
    for (const prepare of [openai, anthropic]) {
      expect(prepare(object({ part })).schema.properties.part).toEqual({
        ...object({ a: { type: 'string' } }),
        additionalProperties: allowed,
        description: words,
      });
    }
  });

  it('that match the empty key alone, or nothing, stay what they are', () => {
    const part = object(
      {},
      { patternProperties: { '^$': { type: 'integer' }, '^x': false }, additionalProperties: false },
    );
    expect(anthropic(object({ part })).schema.properties.part.additionalProperties).toEqual({ type: 'integer' });
    const none = object({}, { patternProperties: { '^x': false }, additionalProperties: false });
    expect(anthropic(object({ none })).schema.properties.none.additionalProperties).toBe(false);
  });

  it('in a negation or a condition take it along into words: the form would refuse more', () => {
    const test = { type: 'object', patternProperties: { '^x': { type: 'integer' } } };
    const { no, maybe } = anthropic(
      object({ no: { not: test }, maybe: { type: 'object', if: test, else: { required: ['a'] } } }),
    ).schema.properties;
    expect(no).toEqual({ description: 'not allowed: {[key: string]: any} (keys that match ^x: integer)' });
    expect(Object.keys(maybe).sort()).toEqual(['additionalProperties', 'description', 'properties', 'type']);
  });
});

it.each<[string, object]>([
  ['(?i)abc', { description: 'matches (?i)abc' }],
  ['(?P<year>\\d+)', { description: 'matches (?P<year>\\d+)' }],
  ['(', { description: 'matches (' }],
  ['^[\\w\\-]+\\@$', { pattern: '^[\\w\\-]+\\@$' }],
  ['\\p{L}+', { pattern: '\\p{L}+' }],
])('the pattern %s is sent only where JSON Schema knows it', (pattern, expected) => {
  expect(anthropic(object({ v: { type: 'string', pattern } })).schema.properties.v).toEqual({
    type: 'string',
    ...expected,
  });
});
