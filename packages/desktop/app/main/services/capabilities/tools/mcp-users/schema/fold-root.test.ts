import { describe, expect, it } from 'vitest';
import { foldRoot, freeArgumentRules } from './fold-root.ts';
import type { Schema } from './json.ts';

const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
const text: Schema = { type: 'string' };

describe('foldRoot', () => {
  it('leaves a plain object as it is', () => {
    const root = object({ a: text }, { required: ['a'], additionalProperties: false, description: 'd' });
    expect(foldRoot(root)).toEqual({ schema: root, rules: [], wrapped: false });
  });

  it('takes what is not an object as one property', () => {
    expect(foldRoot(text)).toEqual({
      schema: object({ value: text }, { required: ['value'] }),
      rules: [],
      wrapped: true,
    });
    expect(foldRoot({ type: ['object', 'null'], properties: { a: text } }).wrapped).toBe(false);
  });

  it('joins branches: all properties, what every branch requires, one enum for the same key', () => {
    const folded = foldRoot({
      oneOf: [
        object({ op: { const: 'a' }, x: text }, { required: ['op', 'x'] }),
        object({ op: { const: 'b' }, y: { type: 'integer' } }, { required: ['op'] }),
      ],
    });
    expect(folded.schema).toEqual(
      object({ op: { enum: ['a', 'b'] }, x: text, y: { type: 'integer' } }, { required: ['op'] }),
    );
    expect(folded.rules).toEqual([
      'use exactly one of these forms: (1) "op" is "a", needs "x"; (2) "op" is "b", may have "y"',
    ]);
  });

  it('says which arguments are alternatives', () => {
    const { schema, rules } = foldRoot(
      object({ id: text, name: text, at: text }, { anyOf: [{ required: ['id'] }, { required: ['name', 'at'] }] }),
    );
    expect(schema.required).toEqual([]);
    expect(rules).toEqual(['give at least one of: "id", or "name" with "at"']);
  });

  it('tells a branch by its description or title, and takes only branches that an object can meet', () => {
    const { schema, rules } = foldRoot({
      anyOf: [
        object({ a: text }, { description: 'By name' }),
        object({ b: text }, { title: 'By id' }),
        { type: 'null' },
      ],
    });
    expect(Object.keys(schema.properties)).toEqual(['a', 'b']);
    expect(rules).toEqual(['use at least one of these forms: (1) By name: may have "a"; (2) By id: may have "b"']);
  });

  it('keeps the description of a property over those of its branches, and narrows it by all of them', () => {
    const { schema } = foldRoot(
      object(
        { k: { type: 'string', description: 'Kind' } },
        { oneOf: [object({ k: { enum: ['a'] } }), object({ k: { enum: ['b'], description: 'b!' } })] },
      ),
    );
    expect(schema.properties.k).toEqual({ type: 'string', enum: ['a', 'b'], description: 'Kind' });
  });

  it('leaves a property alone that only some branches restrict', () => {
    const { schema } = foldRoot(object({ k: text }, { anyOf: [object({ k: { const: 'a' } }), object({ z: text })] }));
    expect(schema.properties).toEqual({ k: text, z: text });
  });

  it('joins allOf with unions inside, and conditions, whose properties are optional', () => {
    const { schema, rules } = foldRoot({
      allOf: [
        object({ a: text }, { required: ['a'] }),
        { anyOf: [{ required: ['b'] }, { required: ['c'] }] },
        object({ b: text, c: text }),
      ],
      if: object({ a: { const: '1' } }),
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: object({ d: text }, { required: ['d'] }),
    });
    expect(schema).toEqual(object({ a: text, b: text, c: text, d: text }, { required: ['a'] }));
    expect(rules).toEqual(['give at least one of: "b", or "c"', 'if "a" is "1", then "d" is string and "d" is given']);
  });

  it('takes names that mean something to JavaScript for names', () => {
    const { schema } = foldRoot({ oneOf: [object({ valueOf: text }), object({ valueOf: text, toString: text })] });
    expect(schema.properties).toEqual({ valueOf: text, toString: text });
  });
});

describe('freeArgumentRules', () => {
  it('tells of arguments that are not listed, and nothing of a closed object', () => {
    expect(freeArgumentRules(object({}, { additionalProperties: { type: 'integer' } }))).toEqual([
      'other keys: integer',
    ]);
    expect(freeArgumentRules(object({}, { additionalProperties: false, patternProperties: { '^x-': text } }))).toEqual([
      'keys that match ^x-: string',
    ]);
    expect(freeArgumentRules(object({}, { additionalProperties: false }))).toEqual([]);
  });
});
