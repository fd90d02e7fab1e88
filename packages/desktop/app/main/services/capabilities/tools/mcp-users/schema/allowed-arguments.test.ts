import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { prepareTool } from './prepare-tool.ts';
import { encode, FORMATS, type Json, makeTool } from './test-support.ts';

// Generous: the machine may be busy with other things.
vi.setConfig({ testTimeout: 120_000 });

/** A schema, values that it allows, and the definitions that it refers to. */
interface Sample {
  schema: Json;
  values: unknown[];
  $defs?: Json;
}

/** The same schemas each time; more were tried with others. */
const SEED = 20_260_728;
const NAMES = ['id', 'name', 'kind', 'mode', 'list', 'type', 'items', 'default', 'title'];
const name = fc.constantFrom(...NAMES);
const fixed = (schema: Json, ...values: unknown[]): Sample => ({ schema, values });

const scalar = fc.constantFrom<Sample>(
  fixed({ type: 'string' }, '', 'x', '5', '{"a":1}', 'null'),
  fixed({ type: 'string', minLength: 1, pattern: '^[a-z]+$', format: 'hostname' }, 'a', 'abc'),
  fixed({ type: 'integer', minimum: 0, exclusiveMaximum: 10 }, 0, 9),
  fixed({ type: 'number', multipleOf: 0.5 }, -0.5, 3),
  fixed({ type: 'boolean' }, true, false),
  fixed({ type: 'null' }, null),
  fixed({}, 1, 'text', null, { a: [1] }, [true]),
  fixed({ enum: ['a', 1, 1.5, true, null, { b: 2 }, [3]] }, 'a', 1, 1.5, true, null, { b: 2 }, [3]),
  fixed({ type: ['string', 'integer', 'null'], minLength: 2, minimum: 3 }, 'ab', 3, null),
  fixed({ type: ['array', 'string'], items: { type: 'integer' }, maxItems: 2 }, [], [1, 2], 'x'),
  fixed({ const: { a: [1, null] } }, { a: [1, null] }),
  fixed({ not: { type: 'string' } }, 1, [], null),
  fixed({ type: 'string', not: { enum: ['no'] } }, 'yes'),
  fixed({ type: 'object', additionalProperties: { type: 'integer' } }, {}, { a: 1, 'b c': 2 }),
  fixed({ type: 'object', patternProperties: { '^.*$': { type: 'integer' } } }, {}, { a: 1, 'b c': 2 }),
);

