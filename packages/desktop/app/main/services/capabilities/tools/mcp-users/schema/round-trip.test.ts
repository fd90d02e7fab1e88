import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, vi } from 'vitest';
import { prepareTool } from './prepare-tool.ts';
import { encode, expectAccepted, FORMATS, type Json, makeTool, random } from './test-support.ts';

// Generous: the machine may be busy with other things.
vi.setConfig({ testTimeout: 60_000 });

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

it.each(FORMATS)(
  'what a model gives under the names and in the forms of %s comes back as the server wants it',
  (format) => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    for (let seed = 1; seed <= 120; seed++) {
      const next = random(seed);
      const samples = new Map(
        Array.from({ length: 3 }, () => [NAMES[Math.floor(next() * NAMES.length)]!, makeSample(next, 3)]),
      );
      const schema: Json = {
        type: 'object',
        properties: Object.fromEntries([...samples].map(([key, one]) => [key, one.schema])),
      };
      const prepared = prepareTool(format, makeTool(schema));
      const validate = ajv.compile(schema);
      for (let n = 0; n < 3; n++) {
        const args: Json = Object.fromEntries([...samples].map(([key, one]) => [key, one.make()]));
        const sent = encode(args, prepared.schema as unknown as Json);
        try {
          expectAccepted({ ...prepared.schema }, format);
          expect(prepared.restore(sent)).toEqual(args);
          expect(validate(prepared.restore(sent))).toBe(true);
        } catch (error) {
          throw new Error(`seed ${seed}: ${JSON.stringify({ schema, args, sent })}\n${(error as Error).message}`, {
            cause: error,
          });
        }
      }
    }
  },
);
