import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, vi } from 'vitest';
import { prepareTool } from './prepare-tool.ts';
import { encode, expectAccepted, FORMATS, type Json, makeTool } from './test-support.ts';

// Generous: the machine may be busy with other things.
vi.setConfig({ testTimeout: 120_000 });

/** Schemas as published servers send them, with arguments that they allow. */
const REALISTIC: Record<string, { schema: Json; args: Json[] }> = {
  'no arguments': { schema: { type: 'object', properties: {} }, args: [{}] },
  'no arguments, closed': { schema: { type: 'object', additionalProperties: false }, args: [{}] },
  'a bare object': { schema: { type: 'object' }, args: [{}] },
  'one text': {
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    args: [{ text: '5' }, { text: '{"a":1}' }],
  },
  'zod with draft-07': {
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { path: { type: 'string', minLength: 1 }, head: { type: 'number' } },
      required: ['path'],
      additionalProperties: false,
    },
    args: [{ path: '/a', head: 3 }, { path: 'x' }],
  },
  'pydantic optional': {
    schema: {
      type: 'object',
      properties: {
        q: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Q' },
        n: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: 10 },
      },
    },
    args: [{ q: null, n: 2 }, { q: 'a', n: null }, {}],
  },
  'type arrays': {
    schema: {
      type: 'object',
      properties: {
        id: { type: ['string', 'integer'], description: 'Id or number' },
        tags: { type: ['array', 'null'], items: { type: 'string' } },
        any: { type: ['string', 'number', 'boolean', 'object', 'array', 'null'] },
      },
    },
    args: [{ id: 'a', tags: null }, { id: 4, tags: ['x'] }, { any: true }, { any: 2.5 }],
  },
  'integer enum': {
    schema: {
      type: 'object',
      properties: { p: { type: 'integer', enum: [1, 2, 3], default: 2 }, q: { enum: [0.5, 1] } },
      required: ['p'],
    },
    args: [{ p: 1 }, { p: 3, q: 0.5 }],
  },
  'mixed enum': {
    schema: { type: 'object', properties: { m: { enum: ['auto', 1, true, null, ''] } } },
    args: [{ m: 'auto' }, { m: 1 }, { m: true }, { m: null }],
  },
  'objects in an enum': {
    schema: { type: 'object', properties: { m: { enum: [{ a: 1 }, { a: 2 }] } } },
    args: [{ m: { a: 2 } }],
  },
  constants: {
    schema: {
      type: 'object',
      properties: { a: { const: 'x' }, b: { const: 7 }, c: { const: true }, d: { const: null } },
    },
    args: [{ a: 'x', b: 7, c: true, d: null }],
  },
  'a map of texts': {
    schema: {
      type: 'object',
      properties: { env: { type: 'object', additionalProperties: { type: 'string' } } },
      required: ['env'],
    },
    args: [{ env: { A: '1', 'b c': '2' } }, { env: {} }],
  },
  'a map of maps': {
    schema: {
      type: 'object',
      properties: {
        m: { type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'integer' } } },
      },
    },
    args: [{ m: { a: { b: 1 } } }],
  },
  'arguments that are a map': {
    schema: { type: 'object', additionalProperties: { type: 'number' } },
    args: [{ a: 1, b: 2 }, {}],
  },
  'known keys and others': {
    schema: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: { type: 'integer' },
    },
    args: [{ name: 'a', x: 1 }, { name: 'b' }],
  },
  'patternProperties at the root': {
    schema: {
      type: 'object',
      properties: { a: { type: 'string' } },
      patternProperties: { '^x-': { type: 'integer' } },
      additionalProperties: false,
    },
    args: [{ a: 'b', 'x-1': 4 }],
  },
  'free-form values': {
    schema: { type: 'object', properties: { value: {}, rows: { type: 'array', items: {} }, yes: true } },
    args: [{ value: { a: [1] } }, { value: 'text', rows: [1, 'a', null, { b: 2 }] }, { yes: 3 }],
  },
  'nested empty object': {
    schema: { type: 'object', properties: { opts: { type: 'object', properties: {} }, list: { type: 'array' } } },
    args: [{ opts: { a: { b: 1 } }, list: [1, [2]] }, { opts: {} }],
  },
  'array of arrays': {
    schema: {
      type: 'object',
      properties: { grid: { type: 'array', items: { type: 'array', items: { type: 'number' } } } },
    },
    args: [{ grid: [[1, 2], []] }],
  },
  tuple: {
    schema: {
      type: 'object',
      properties: {
        at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], minItems: 2, maxItems: 2 },
      },
    },
    args: [{ at: [1, 2.5] }],
  },
  'tuple of unlike things': {
    schema: {
      type: 'object',
      properties: { t: { type: 'array', prefixItems: [{ type: 'string' }, { enum: [1, 2] }, {}] } },
    },
    args: [{ t: ['a', 2, 'b'] }],
  },
  $defs: {
    schema: {
      type: 'object',
      properties: { who: { $ref: '#/$defs/Person' }, others: { type: 'array', items: { $ref: '#/$defs/Person' } } },
      $defs: {
        Person: { type: 'object', properties: { id: { type: 'string' }, level: { enum: [1, 2] } }, required: ['id'] },
      },
    },
    args: [{ who: { id: 'a', level: 2 }, others: [{ id: 'b' }] }],
  },
  'pointer into properties': {
    schema: {
      type: 'object',
      properties: { a: { type: 'object', properties: { k: { enum: [1, 2] } } }, b: { $ref: '#/properties/a' } },
    },
    args: [{ a: { k: 1 }, b: { k: 2 } }],
  },
  'pointer with escapes': {
    schema: {
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/x~1y%20z' },
        b: { $ref: '#/$defs/t~0' },
        c: { $ref: '#/properties/a%2Fb/items' },
        'a/b': { type: 'array', items: { enum: [7] } },
      },
      $defs: { 'x/y z': { type: 'integer' }, 't~': { type: 'boolean' } },
    },
    args: [{ a: 1, b: false }],
  },
  anchors: {
    schema: {
      type: 'object',
      properties: { a: { $ref: '#pos' }, b: { $ref: 'item.json' } },
      $defs: { P: { $anchor: 'pos', type: 'integer' }, I: { $id: 'item.json', type: 'boolean' } },
    },
    args: [{ a: 4, b: true }],
  },
  'a tree': {
    schema: {
      type: 'object',
      properties: { root: { $ref: '#/$defs/Node' } },
      required: ['root'],
      $defs: {
        Node: {
          type: 'object',
          properties: { v: { type: 'integer' }, kids: { type: 'array', items: { $ref: '#/$defs/Node' } } },
          required: ['v'],
        },
      },
    },
    args: [{ root: { v: 1, kids: [{ v: 2, kids: [{ v: 3, kids: [{ v: 4, kids: [{ v: 5 }] }] }] }] } }],
  },
  'a tree through properties': {
    schema: {
      type: 'object',
      properties: {
        nodes: {
          type: 'array',
          items: {
            type: 'object',
            properties: { n: { type: 'string' }, kids: { type: 'array', items: { $ref: '#/properties/nodes/items' } } },
          },
        },
      },
    },
    args: [{ nodes: [{ n: 'a', kids: [{ n: 'b', kids: [{ n: 'c', kids: [] }] }] }] }],
  },
  'odd keys': {
    schema: {
      type: 'object',
      properties: {
        $top: { type: 'integer' },
        '@type': { type: 'string' },
        'filter[id]': { type: 'string' },
        'filter.name': { type: 'string' },
        'user-id': { type: 'string' },
        user_id: { type: 'string' },
        名前: { type: 'string' },
        '1st': { type: 'boolean' },
        ['k'.repeat(80)]: { type: 'string' },
      },
      required: ['$top', 'user-id', 'user_id'],
    },
    args: [
      {
        $top: 5,
        'user-id': 'a',
        user_id: 'b',
        '@type': 'c',
        'filter[id]': 'd',
        'filter.name': 'e',
        名前: 'f',
        '1st': true,
        ['k'.repeat(80)]: 'g',
      },
    ],
  },
  'odd keys, deep': {
    schema: {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: { type: 'object', properties: { $id: { type: 'string' }, n: { enum: [1, 2] } }, required: ['$id'] },
        },
        either: {
          anyOf: [{ type: 'object', properties: { 'a b': { type: 'string' } }, required: ['a b'] }, { type: 'string' }],
        },
        map: { type: 'object', additionalProperties: { type: 'object', properties: { $v: { type: 'integer' } } } },
        pair: {
          type: 'array',
          prefixItems: [{ type: 'object', properties: { $x: { type: 'string' } } }, { type: 'string' }],
        },
      },
    },
    args: [
      {
        list: [{ $id: 'a', n: 2 }],
        either: { 'a b': 'x' },
        map: { _v: { $v: 1 }, $v: { $v: 2 } },
        pair: [{ $x: 'p' }, 'q'],
      },
      { either: 'text' },
    ],
  },
  'odd keys in a tree': {
    schema: {
      type: 'object',
      properties: { f: { $ref: '#/$defs/F' } },
      $defs: {
        F: {
          type: 'object',
          properties: { $and: { type: 'array', items: { $ref: '#/$defs/F' } }, $eq: { type: 'string' } },
        },
      },
    },
    args: [{ f: { $and: [{ $eq: 'a' }, { $and: [{ $and: [{ $and: [{ $eq: 'b' }] }] }] }] } }],
  },
  'keys named like keywords': {
    schema: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        type: { type: 'string' },
        properties: { type: 'object', properties: { a: { type: 'string' } } },
        required: { type: 'boolean' },
        enum: { type: 'array', items: { type: 'string' } },
      },
      required: ['title', 'type', 'required'],
    },
    args: [{ title: 'a', type: 'b', properties: { a: 'c' }, required: true, enum: ['x'] }],
  },
  'one of two at the root': {
    schema: {
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      anyOf: [{ required: ['id'] }, { required: ['name'] }],
    },
    args: [{ id: 'a' }, { name: 'b' }],
  },
  'actions at the root': {
    schema: {
      oneOf: [
        { type: 'object', properties: { op: { const: 'a' }, x: { enum: [1, 2] } }, required: ['op', 'x'] },
        {
          type: 'object',
          properties: { op: { const: 'b' }, y: { type: 'array', items: { type: 'string' } } },
          required: ['op'],
        },
      ],
    },
    args: [
      { op: 'a', x: 1 },
      { op: 'b', y: ['q'] },
    ],
  },
  'the same key in two branches': {
    schema: {
      type: 'object',
      anyOf: [
        { properties: { to: { type: 'string' } }, required: ['to'] },
        { properties: { to: { type: 'array', items: { type: 'string' } } }, required: ['to'] },
      ],
    },
    args: [{ to: 'a' }, { to: ['a', 'b'] }],
  },
  'allOf at the root': {
    schema: {
      allOf: [{ $ref: '#/$defs/Base' }, { type: 'object', properties: { b: { type: 'integer' } }, required: ['b'] }],
      $defs: { Base: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
    },
    args: [{ a: 'x', b: 1 }],
  },
  'a condition at the root': {
    schema: {
      type: 'object',
      properties: { mode: { enum: ['a', 'b'] } },
      required: ['mode'],
      if: { properties: { mode: { const: 'a' } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword's name
      then: { properties: { x: { type: 'integer' } }, required: ['x'] },
    },
    args: [{ mode: 'a', x: 1 }, { mode: 'b' }],
  },
  'a nested discriminated union': {
    schema: {
      type: 'object',
      properties: {
        when: {
          oneOf: [
            {
              type: 'object',
              properties: { kind: { const: 'once' }, at: { type: 'string', format: 'date-time' } },
              required: ['kind', 'at'],
            },
            {
              type: 'object',
              properties: {
                kind: { const: 'every' },
                n: { type: 'integer', exclusiveMinimum: 0 },
                unit: { enum: ['hour', 'day'] },
              },
              required: ['kind', 'n'],
            },
          ],
        },
      },
    },
    args: [{ when: { kind: 'once', at: '2026-01-01T00:00:00Z' } }, { when: { kind: 'every', n: 2, unit: 'day' } }],
  },
  'a union with a map': {
    schema: {
      type: 'object',
      properties: {
        body: {
          anyOf: [
            { type: 'object', additionalProperties: true },
            { type: 'array', items: { type: 'integer' } },
            { type: 'null' },
          ],
        },
      },
    },
    args: [{ body: { a: 1 } }, { body: [1] }, { body: null }],
  },
  'nested rules about keys': {
    schema: {
      type: 'object',
      properties: {
        who: {
          type: 'object',
          properties: { id: { type: 'integer' }, mail: { type: 'string' } },
          oneOf: [{ required: ['id'] }, { required: ['mail'] }],
        },
      },
    },
    args: [{ who: { id: 1 } }, { who: { mail: 'a' } }],
  },
  'nine levels': {
    schema: {
      type: 'object',
      properties: {
        a: {
          type: 'object',
          properties: {
            b: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  c: {
                    type: 'object',
                    properties: {
                      d: {
                        type: 'array',
                        items: {
                          type: 'object',
                          properties: { e: { type: 'object', properties: { f: { enum: [1, 2] } } } },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
    args: [{ a: { b: [{ c: { d: [{ e: { f: 2 } }] } }] } }],
  },
  'limits of every kind': {
    schema: {
      type: 'object',
      properties: {
        s: { type: 'string', minLength: 1, maxLength: 9, pattern: '^a', format: 'hostname' },
        n: { type: 'number', minimum: 0, maximum: 1, multipleOf: 0.5 },
        l: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          maxItems: 3,
          uniqueItems: true,
          contains: { const: 'x' },
        },
        o: {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          minProperties: 1,
          dependentRequired: { a: ['b'] },
          propertyNames: { maxLength: 1 },
        },
        z: { not: { type: 'string' } },
      },
    },
    args: [{ s: 'abc', n: 0.5, l: ['x', 'y'], o: { a: '1', b: '2' }, z: 4 }],
  },
  'nullable objects': {
    schema: {
      type: 'object',
      properties: { f: { anyOf: [{ $ref: '#/$defs/F' }, { type: 'null' }], description: 'Filter' } },
      $defs: { F: { type: 'object', properties: { k: { type: 'string' }, v: { type: ['string', 'null'] } } } },
    },
    args: [{ f: null }, { f: { k: 'a', v: null } }],
  },
  'big integers and floats': {
    schema: {
      type: 'object',
      properties: { i: { type: 'integer', format: 'int64' }, f: { type: 'number', format: 'float' } },
    },
    args: [{ i: 9007199254740991, f: 1e-7 }],
  },
};

const options = { strict: false, validateFormats: false, logger: false } as const;

describe.each(Object.entries(REALISTIC))('%s', (_name, { schema, args }) => {
  const validate = JSON.stringify(schema).includes('draft-07')
    ? new Ajv(options).compile(schema)
    : new Ajv2020(options).compile(schema);

  it.each(FORMATS)('works with %s', (format) => {
    const before = structuredClone(schema);
    const prepared = prepareTool(format, makeTool(schema));
    expectAccepted({ ...prepared.schema }, format);
    expect(prepared.warnings).toEqual([]);
    for (const original of args) {
      expect(validate(original), JSON.stringify(validate.errors)).toBe(true);
      const sent = encode(original, prepared.schema as unknown as Json);
      const copy = structuredClone(sent);
      const restored = prepared.restore(sent);
      expect(restored).toEqual(original);
      expect(sent).toEqual(copy);
      if (format !== 'google') {
        const check = new Ajv2020(options).compile(prepared.schema);
        expect(check(sent), JSON.stringify(check.errors)).toBe(true);
      }
    }
    expect(schema).toEqual(before);
  });
});

it('covers more than forty definitions', () => {
  expect(Object.keys(REALISTIC).length).toBeGreaterThan(40);
});