/** @param tuples in Gemini's form their places are told in words, so that what is sent for one can be read in several ways */
const samples = (tuples: boolean) =>
  fc.letrec<{ any: Sample; object: Sample }>((tie) => {
    const inner = tie('any');
    const pair = fc.tuple(inner, inner);
    const two = fc.uniqueArray(name, { minLength: 2, maxLength: 2 });
    /** Every value of both, as often as the longer of them has one. */
    const zip = (a: Sample, b: Sample, make: (a: unknown, b: unknown) => unknown): unknown[] =>
      Array.from({ length: Math.max(a.values.length, b.values.length) }, (_, i) =>
        make(a.values[i % a.values.length], b.values[i % b.values.length]),
      );
    const joined = (a: Sample, b: Sample) => ({ $defs: { ...a.$defs, ...b.$defs } });
    const object = fc.oneof(
      fc.tuple(two, pair, fc.boolean()).map(([[x, y], [a, b], closed]) => ({
        schema: {
          type: 'object',
          properties: { [x!]: a.schema, [y!]: b.schema },
          required: [x],
          ...(closed && { additionalProperties: false }),
        },
        values: [...zip(a, b, (v, w) => ({ [x!]: v, [y!]: w })), { [x!]: a.values[0] }],
        ...joined(a, b),
      })),
      // Parts that are joined, and what closes all of them.
      fc.tuple(two, pair).map(([[x, y], [a, b]]) => ({
        schema: {
          type: 'object',
          allOf: [{ properties: { [x!]: a.schema } }, { properties: { [y!]: b.schema }, required: [y] }],
          unevaluatedProperties: false,
        },
        values: zip(a, b, (v, w) => ({ [x!]: v, [y!]: w })),
        ...joined(a, b),
      })),
      // Either key, or both.
      fc.tuple(two, pair).map(([[x, y], [a, b]]) => ({
        schema: {
          type: 'object',
          properties: { [x!]: a.schema, [y!]: b.schema },
          anyOf: [{ required: [x] }, { required: [y] }],
        },
        values: [{ [x!]: a.values[0] }, { [y!]: b.values[0] }, { [x!]: a.values[0], [y!]: b.values[0] }],
        ...joined(a, b),
      })),
      // Branches beside properties, closed as a whole.
      fc.tuple(two, pair).map(([[x, y], [a, b]]) => ({
        schema: {
          type: 'object',
          properties: { common: { type: 'string' } },
          anyOf: [
            { properties: { [x!]: a.schema }, required: [x] },
            { properties: { [y!]: b.schema }, required: [y] },
          ],
          unevaluatedProperties: false,
        },
        values: [{ common: 'c', [x!]: a.values[0] }, { [y!]: b.values[0] }],
        ...joined(a, b),
      })),
      fc.tuple(two, pair).map(([[x, y], [a, b]]) => ({
        schema: {
          oneOf: [
            { type: 'object', properties: { is: { const: 'one' }, [x!]: a.schema }, required: ['is', x] },
            { type: 'object', properties: { is: { const: 'two' }, [y!]: b.schema }, required: ['is'] },
          ],
        },
        values: [{ is: 'one', [x!]: a.values[0] }, { is: 'two', [y!]: b.values[0] }, { is: 'two' }],
        ...joined(a, b),
      })),
      // Conditions of two parts about one property, and a property that only a condition knows.
      inner.map((a) => ({
        schema: {
          type: 'object',
          properties: { on: { enum: ['a', 'b'] }, as: { type: 'string' } },
          required: ['on'],
          allOf: [
            {
              if: { properties: { on: { const: 'a' } } },
              // biome-ignore lint/suspicious/noThenProperty: the keyword's name
              then: { properties: { as: { const: 'x' }, only: a.schema } },
            },
            // biome-ignore lint/suspicious/noThenProperty: the keyword's name
            { if: { properties: { on: { const: 'b' } } }, then: { properties: { as: { const: 'y' } } } },
          ],
        },
        values: [{ on: 'b', as: 'y' }, ...a.values.map((only) => ({ on: 'a', as: 'x', only }))],
        $defs: a.$defs,
      })),
      inner.map((a) => ({
        schema: {
          type: 'object',
          properties: { on: { type: 'string' } },
          dependentSchemas: { on: { properties: { only: a.schema }, required: ['only'] } },
        },
        values: [{}, ...a.values.map((only) => ({ on: 'x', only }))],
        $defs: a.$defs,
      })),
      pair.map(([a, b]) => ({
        schema: {
          type: 'object',
          properties: { known: a.schema },
          patternProperties: { '^x-': b.schema, '^y-': { type: 'integer' } },
          additionalProperties: false,
        },
        values: zip(a, b, (v, w) => ({ known: v, 'x-1': w, 'y-1': 7 })),
        ...joined(a, b),
      })),
    );
    const list = inner.map((a) => ({
      schema: { type: 'array', items: a.schema },
      values: [[], a.values],
      $defs: a.$defs,
    }));
    const tuple = fc.oneof(
      pair.map(([a, b]) => ({
        schema: { type: 'array', prefixItems: [a.schema, b.schema], items: false },
        values: zip(a, b, (v, w) => [v, w]),
        ...joined(a, b),
      })),
      pair.map(([a, b]) => ({
        schema: { type: 'array', prefixItems: [a.schema], items: b.schema },
        values: zip(a, b, (v, w) => [v, w, w]),
        ...joined(a, b),
      })),
    );
    const reference = fc.tuple(inner, fc.nat()).map(([a, n]) => ({
      schema: { $ref: `#/$defs/D${n}`, description: 'See there' },
      values: a.values,
      $defs: { [`D${n}`]: a.schema, ...a.$defs },
    }));
    const optional = inner.map((a) => ({
      schema: { anyOf: [a.schema, { type: 'null' }], default: null },
      values: [null, ...a.values],
      $defs: a.$defs,
    }));
    return {
      object,
      any: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        scalar,
        object,
        tuples ? fc.oneof(list, tuple) : list,
        reference,
        optional,
      ),
    };
  });

const options = { strict: false, validateFormats: false, logger: false } as const;

/** Gemini's schema in the words of JSON Schema. */
function fromGemini(schema: Json): Json {
  const { nullable, anyOf, items, properties, ...rest } = schema as Json & { anyOf?: Json[]; properties?: Json };
  const out: Json = {
    ...rest,
    ...(anyOf && { anyOf: anyOf.map(fromGemini) }),
    ...(items !== undefined && { items: fromGemini(items as Json) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, fromGemini(one as Json)])),
    }),
  };
  return nullable ? { anyOf: [out, { type: 'null' }] } : out;
}

it.each(FORMATS)('what a server allows is allowed by what %s is shown, and comes back as it was', (format) => {
  const sample = samples(format !== 'google');
  fc.assert(
    fc.property(sample.object, sample.any, ({ schema, values, $defs }, extra) => {
      // Definitions of one name would be confused with each other.
      fc.pre(Object.keys($defs ?? {}).every((key) => !(key in (extra.$defs ?? {}))));
      const root: Json = { ...schema, $defs: { ...$defs, ...extra.$defs } };
      const nested: Json = {
        type: 'object',
        properties: { first: schema, second: extra.schema },
        $defs: root.$defs,
      };
      const cases: [Json, unknown[]][] = [
        [root, values],
        [nested, extra.values.map((second, i) => ({ first: values[i % values.length], second }))],
      ];
      for (const [input, all] of cases) {
        const prepared = prepareTool(format, makeTool(input));
        expect(prepared.warnings).toEqual([]);
        const shown = format === 'google' ? fromGemini({ ...prepared.schema }) : { ...prepared.schema };
        const check = new Ajv2020(options).compile(shown);
        for (const args of all as Json[]) {
          const sent = encode(args, prepared.schema as unknown as Json);
          if (!check(sent)) throw new Error(JSON.stringify({ input, shown, sent, errors: check.errors }));
          expect(prepared.restore(sent)).toEqual(args);
        }
      }
    }),
    { seed: SEED, numRuns: 40 },
  );
});

it('makes values that its schemas allow', () => {
  fc.assert(
    fc.property(samples(true).any, ({ schema, values, $defs }) => {
      const check = new Ajv2020(options).compile({ ...schema, $defs });
      for (const value of values) if (!check(value)) throw new Error(JSON.stringify({ schema, value }));
    }),
    { seed: SEED, numRuns: 40 },
  );
});
