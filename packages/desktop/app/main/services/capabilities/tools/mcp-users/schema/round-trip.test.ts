import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, vi } from 'vitest';
import { prepareTool } from './prepare-tool.ts';
import { encode, FORMATS, type Json, makeTool, random } from './test-support.ts';

// Generous: the machine may be busy with other things.
vi.setConfig({ testTimeout: 120_000 });

interface Sample {
  schema: Json;
  /** A value that the schema allows. */
  make(): unknown;
}

const NAMES = [
  'id',
  'a b',
  'a_b',
  'a-b',
  'a.b',
  '$top',
  'top',
  '@type',
  'type',
  '名前',
  '1st',
  'filter[x]',
  'filter_x',
  'required',
  'k'.repeat(70),
];

/** The schema of a tool's arguments, and arguments that it allows. */
function makeRoot(next: () => number): { schema: Json; makeArgs(): Json } {
  const samples = new Map(
    Array.from({ length: 3 }, () => [NAMES[Math.floor(next() * NAMES.length)]!, makeSample(next, 3)]),
  );
  const properties = Object.fromEntries([...samples].map(([key, one]) => [key, one.schema]));
  return {
    schema: { type: 'object', properties },
    makeArgs: () => Object.fromEntries([...samples].map(([key, one]) => [key, one.make()])),
  };
}

/** Well-formed schemas with values that they allow. `level` bounds the nesting. */
function makeSample(next: () => number, level: number): Sample {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const whole = (): number => Math.floor(next() * 1_000);
  const scalars: (() => Sample)[] = [
    () => ({ schema: { type: 'string' }, make: () => pick(['', 'x', '5', '{"a":1}', 'null', 'é😀']) }),
    () => ({ schema: { type: 'integer', minimum: 0 }, make: whole }),
    () => ({ schema: { type: 'number' }, make: () => next() * 10 - 5 }),
    () => ({ schema: { type: 'boolean' }, make: () => next() < 0.5 }),
    () => ({ schema: { enum: [1, 2, 3] }, make: () => pick([1, 2, 3]) }),
    () => ({ schema: { type: 'string', enum: ['a', 'b'] }, make: () => pick(['a', 'b']) }),
    () => ({ schema: { const: 'fixed' }, make: () => 'fixed' }),
    () => ({ schema: { type: ['integer', 'null'] }, make: () => pick([null, 4]) }),
    () => ({
      schema: { type: 'object', additionalProperties: { type: 'integer' } },
      make: () => ({ x: 1, $top: 2, 'a b': 3 }),
    }),
    () => ({ schema: {}, make: () => pick<unknown>([1, 'text', true, [1, 'a'], { $top: 1 }]) }),
  ];
  if (level <= 0 || next() < 0.4) return pick(scalars)();
  const inner = (): Sample => makeSample(next, level - 1);
  const kind = next();
  if (kind < 0.25) {
    const item = inner();
    return {
      schema: { type: 'array', items: item.schema },
      make: () => Array.from({ length: Math.floor(next() * 3) }, item.make),
    };
  }
  if (kind < 0.35) {
    const forms = ['one', 'two'].map((name) => {
      const member = inner();
      const key = pick(NAMES);
      return {
        schema: {
          type: 'object',
          properties: { kind: { const: name }, [key]: member.schema },
          required: ['kind', key],
          additionalProperties: false,
        },
        make: () => ({ kind: name, [key]: member.make() }),
      };
    });
    return { schema: { oneOf: forms.map((form) => form.schema) }, make: () => pick(forms).make() };
  }
  const members = new Map(Array.from({ length: 1 + Math.floor(next() * 4) }, () => [pick(NAMES), inner()]));
  const required = [...members.keys()].filter(() => next() < 0.5);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries([...members].map(([key, one]) => [key, one.schema])),
      required,
    },
    make: () =>
      Object.fromEntries(
        [...members].filter(([key]) => required.includes(key) || next() < 0.7).map(([key, one]) => [key, one.make()]),
      ),
  };
}

/** Compiling what a schema allows is what costs here, so it is done for the generator alone, and not in every round. */
it('makes values that its schemas allow', () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  for (let seed = 1; seed <= 15; seed++) {
    const { schema, makeArgs } = makeRoot(random(seed));
    const validate = ajv.compile(schema);
    for (let n = 0; n < 3; n++)
      expect(validate(makeArgs()), `seed ${seed}: ${ajv.errorsText(validate.errors)}`).toBe(true);
  }
});

it.each(FORMATS)(
  'what a model gives under the names and in the forms of %s comes back as the server wants it',
  (format) => {
    for (let seed = 1; seed <= 150; seed++) {
      const { schema, makeArgs } = makeRoot(random(seed));
      const prepared = prepareTool(format, makeTool(schema));
      for (let n = 0; n < 3; n++) {
        const args = makeArgs();
        const sent = encode(args, prepared.schema as unknown as Json);
        const restored = prepared.restore(sent);
        // Cheaper than `toEqual`, which tells more: only for what is found to differ.
        if (isDeepStrictEqual(restored, args)) continue;
        expect(restored, `seed ${seed}: ${JSON.stringify({ schema, sent })}`).toEqual(args);
      }
    }
  },
);
