import { vi } from 'vitest';
import { type Realistic, worksEverywhere } from './test-support.ts';

// Generous: the machine may be busy with other things.
vi.setConfig({ testTimeout: 120_000 });

/** Values, lists and limits in definitions as published servers send them. */
const DEFINITIONS: Record<string, Realistic> = {
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
  'big integers and floats': {
    schema: {
      type: 'object',
      properties: { i: { type: 'integer', format: 'int64' }, f: { type: 'number', format: 'float' } },
    },
    args: [{ i: 9007199254740991, f: 1e-7 }],
  },
};

worksEverywhere(DEFINITIONS);
