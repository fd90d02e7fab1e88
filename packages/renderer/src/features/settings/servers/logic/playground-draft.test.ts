import { describe, expect, it } from 'vitest';
import { adopted, entered, newDraft, type PlaygroundDraft, switched } from './playground-draft.ts';
import { fieldsOf, type Shape } from './schema-fields.ts';

type Json = Record<string, unknown>;
const shapeOf = (schema: unknown, root: Json = {}): Shape | undefined =>
  fieldsOf({ type: 'object', properties: { x: schema }, ...root })?.[0]?.shape;
const argsOf = (draft: PlaygroundDraft) => {
  const found = entered(draft);
  if (!('args' in found)) throw new Error('not readable');
  return found.args;
};
const asJson = (schema: Json, args: unknown): PlaygroundDraft => ({
  ...newDraft(schema),
  mode: 'json',
  json: JSON.stringify(args),
});
const must = <T>(value: T | null): T => {
  if (value === null) throw new Error('null');
  return value;
};

describe('the fields of a schema', () => {
  it.each<[string, unknown, Shape]>([
    ['text', { type: 'string' }, { kind: 'text' }],
    ['text or null', { type: ['string', 'null'] }, { kind: 'text' }],
    ['a union with null', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, { kind: 'number' }],
    ['yes or no', { type: 'boolean' }, { kind: 'boolean' }],
    ['an enum of anything', { enum: ['a', 1, null] }, { kind: 'choice', values: ['a', 1, null] }],
    ['a constant', { const: 'only' }, { kind: 'choice', values: ['only'] }],
    ['a list', { type: 'array', items: { type: 'number' } }, { kind: 'list', item: { kind: 'number' } }],
    ['a list of objects', { type: 'array', items: { type: 'object', properties: { a: {} } } }, { kind: 'json' }],
    ['a list of anything', { type: 'array' }, { kind: 'json' }],
    ['a list of lists', { type: 'array', items: { type: 'array', items: { type: 'string' } } }, { kind: 'json' }],
    ['a real union', { anyOf: [{ type: 'string' }, { type: 'number' }] }, { kind: 'json' }],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }, { kind: 'json' }],
    ['nothing said', {}, { kind: 'json' }],
    ['no schema at all', 7, { kind: 'json' }],
    ['true', true, { kind: 'json' }],
  ])('%s', (_what, schema, shape) => {
    expect(shapeOf(schema)).toEqual(shape);
  });

  it('follow references within the schema, and end where those go in circles or nowhere', () => {
    const $defs = { unit: { enum: ['km'] }, loop: { $ref: '#/$defs/loop' }, 'a/b': { type: 'string' } };
    expect(shapeOf({ $ref: '#/$defs/unit' }, { $defs })).toEqual({ kind: 'choice', values: ['km'] });
    expect(shapeOf({ $ref: '#/$defs/a~1b' }, { $defs })).toEqual({ kind: 'text' });
    for (const $ref of ['#/$defs/loop', '#/$defs/gone', '#/toString', 'https://example.com/x', '#']) {
      expect(shapeOf({ $ref }, { $defs }), $ref).toEqual({ kind: 'json' });
    }
    const tree = { type: 'object', properties: { child: { $ref: '#/$defs/tree' } } };
    expect(JSON.stringify(shapeOf({ $ref: '#/$defs/tree' }, { $defs: { tree } })).length).toBeLessThan(1000);
  });

  it('are null where only JSON can say it, and none where there are no arguments', () => {
    expect(fieldsOf({ type: 'object', oneOf: [{}, {}], properties: { a: {} } })).toBeNull();
    expect(fieldsOf({ type: 'object', properties: [] as unknown as Json })).toBeNull();
    expect(fieldsOf({ type: 'object', additionalProperties: { type: 'string' } })).toBeNull();
    expect(fieldsOf({ type: 'object' })).toEqual([]);
  });
});

const schema: Json = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    note: { type: 'string', default: 'hello' },
    count: { type: 'integer', default: 0 },
    sure: { type: 'boolean' },
    unit: { enum: ['km', 'mi'], default: 'mi' },
    tags: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { lat: { type: 'number' }, name: { type: 'string', default: 'here' } } },
    any: {},
  },
  required: ['text', 'tags'],
};

describe('what is entered', () => {
  it('starts with the defaults, and with what is required', () => {
    expect(argsOf(newDraft(schema))).toEqual({
      text: '',
      note: 'hello',
      count: 0,
      unit: 'mi',
      tags: [],
      place: { name: 'here' },
    });
    expect(newDraft({ type: 'object', anyOf: [] }).mode).toBe('json');
  });

  it.each<[string, Json]>([
    ['what the form can show', { text: 'a\nb', count: 2, sure: false, tags: ['x', ''], place: { lat: 1.5, name: '' } }],
    ['arguments that it has no field for', { text: 'a', tags: [], other: { deep: [1] }, constructor: 1 }],
    ['values of another type', { text: 5, count: 'many', sure: 'maybe', unit: 'ly', tags: 'x', place: [] }],
    ['nulls and empty things', { text: null, note: '', count: null, tags: [null], place: {}, any: null }],
    ['members of an object that it has no field for', { text: '', tags: [], place: { lat: 1, extra: true } }],
    ['numbers as text', { text: '1', count: '2', tags: [3], sure: 'true' }],
    ['no arguments', {}],
  ])('is the same in the form and as JSON: %s', (_what, args) => {
    const form = must(switched(asJson(schema, args), 'form'));
    const required = { text: '', tags: [] };
    expect(argsOf(form)).toEqual({ ...required, ...args });
    expect(argsOf(must(switched(form, 'json')))).toEqual({ ...required, ...args });
  });

  it('keeps the text of the JSON when it says what the form says', () => {
    const draft = { ...asJson(schema, {}), json: '{ "tags":[],   "text":"a" }' };
    expect(must(switched(must(switched(draft, 'form')), 'json')).json).toBe(draft.json);
  });

  it('is not switched while it can’t be read, so that nothing is lost', () => {
    for (const json of ['{"a":', '[]', '"text"', 'null']) {
      const draft = { ...newDraft(schema), mode: 'json' as const, json };
      expect(entered(draft)).toEqual({ unreadable: [] });
      expect(switched(draft, 'form')).toBeNull();
    }
    const draft = newDraft(schema);
    draft.form.members[7] = { as: 'json', text: '{oops' };
    expect(entered(draft)).toEqual({ unreadable: ['any'] });
    expect(switched(draft, 'json')).toBeNull();
  });

  it('survives a definition that changes', () => {
    const draft = must(switched(asJson(schema, { text: 'typed', tags: ['x'] }), 'form'));
    const next = { type: 'object', properties: { text: { type: 'string' }, more: { type: 'number' } } };
    expect(argsOf(adopted(draft, next))).toEqual({ text: 'typed', tags: ['x'] });
    expect(adopted(draft, structuredClone(schema)).form).toBe(draft.form);
    const beyond = adopted(draft, { type: 'object', oneOf: [] });
    expect(beyond.mode).toBe('json');
    expect(argsOf(beyond)).toEqual({ text: 'typed', tags: ['x'] });
    const broken = { ...draft, mode: 'json' as const, json: '{"half' };
    expect(adopted(broken, next)).toMatchObject({ mode: 'json', json: '{"half' });
  });
});
