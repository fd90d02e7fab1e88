import { describe, expect, it } from 'vitest';
import { prepareTool } from './prepare-tool.ts';
import { makeTool } from './test-support.ts';

const gemini = (schema: unknown) => prepareTool('google', makeTool(schema));
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('values that Gemini takes as text', () => {
  const prepared = gemini(
    object({
      n: { type: 'integer', enum: [1, 2] },
      either: { anyOf: [{ type: 'integer', enum: [1, 2] }, { type: 'string' }] },
      rows: { type: 'array', items: object({ n: { enum: [1.5, 2] } }) },
      map: { type: 'object', additionalProperties: object({ n: { enum: [1] } }) },
      empty: { type: 'string', enum: ['', 'a'] },
    }),
  );

  it('are enums of text', () => {
    expect(prepared.schema.properties.n).toEqual({ type: 'string', enum: ['1', '2'] });
    expect(prepared.schema.properties.empty).toEqual({
      type: 'string',
      enum: ['a'],
      description: 'may be an empty text',
    });
  });

  it('are turned back at every depth', () => {
    const args = { n: '2', either: 1, rows: [{ n: '1.5' }, { n: 2 }], map: '{"a":{"n":1}}' };
    expect(prepared.restore(args)).toEqual({ n: 2, either: 1, rows: [{ n: 1.5 }, { n: 2 }], map: { a: { n: 1 } } });
  });

  it('are turned back in the form that they are meant for, a mistake beside them or not', () => {
    const form = (kind: string) =>
      object({ kind: { const: kind }, map: { type: 'object' } }, { required: ['kind'], additionalProperties: false });
    const { restore } = gemini(object({ how: { oneOf: [form('a'), form('b'), { type: 'string' }] } }));
    const map = { x: 1 };
    expect(restore({ how: { kind: 'b', map: '{"x":1}', more: 1 } })).toEqual({ how: { kind: 'b', map, more: 1 } });
    expect(restore({ how: { kind: 'c', map: '{"x":1}' } })).toEqual({ how: { kind: 'c', map: '{"x":1}' } });
  });

  it('stay as they are where they may be meant so', () => {
    expect(prepared.restore({ either: '1', n: '3', map: '[]' })).toEqual({ either: '1', n: '3', map: '[]' });
  });
});

describe('tuples on Gemini', () => {
  it('allow what every place allows, and what follows', () => {
    const at = { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'boolean' } };
    expect(gemini(object({ at })).schema.properties.at.items).toEqual({
      anyOf: [{ type: 'string' }, { type: 'boolean' }],
    });
  });

  it('are turned back by their places', () => {
    const map = { type: 'object', additionalProperties: { type: 'integer' } };
    const at = { type: 'array', prefixItems: [{ type: 'string' }, { enum: [1, 2] }], items: map };
    const text = '{"a":1}';
    expect(gemini(object({ at })).restore({ at: [text, '2', text, text] })).toEqual({
      at: [text, 2, { a: 1 }, { a: 1 }],
    });
    // Where any value may stand at one place, all come as JSON text.
    const open = { type: 'array', prefixItems: [{ type: 'string' }], items: true };
    expect(gemini(object({ open })).restore({ open: ['a', '5'] })).toEqual({ open: ['a', 5] });
    const any = { type: 'array', prefixItems: [{}, { type: 'string' }] };
    expect(gemini(object({ any })).restore({ any: ['1', '"x"'] })).toEqual({ any: [1, 'x'] });
  });
});
