import { describe, expect, it } from 'vitest';
import { CUT, type Schema } from './json.ts';
import { PROVIDER_LIMITS } from './provider-limits.ts';
import { renameProperties, wireNamesFor } from './rename-keys.ts';

const { anthropic, google, openai } = PROVIDER_LIMITS;
const wire = (names: string[], limits = google) => Object.fromEntries(wireNamesFor(names, limits));

describe('wireNamesFor', () => {
  it.each<[string, string]>([
    ['$top', 'top'],
    ['a b', 'a_b'],
    ['filter[x]', 'filter_x'],
    ['1st', 'key_1st'],
    ['名前', 'key'],
    ['', 'key'],
    ['😀', 'key'],
    ['a-b', 'a_b'],
    ['k'.repeat(70), 'k'.repeat(64)],
  ])('%j becomes %j for Gemini', (name, expected) => expect(wire([name])).toEqual({ [name]: expected }));

  it('renames only what is refused', () => {
    expect(wire(['a-b', 'a.b', 'x'], anthropic)).toEqual({});
    expect(wire(['a b', '$x', '', '名'], openai)).toEqual({});
    expect(wireNamesFor(['__proto__', 'constructor'], openai)).toEqual(new Map([['__proto__', 'proto']]));
  });

  it('gives no name twice, and none that another property has already, wherever that one stands', () => {
    expect(wire(['$a', 'a', '@a', 'a_2'])).toEqual({ $a: 'a_3', '@a': 'a_4' });
    const long = ['k'.repeat(64), `${'k'.repeat(64)}x`, `${'k'.repeat(64)}y`];
    const names = wireNamesFor(long, google);
    expect([...names.values()]).toEqual([`${'k'.repeat(62)}_2`, `${'k'.repeat(62)}_3`]);
    expect(wireNamesFor(['天気', '天候'], google)).toEqual(
      new Map([
        ['天気', 'key'],
        ['天候', 'key_2'],
      ]),
    );
  });

  it('stays quick when thousands of names clean to one', () => {
    const names = Array.from({ length: 3_000 }, (_, i) => String.fromCodePoint(0x4e00 + i));
    expect(new Set(wireNamesFor(names, google).values()).size).toBe(3_000);
  });
});

describe('renameProperties', () => {
  const names = new Map([['$k', 'k']]);
  const leaf: Schema = { type: 'object', properties: { $k: { type: 'string' } }, required: ['$k'] };
  const told = 'the server\'s name for it: "$k"';
  const renamed: Schema = {
    type: 'object',
    properties: { k: { type: 'string', description: told } },
    required: ['k'],
  };

  it.each<[string, Schema, Schema]>([
    ['items', { items: leaf }, { items: renamed }],
    ['tuples', { prefixItems: [leaf] }, { prefixItems: [renamed] }],
    [
      'unions',
      { anyOf: [leaf], oneOf: [leaf], allOf: [leaf] },
      { anyOf: [renamed], oneOf: [renamed], allOf: [renamed] },
    ],
    ['maps', { additionalProperties: leaf }, { additionalProperties: renamed }],
    ['patterns, which are no names', { patternProperties: { $k: leaf } }, { patternProperties: { $k: renamed } }],
    ['conditions', { not: leaf, if: leaf }, { not: renamed, if: renamed }],
    ['dependent schemas', { dependentSchemas: { $k: leaf } }, { dependentSchemas: { k: renamed } }],
    ['dependent names', { dependentRequired: { $k: ['$k', 'a'] } }, { dependentRequired: { k: ['k', 'a'] } }],
  ])('renames in %s', (_where, schema, expected) => {
    const before = structuredClone(schema);
    expect(renameProperties(schema, names)).toEqual(expected);
    expect(schema).toEqual(before);
  });

  it('leaves values alone, and keeps what marks a cut', () => {
    const schema: Schema = { enum: ['$k'], const: { $k: 1 }, default: { $k: 2 }, examples: [{ $k: 3 }], [CUT]: true };
    expect(renameProperties(schema, names)).toEqual(schema);
    expect(renameProperties(schema, names)[CUT]).toBe(true);
  });

  it('adds the name to the description that there is', () => {
    const schema: Schema = { properties: { $k: { description: 'Key' } } };
    expect(renameProperties(schema, names).properties?.k?.description).toBe(`Key (${told})`);
  });
});
