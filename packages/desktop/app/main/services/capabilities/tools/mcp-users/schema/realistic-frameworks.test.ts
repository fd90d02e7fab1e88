import { worksEverywhere } from './test-support.ts';

const D7 = 'http://json-schema.org/draft-07/schema#';

/** Definitions as the frameworks of several languages write them, shortened. */
worksEverywhere({
  'zod 4: a tree': {
    schema: {
      $ref: '#/$defs/__schema0',
      $defs: {
        __schema0: {
          type: 'object',
          properties: { name: { type: 'string' }, kids: { type: 'array', items: { $ref: '#/$defs/__schema0' } } },
          required: ['name', 'kids'],
          additionalProperties: false,
        },
      },
    },
    args: [
      { name: 'a', kids: [{ name: 'b', kids: [] }] },
      {
        name: 'a',
        kids: [{ name: 'b', kids: [{ name: 'c', kids: [{ name: 'd', kids: [{ name: 'e', kids: [] }] }] }] }],
      },
    ],
  },
  "zod 4: a list through '#'": {
    schema: {
      type: 'object',
      properties: { value: { type: 'string' }, next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
      required: ['value', 'next'],
      additionalProperties: false,
    },
    args: [{ value: 'a', next: { value: 'b', next: null } }],
  },
  'zod 3: a map': {
    schema: {
      $schema: D7,
      type: 'object',
      properties: {
        m: {
          type: 'array',
          maxItems: 125,
          items: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], minItems: 2, maxItems: 2 },
        },
      },
    },
    args: [
      {
        m: [
          ['a', 1],
          ['b', 2],
        ],
      },
    ],
  },
  'pydantic: a discriminated union': {
    schema: {
      $defs: {
        Cat: {
          properties: {
            kind: { const: 'cat', title: 'Kind', type: 'string' },
            lives: { title: 'Lives', type: 'integer' },
          },
          required: ['kind', 'lives'],
          title: 'Cat',
          type: 'object',
        },
        Dog: {
          properties: {
            kind: { const: 'dog', default: 'dog', title: 'Kind', type: 'string' },
            good: { default: true, type: 'boolean' },
          },
          title: 'Dog',
          type: 'object',
        },
      },
      properties: {
        pet: {
          discriminator: { mapping: { cat: '#/$defs/Cat', dog: '#/$defs/Dog' }, propertyName: 'kind' },
          oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
          title: 'Pet',
        },
      },
      required: ['pet'],
      title: 'Args',
      type: 'object',
    },
    args: [{ pet: { kind: 'cat', lives: 9 } }, { pet: { kind: 'dog', good: false } }],
  },
  'pydantic: free dictionaries': {
    schema: {
      properties: {
        d: { additionalProperties: true, title: 'D', type: 'object' },
        e: {
          anyOf: [
            { additionalProperties: { type: 'string' }, type: 'object' },
            { items: {}, type: 'array' },
            { type: 'null' },
          ],
          default: null,
        },
      },
      required: ['d'],
      type: 'object',
    },
    args: [
      { d: { x: [1] }, e: { a: 'b' } },
      { d: {}, e: [1, 'a'] },
      { d: {}, e: null },
    ],
  },
  'Go (invopop): a reference at the root': {
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://github.com/x/y/args',
      $ref: '#/$defs/Args',
      $defs: {
        Args: {
          properties: { path: { type: 'string' }, opts: { $ref: '#/$defs/Opts' } },
          additionalProperties: false,
          type: 'object',
          required: ['path'],
        },
        Opts: { properties: { deep: { type: 'boolean' } }, additionalProperties: false, type: 'object' },
      },
    },
    args: [{ path: 'a', opts: { deep: true } }],
  },
  'Go: slices and maps that may be nil': {
    schema: {
      type: 'object',
      properties: {
        tags: { type: ['null', 'array'], items: { type: 'string' } },
        m: { type: ['null', 'object'], additionalProperties: { type: 'integer' } },
        b: { type: ['null', 'array'], items: { type: 'integer', minimum: 0, maximum: 255 } },
        any: true,
        cfg: {
          type: ['null', 'object'],
          properties: { a: { type: 'string' } },
          required: ['a'],
          additionalProperties: false,
        },
      },
      required: ['tags'],
      additionalProperties: false,
    },
    args: [
      { tags: null, m: { a: 1 }, any: 3, cfg: { a: 'x' } },
      { tags: ['x'], m: null, cfg: null },
    ],
  },
  'C#: nullable, and pointers into items': {
    schema: {
      type: 'object',
      properties: {
        when: { type: ['string', 'null'], format: 'date-time', default: null },
        mode: { enum: ['A', 'B', null] },
        items: {
          type: 'array',
          items: {
            type: ['object', 'null'],
            properties: { child: { $ref: '#/properties/items/items' }, n: { type: ['integer', 'null'] } },
          },
        },
        dict: { type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } },
      },
    },
    args: [
      { when: null, mode: null, items: [null, { n: null, child: { n: 2 } }], dict: { a: null, b: 'x' } },
      { mode: 'A', dict: null },
    ],
  },
  'odd keys under any key': {
    schema: {
      type: 'object',
      properties: {
        m: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { 'a.b': { type: 'string' } }, required: ['a.b'] },
        },
      },
    },
    args: [{ m: { 'x.y': { 'a.b': '1' }, z: { 'a.b': '2' } } }],
  },
  GeoJSON: {
    schema: {
      type: 'object',
      properties: {
        geometry: {
          oneOf: [
            {
              type: 'object',
              properties: {
                type: { const: 'Point' },
                coordinates: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 3 },
              },
              required: ['type', 'coordinates'],
            },
            {
              type: 'object',
              properties: {
                type: { const: 'LineString' },
                coordinates: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
              },
              required: ['type', 'coordinates'],
            },
            {
              type: 'object',
              properties: {
                type: { const: 'Polygon' },
                coordinates: {
                  type: 'array',
                  items: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
                },
              },
              required: ['type', 'coordinates'],
            },
          ],
        },
      },
      required: ['geometry'],
    },
    args: [
      { geometry: { type: 'Point', coordinates: [1, 2] } },
      {
        geometry: {
          type: 'LineString',
          coordinates: [
            [1, 2],
            [3, 4],
          ],
        },
      },
      { geometry: { type: 'Polygon', coordinates: [[[1, 2]]] } },
    ],
  },
  'a query language': {
    schema: {
      $defs: {
        Q: {
          type: 'object',
          properties: {
            bool: {
              type: 'object',
              properties: {
                must: { type: 'array', items: { $ref: '#/$defs/Q' } },
                should: { anyOf: [{ $ref: '#/$defs/Q' }, { type: 'array', items: { $ref: '#/$defs/Q' } }] },
              },
            },
            term: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
          },
        },
      },
      type: 'object',
      properties: { query: { $ref: '#/$defs/Q' } },
      required: ['query'],
    },
    args: [
      { query: { bool: { must: [{ term: { a: 'x' } }], should: { term: { b: 1 } } } } },
      { query: { bool: { should: [{ term: { a: true } }] } } },
      { query: { bool: { must: [{ bool: { must: [{ bool: { must: [{ term: { deep: '1' } }] } }] } }] } } },
    ],
  },
  'one key of three types at the root': {
    schema: {
      oneOf: [
        { type: 'object', properties: { v: { type: 'string' } }, required: ['v'] },
        { type: 'object', properties: { v: { type: 'array', items: { type: 'string' } } }, required: ['v'] },
        {
          type: 'object',
          properties: { v: { type: 'object', properties: { k: { type: 'string' } } } },
          required: ['v'],
        },
      ],
    },
    args: [{ v: 'a' }, { v: ['a'] }, { v: { k: 'x' } }],
  },
  'Effect: addresses for any and unknown': {
    schema: {
      $schema: D7,
      type: 'object',
      required: ['a'],
      properties: {
        a: { $id: '/schemas/unknown', title: 'unknown' },
        b: { $id: '/schemas/any', title: 'any' },
        c: { $id: '/schemas/{}', anyOf: [{ type: 'object' }, { type: 'array' }], description: 'x' },
      },
      additionalProperties: false,
    },
    args: [
      { a: [1], b: { x: 1 }, c: [1] },
      { a: 'x', c: { y: 1 } },
    ],
  },
});
