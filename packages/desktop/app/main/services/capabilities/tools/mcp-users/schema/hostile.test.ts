import { describe, expect, it, vi } from 'vitest';
import { prepareTool, processSchema } from './prepare-tool.ts';
import { PROVIDER_LIMITS } from './provider-limits.ts';
import { expectAccepted, FORMATS, makeTool, random } from './test-support.ts';

// Generous: the machine may be busy with other things.
vi.setConfig({ testTimeout: 120_000 });

const KEYS = [
  'id',
  'name',
  'type',
  'title',
  'properties',
  'required',
  'items',
  'enum',
  'format',
  'description',
  'default',
];
const ODD_KEYS = [
  '$top',
  '@type',
  'a b',
  'a_b',
  'a-b',
  'a.b',
  '名前',
  '',
  '1st',
  '__proto__',
  'constructor',
  '$ref',
  'x'.repeat(90),
];
const REFS = [
  '#',
  '#/$defs/A',
  '#/$defs/B',
  '#/properties/id',
  '#/$defs/a~1b',
  '#/$defs/c%20d',
  '#named',
  'http://x.test/s.json',
  '#/nope',
  '/',
  '',
];
const TYPES = [
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'null',
  'any',
  'STRING',
  ['string', 'null'],
  ['array', 'object'],
  [],
  7,
  null,
];

/** A schema as a careless, strange or hostile server might send it. */
function makeSchema(next: () => number, depth: number): unknown {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const key = (): string => (next() < 0.75 ? pick(KEYS) : pick(ODD_KEYS));
  const value = (): unknown =>
    pick<unknown>(['a', '', 'b', 1, 2.5, -1, true, false, null, {}, [], { a: 1 }, ['x'], { $ref: '#' }, 'é😀']);
  const inner = (): unknown =>
    depth <= 0 ? pick<unknown>([true, false, {}, { type: 'string' }]) : makeSchema(next, depth - 1);
  const several = <T>(make: () => T, most = 3): T[] => Array.from({ length: Math.floor(next() * (most + 1)) }, make);
  const map = (): unknown => {
    const out: Record<string, unknown> = Object.create(null);
    for (const name of several(key, 4)) out[name] = inner();
    return out;
  };
  const roll = next();
  if (roll < 0.03) return pick<unknown>([true, false, null, 7, 'x', [], undefined]);
  const out: Record<string, unknown> = {};
  if (next() < 0.75) out.type = pick(TYPES);
  const parts: [string, () => unknown][] = [
    ['properties', map],
    ['required', () => several(key)],
    ['required', () => true],
    ['items', inner],
    ['items', () => several(inner)],
    ['prefixItems', () => several(inner)],
    ['additionalItems', inner],
    ['additionalProperties', inner],
    ['patternProperties', map],
    ['propertyNames', inner],
    ['anyOf', () => several(inner)],
    ['oneOf', () => several(inner)],
    ['allOf', () => several(inner)],
    ['not', inner],
    ['if', inner],
    ['then', inner],
    ['else', inner],
    ['enum', () => several(value, 5)],
    ['const', value],
    ['default', value],
    ['examples', () => several(value)],
    ['$ref', () => pick(REFS)],
    ['$anchor', () => 'named'],
    ['$id', () => 'http://x.test/s.json'],
    ['nullable', () => true],
    ['minLength', () => pick<unknown>([0, 1, 5, -1, '3', 1.5])],
    ['minimum', () => pick<unknown>([0, 1.5, '1', Number.NaN])],
    ['exclusiveMinimum', () => pick<unknown>([true, false, 3])],
    ['multipleOf', () => pick<unknown>([0, 2, -1])],
    ['pattern', () => pick<unknown>(['^a', '(', '(?i)x', 3])],
    ['format', () => pick<unknown>(['date-time', 'uri', 'int32', 4])],
    ['description', () => pick<unknown>(['Text', '', 5, 'é😀'])],
    ['title', () => 'Title'],
    ['uniqueItems', () => pick<unknown>([true, 'yes'])],
    ['minItems', () => pick<unknown>([1, -2])],
    ['maxItems', () => pick<unknown>([0, 3])],
    ['dependencies', () => ({ id: ['name'], name: inner() })],
    ['dependentRequired', () => ({ id: ['$top'], $top: 'x' })],
    ['dependentSchemas', map],
    ['contains', inner],
    ['x-vendor', value],
    ['$comment', () => 'c'],
  ];
  const common = parts.slice(0, 5);
  for (let n = Math.floor(next() * 7); n > 0; n--) {
    const [keyword, make] = pick(next() < 0.4 ? common : parts);
    out[keyword] = make();
  }
  return out;
}

