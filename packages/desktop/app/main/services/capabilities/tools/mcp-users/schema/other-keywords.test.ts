import { describe, expect, it } from 'vitest';
import { prepareTool } from './prepare-tool.ts';
import { expectAccepted, FORMATS, type Json, makeTool } from './test-support.ts';

const prepare = (format: (typeof FORMATS)[number], schema: unknown) => prepareTool(format, makeTool(schema));
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe("OpenAPI's discriminator", () => {
  const text = { type: 'string' };
  const schemas = {
    Cat: object({ kind: text, lives: { type: 'integer' } }),
    Dog: object({ kind: { const: 'hound' } }),
    Fish: object({ kind: text }),
  };
  const refs = (...names: string[]) => names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const mapping = { cat: '#/components/schemas/Cat', kitten: 'Cat', dog: 'Dog' };
  const pet = { oneOf: refs('Cat', 'Dog', 'Fish'), discriminator: { propertyName: 'kind', mapping } };

  it('says which value goes with which branch, where the branch does not say it itself', () => {
    const { schema } = prepare('anthropic', { ...object({ pet }), components: { schemas } });
    const kinds = schema.properties.pet.oneOf.map(({ properties, required }: Json) => [properties, required]);
    expect(kinds).toMatchObject([
      [{ kind: { enum: ['cat', 'kitten'] } }, ['kind']],
      [{ kind: { const: 'hound' } }, undefined],
      [{ kind: { enum: ['Fish'] } }, ['kind']],
    ]);
  });

  it('is told where branches are folded into one, and is nothing where it is no discriminator', () => {
    const folded = prepare('google', { ...pet, components: { schemas } });
    expect(folded.schema.properties.kind).toMatchObject({ enum: ['cat', 'kitten', 'hound', 'Fish'] });
    expect(folded.description).toContain('"kind" is "Fish"');
    for (const discriminator of [null, 'kind', {}, { propertyName: 7 }, { propertyName: 'kind', mapping: [] }]) {
      const odd = prepare('openai', { ...object({ pet: { ...pet, discriminator } }), components: { schemas } });
      expect(odd.warnings).toEqual([]);
    }
  });
});

it.each(FORMATS)('the form of JSON within a text is told to %s, and the text goes as it is', (format) => {
  const contentSchema = object({ $n: { type: 'integer', minimum: 1 } }, { required: ['$n'] });
  const config = { type: 'string', contentMediaType: 'application/json', contentSchema, description: 'The settings' };
  const prepared = prepare(format, object({ config }));
  expectAccepted({ ...prepared.schema }, format);
  expect(prepared.schema.properties.config.description).toContain('{"$n": integer (at least 1)}');
  expect(prepared.restore({ config: '{"$n":1}' })).toEqual({ config: '{"$n":1}' });
});

it('what is said of all that nothing else is said of is said of the rest', () => {
  const map = object({ a: {} }, { unevaluatedProperties: { type: 'integer' } });
  const pair = { type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: false };
  const { properties } = prepare('openai', object({ map, pair })).schema;
  expect(properties.map.additionalProperties).toEqual({ type: 'integer' });
  expect(properties.pair).toMatchObject({ maxItems: 1, items: { type: 'string' } });
});
