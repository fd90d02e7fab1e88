import { describe, expect, it } from 'vitest';
import type { Decoding } from './gemini-target.ts';
import { CUT, type Schema } from './json.ts';
import { Decoder, Renamer } from './restore.ts';

const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});

describe('Decoder', () => {
  const list: Schema = { type: 'array' };
  const any: Schema = {};
  const level: Schema = { type: 'integer', enum: [1, 2] };
  const nothing: Schema = { type: 'null' };
  const number: Schema = { type: 'number' };
  const text: Schema = { type: 'string' };
  const either: Schema = { anyOf: [list, text] };
  const root = object({ list, any, level, nothing, either, items: { type: 'array', items: level } });
  const decodings = new Map<Schema, Decoding>([
    [list, { kind: 'json' }],
    [any, { kind: 'any' }],
    [
      level,
      {
        kind: 'enum',
        values: new Map([
          ['1', 1],
          ['2', 2],
        ]),
      },
    ],
    [nothing, { kind: 'null' }],
    [either, { kind: 'union', variants: [text, list, number] }],
  ]);
  const decode = (args: object) => new Decoder(decodings).decode(args, root);

  it.each<[string, object, object]>([
    ['JSON text', { list: '[1]' }, { list: [1] }],
    ['JSON text of another type stays a text', { list: '{"a":1}' }, { list: '{"a":1}' }],
    ['what is no JSON stays a text', { list: '[1', any: 'hello' }, { list: '[1', any: 'hello' }],
    ['a value that needs no turning back', { list: [1], any: 5 }, { list: [1], any: 5 }],
    ['any JSON value', { any: '"5"' }, { any: '5' }],
    ['values of an enum', { level: '2', items: ['1', '3', 2] }, { level: 2, items: [1, '3', 2] }],
    ['null', { nothing: '' }, { nothing: null }],
    ['a union: the branch that fits as it is comes first', { either: 'x' }, { either: 'x' }],
    ['a union: JSON text for a branch that wants it', { either: '[1]' }, { either: [1] }],
    ['a union: JSON text that no branch wants', { either: '{"a":1}' }, { either: '{"a":1}' }],
    ['a union: null is null', { either: null }, { either: null }],
    ['keys that nobody knows', { other: '[1]' }, { other: '[1]' }],
  ])('%s', (_name, args, expected) => expect(decode(args)).toEqual(expected));

  it.each<[unknown, object]>([
    ['{"a":1,"b":2}', { a: 1, b: 'own' }],
    [{ a: 1 }, { a: 1, b: 'own' }],
    ['', { b: 'own' }],
    [null, { b: 'own' }],
    ['[1]', { rest: '[1]', b: 'own' }],
    ['{"__proto__":{"x":1}}', JSON.parse('{"__proto__":{"x":1},"b":"own"}')],
  ])('spreads %j beside the others, which win', (rest, expected) => {
    const schema = object({ b: text });
    const decoder = new Decoder(new Map([[schema, { kind: 'rest', property: 'rest' }]]));
    const decoded = decoder.decode({ rest, b: 'own' }, schema);
    expect(JSON.stringify(decoded)).toBe(JSON.stringify(expected));
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('Renamer', () => {
  const renamer = new Renamer(new Map([['$k', 'k']]));
  const k = object({ k: { type: 'string' } });

  it.each<[string, Schema, unknown, unknown]>([
    ['a property', k, { k: 'x' }, { $k: 'x' }],
    ['one that is not declared here', object({}), { k: 'x' }, { k: 'x' }],
    ['one that is only required', { type: 'object', required: ['k'] }, { k: 'x' }, { $k: 'x' }],
    ['one whose own name came as well', k, { k: 'x', $k: 'y' }, { k: 'x', $k: 'y' }],
    ['items', { items: k }, [{ k: 1 }], [{ $k: 1 }]],
    ['a tuple', { prefixItems: [{}, k] }, [{ k: 1 }, { k: 1 }], [{ k: 1 }, { $k: 1 }]],
    ['a map', { additionalProperties: k }, { k: { k: 1 } }, { k: { $k: 1 } }],
    ['a pattern', { patternProperties: { '^x': k } }, { x1: { k: 1 }, y1: { k: 1 } }, { x1: { $k: 1 }, y1: { k: 1 } }],
    ['a branch', { oneOf: [object({ a: { const: 1 } }), k] }, { k: 'x' }, { $k: 'x' }],
    [
      'the branch that fits',
      object({
        v: {
          oneOf: [object({ t: { const: 1 }, m: { additionalProperties: true } }), object({ t: { const: 2 }, m: k })],
        },
      }),
      { v: { t: 2, m: { k: 'x' } } },
      { v: { t: 2, m: { $k: 'x' } } },
    ],
    [
      'below a cut, at any depth',
      object({ c: { [CUT]: true } }),
      { c: { a: [{ k: { k: 1 } }] } },
      { c: { a: [{ $k: { $k: 1 } }] } },
    ],
  ])('gives the name back in %s', (_where, schema, args, expected) => {
    const before = structuredClone(args);
    expect(renamer.rename(args, schema)).toEqual(expected);
    expect(args).toEqual(before);
  });
});