function makeRoot(next: () => number): unknown {
  const root = makeSchema(next, 4);
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return root;
  const defs = {
    A: makeSchema(next, 3),
    B: makeSchema(next, 2),
    'a/b': makeSchema(next, 1),
    'c d': makeSchema(next, 1),
  };
  return { ...root, ...(next() < 0.8 && { type: 'object' }), $defs: defs };
}

it.each(FORMATS)('no half of a surrogate pair is left for %s, and its key comes back', (format) => {
  const half = '\ud83d';
  const schema = {
    type: 'object',
    description: half,
    properties: { [half]: { type: 'string', description: `${half} x`, enum: [half, 'b'] }, a: { $ref: `#/${half}` } },
    required: [half],
  };
  const { restore, warnings, ...sent } = prepareTool(format, makeTool(schema, { description: `Does ${half}` }));
  JSON.parse(JSON.stringify([sent, warnings]), (key, value: unknown) => {
    for (const text of [key, value]) if (typeof text === 'string') expect(text.isWellFormed()).toBe(true);
  });
  expect(restore({ [Object.keys(sent.schema.properties)[0]!]: 'b' })).toEqual({ [half]: 'b' });
});

describe('any schema', () => {
  it.each(FORMATS)('becomes one that %s takes, and stays unchanged itself', (format) => {
    for (let seed = 1; seed <= 500; seed++) {
      const schema = makeRoot(random(seed));
      const before = JSON.stringify(schema);
      const prepared = prepareTool(format, makeTool(schema));
      try {
        expectAccepted({ ...prepared.schema }, format);
        expect(prepared.warnings.join()).not.toContain('could not be converted');
        expect(JSON.stringify(schema)).toBe(before);
        expect(JSON.stringify(prepared.schema).length).toBeLessThan(2_000_000);
      } catch (error) {
        throw new Error(`seed ${seed}: ${before}\n${(error as Error).message}`, { cause: error });
      }
    }
  });

  it('never makes restore throw, whatever the arguments are', () => {
    const next = random(99);
    for (let seed = 1; seed <= 200; seed++) {
      const prepared = prepareTool('google', makeTool(makeRoot(random(seed))));
      const args = makeSchema(next, 3);
      const object = typeof args === 'object' && args !== null && !Array.isArray(args) ? args : { value: args };
      const before = JSON.stringify(object);
      const restored = prepared.restore(object as Record<string, unknown>);
      expect(typeof restored).toBe('object');
      expect(JSON.stringify(object)).toBe(before);
    }
  });
});

function nest(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let schema: unknown = { type: 'string' };
  for (let i = 0; i < levels; i++) schema = wrap(schema);
  return schema;
}

function doubling(levels: number): unknown {
  const $defs: Record<string, unknown> = {};
  for (let i = 0; i < levels; i++) {
    const ref = { $ref: `#/$defs/D${i + 1}` };
    $defs[`D${i}`] = { type: 'object', properties: { a: ref, b: ref } };
  }
  $defs[`D${levels}`] = { type: 'string' };
  return { type: 'object', properties: { root: { $ref: '#/$defs/D0' } }, $defs };
}

const circular: Record<string, unknown> = { type: 'object', properties: {} };
(circular.properties as Record<string, unknown>).self = circular;
circular.list = [circular];
const throwing = Object.defineProperty({ type: 'object', properties: { a: { type: 'string' } } }, 'required', {
  enumerable: true,
  get() {
    throw new Error('no');
  },
});
const proxy = new Proxy(
  {},
  {
    ownKeys() {
      throw new Error('no');
    },
  },
);
const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, { type: 'string' }]));

