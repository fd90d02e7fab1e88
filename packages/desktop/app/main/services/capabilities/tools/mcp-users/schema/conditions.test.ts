import { describe, expect, it } from 'vitest';
import { prepareTool } from './prepare-tool.ts';
import { FORMATS, makeTool } from './test-support.ts';

const openai = (schema: unknown) => prepareTool('openai', makeTool(schema));
const gemini = (schema: unknown) => prepareTool('google', makeTool(schema));
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('conditions', () => {
  const about = (on: string, then: object) => ({
    if: { properties: { on: { const: on } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword's name
    then: { properties: then },
  });
  const schema = object(
    { on: { enum: ['a', 'b'] }, as: { type: 'string' } },
    {
      allOf: [
        about('a', { as: { enum: ['x'] }, n: { enum: [1, 2] } }),
        about('b', { as: { enum: ['y'] }, n: { type: 'null' } }),
      ],
    },
  );

  it.each(FORMATS)('at the root restrict nothing by themselves for %s, and bring in what only they know', (format) => {
    const prepared = prepareTool(format, makeTool(schema));
    expect(prepared.schema.properties.as).toEqual({ type: 'string' });
    expect(Object.keys(prepared.schema.properties)).toEqual(['on', 'as', 'n']);
    expect(prepared.description).toContain('if "on" is "a", then "as" is "x"');
    expect(prepared.description).toContain('if "on" is "b", then "as" is "y"');
  });

  it('within are the same where they go into words', () => {
    for (const prepare of [openai, gemini]) {
      const prepared = prepare(
        object({ part: schema, parts: { type: 'array', items: { anyOf: [schema, { type: 'null' }] } } }),
      );
      const { part, parts } = prepared.schema.properties;
      expect(part.properties.as).toEqual({ type: 'string' });
      expect(part.properties.n).toBeDefined();
      expect(JSON.stringify(parts)).toContain('"n":');
    }
    const value = { on: 'a', as: 'x', n: '2' };
    expect(
      gemini(object({ part: schema, parts: { type: 'array', items: schema } })).restore({
        part: value,
        parts: [value],
      }),
    ).toEqual({
      part: { ...value, n: 2 },
      parts: [{ ...value, n: 2 }],
    });
  });

  it('beside properties that are closed as a whole close no branch', () => {
    const part = object({ a: {} }, { anyOf: [object({ b: {} }), object({ c: {} })], unevaluatedProperties: false });
    expect(openai(object({ part })).schema.properties.part.additionalProperties).toBeUndefined();
    const plain = object({ a: {} }, { unevaluatedProperties: false });
    expect(openai(object({ plain })).schema.properties.plain.additionalProperties).toBe(false);
  });
});
