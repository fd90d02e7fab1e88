import { vi } from 'vitest';
import { type Realistic, worksEverywhere } from './test-support.ts';

// Generous: the machine may be busy with other things.
vi.setConfig({ testTimeout: 120_000 });

/** Unions and conditions in definitions as published servers send them. */
const DEFINITIONS: Record<string, Realistic> = {
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
  'nullable objects': {
    schema: {
      type: 'object',
      properties: { f: { anyOf: [{ $ref: '#/$defs/F' }, { type: 'null' }], description: 'Filter' } },
      $defs: { F: { type: 'object', properties: { k: { type: 'string' }, v: { type: ['string', 'null'] } } } },
    },
    args: [{ f: null }, { f: { k: 'a', v: null } }],
  },
};

worksEverywhere(DEFINITIONS);