const HOSTILE: [string, unknown][] = [
  ['a circular object', circular],
  ['a getter that throws', throwing],
  ['a proxy that throws', proxy],
  ['10,000 levels of properties', nest(10_000, (x) => ({ type: 'object', properties: { x } }))],
  [
    '10,000 levels of items',
    { type: 'object', properties: { a: nest(10_000, (items) => ({ type: 'array', items })) } },
  ],
  ['10,000 levels of anyOf', nest(10_000, (x) => ({ anyOf: [x, { type: 'null' }] }))],
  ['10,000 levels of allOf', nest(10_000, (x) => ({ allOf: [x] }))],
  ['10,000 levels of not', nest(10_000, (not) => ({ not }))],
  ['2^20 copies when inlined', doubling(20)],
  ['2^200 copies when inlined', doubling(200)],
  ['20,000 properties', { type: 'object', properties: wide }],
  [
    'an enum of 50,000 values',
    { type: 'object', properties: { e: { enum: Array.from({ length: 50_000 }, (_, i) => i) } } },
  ],
  [
    'a description of 5 MB',
    { type: 'object', properties: { e: { type: 'string', description: '😀'.repeat(1_250_000) } } },
  ],
  [
    'unions that multiply',
    {
      type: 'object',
      properties: {
        u: nest(7, (x) => ({ anyOf: Array.from({ length: 12 }, (_, i) => ({ allOf: [x], title: `${i}` })) })),
      },
    },
  ],
  [
    'unions beside unions',
    {
      type: 'object',
      properties: {
        u: {
          anyOf: Array.from({ length: 60 }, (_, i) => ({ const: i })),
          oneOf: Array.from({ length: 60 }, (_, i) => ({ minimum: i })),
        },
      },
    },
  ],
  [
    'a chain of 1,000 references',
    {
      $ref: '#/$defs/0',
      $defs: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [i, { $ref: `#/$defs/${i + 1}` }])),
    },
  ],
  ['itself', { $ref: '#' }],
  ['a reference through a reference', { $ref: '#/$defs/a/b/c', $defs: { a: { $ref: '#/$defs/a/b' } } }],
  ...[null, undefined, 7, 'x', true, false, [], [{}], Symbol('s'), () => 1, new Date(0), new Map()].map(
    (value): [string, unknown] => [String(value) || typeof value, value],
  ),
];

describe.each(FORMATS)('hostile definitions for %s', (format) => {
  it.each(HOSTILE)('%s', (_name, schema) => {
    const prepared = prepareTool(format, makeTool(schema));
    expectAccepted({ ...prepared.schema }, format);
    expect(prepared.warnings.join()).not.toContain('could not be converted');
    expect(JSON.stringify(prepared.schema).length).toBeLessThan(1_000_000);
    expect(prepared.description.length).toBeLessThan(60_000);
    expect(prepared.restore({ x: 1 })).toEqual({ x: 1 });
  });

  it.each(['__proto__', 'constructor', 'toString'])('a property called %s is data and nothing else', (key) => {
    const schema = JSON.parse(`{"type":"object","properties":{"${key}":{"type":"string"}},"required":["${key}"]}`);
    const prepared = prepareTool(format, makeTool(schema));
    const [wire] = Object.keys(prepared.schema.properties);
    expect(prepared.schema.required).toEqual([wire]);
    const restored = prepared.restore({ [wire!]: 'v' });
    expect(Object.keys(restored)).toEqual([key]);
    expect(Object.getPrototypeOf(restored)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).v).toBeUndefined();
  });
});

it('keeps the most of a definition that would explode', () => {
  const { properties } = prepareTool('anthropic', makeTool(doubling(20))).schema;
  expect(properties.root.properties.b.properties.b.type).toBe('object');
});

it('goes as deep as the limits say', () => {
  const levels = PROVIDER_LIMITS.anthropic.maxNesting - 2;
  const deep = prepareTool('anthropic', makeTool(nest(levels, (x) => ({ type: 'object', properties: { x } })))).schema;
  expect(JSON.stringify(deep).match(/"properties"/g)).toHaveLength(levels);
});

it('processSchema is as robust', () => {
  for (const [, schema] of HOSTILE) expect(processSchema(schema).type).toBe('object');
});
