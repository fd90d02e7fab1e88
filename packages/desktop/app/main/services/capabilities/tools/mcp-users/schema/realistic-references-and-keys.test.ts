import { vi } from 'vitest';
import { type Realistic, worksEverywhere } from './test-support.ts';

// Generous: the machine may be busy with other things.
vi.setConfig({ testTimeout: 120_000 });

/** References, maps and odd names in definitions as published servers send them. */
const DEFINITIONS: Record<string, Realistic> = {
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
};

worksEverywhere(DEFINITIONS);
