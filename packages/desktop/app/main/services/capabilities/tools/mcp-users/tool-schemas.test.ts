import type { MCPCallToolResponse, MCPTool } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it } from 'vitest';
import { argumentProblems, withOutputWarnings } from './tool-schemas.ts';

type Json = Record<string, unknown>;

const tool = (more: Partial<MCPTool>): MCPTool => ({
  id: 'mcp__s__t',
  serverId: 's',
  serverName: 's',
  name: 't',
  description: '',
  inputSchema: { type: 'object' },
  ...more,
});
const response = (structuredContent?: unknown, isError = false): MCPCallToolResponse => ({
  isError,
  content: [{ type: 'text', text: 'kept' }],
  ...(structuredContent !== undefined && { structuredContent }),
});
const checked = (outputSchema: Json | undefined, structured?: unknown, isError = false) =>
  withOutputWarnings(tool({ outputSchema }), response(structured, isError));

const sum = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };

describe('results against the output schema', () => {
  it('that fit are given as they are', () => {
    expect(checked(sum, { sum: 3 })).toEqual(response({ sum: 3 }));
    expect(checked(undefined, { any: 1 })).toEqual(response({ any: 1 }));
    expect(withOutputWarnings(undefined, response())).toEqual(response());
  });

  it('that do not fit are given whole, with a warning that says where', () => {
    const result = checked(sum, { sum: 'three' });
    expect(result).toMatchObject(response({ sum: 'three' }));
    expect(result.warnings).toEqual([expect.stringMatching(/“sum” must be a number/)]);
    expect(checked(sum, {}).warnings?.[0]).toMatch(/“sum” is missing/);
    expect(checked(sum).warnings).toEqual(['The tool promises structured content, and sent none.']);
    for (const odd of [null, [], 'text', 0, false]) expect(checked(sum, odd).warnings).toHaveLength(1);
  });

  it('are not asked for in an error', () => {
    expect(checked(sum, undefined, true)).toEqual(response(undefined, true));
    expect(checked(sum, { sum: 'x' }, true).warnings).toBeUndefined();
  });

  it('name at most a few problems, each once and short', () => {
    const properties = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}`, { type: 'number' }]));
    const values = Object.fromEntries(Object.keys(properties).map((name) => [name, 'x']));
    const { warnings } = checked({ type: 'object', properties }, values);
    expect(warnings).toHaveLength(8);
    const long = checked({ type: 'object', additionalProperties: false }, { ['x'.repeat(10_000)]: 1 });
    expect(long.warnings?.[0]?.length).toBeLessThan(600);
  });

  it('of two tools whose schemas have the same $id are each checked by their own', () => {
    const one = { $id: 'https://example.com/result', ...sum };
    const other = { $id: 'https://example.com/result', type: 'object', required: ['name'] };
    expect(checked(one, { sum: 1 }).warnings).toBeUndefined();
    expect(checked(other, { name: 'x' }).warnings).toBeUndefined();
    expect(checked(other, { sum: 1 }).warnings).toHaveLength(1);
    expect(checked({ ...one }, { sum: 1 }).warnings).toBeUndefined();
  });

  it.each<[string, Json]>([
    ['an unknown type', { type: 'objekt' }],
    ['a keyword of the wrong kind', { type: 'object', properties: 'none' }],
    ['a reference to nowhere', { $ref: '#/$defs/gone' }],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['a pattern that is none', { type: 'object', properties: { sum: { type: 'string', pattern: '(' } } }],
    ['an asynchronous schema', { $async: true, type: 'object', required: ['gone'] }],
    ['nullable without a type', { nullable: true }],
    ['a circle', { $ref: '#' }],
  ])('are never lost to a schema with %s', (_what, schema) => {
    const result = checked(schema, { sum: 1 });
    expect(result).toMatchObject(response({ sum: 1 }));
    expect(result.warnings).toEqual([expect.stringContaining('was not checked')]);
  });

  it('are checked against whatever draft the schema names', () => {
    for (const draft of [
      'http://json-schema.org/draft-04/schema#',
      'http://json-schema.org/draft-06/schema#',
      'http://json-schema.org/draft-07/schema#',
      'https://json-schema.org/draft/2019-09/schema',
      'https://json-schema.org/draft/2020-12/schema',
      'https://example.com/what-is-this',
    ]) {
      expect(checked({ $schema: draft, ...sum }, { sum: 1 }).warnings, draft).toBeUndefined();
      expect(checked({ $schema: draft, ...sum }, { sum: '1' }).warnings, draft).toHaveLength(1);
    }
    const pair = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' };
    const items = { properties: { pair: { type: 'array', items: [{ type: 'number' }, { type: 'string' }] } } };
    expect(checked({ ...pair, ...items }, { pair: [1, 'a'] }).warnings).toBeUndefined();
    expect(checked({ ...pair, ...items }, { pair: ['a', 1] }).warnings).toHaveLength(2);
  });

  it('do not hang the app on a pattern that takes years', () => {
    const schema = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
    const startedAt = performance.now();
    const result = checked(schema, { text: `${'a'.repeat(60)}!` });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(result.warnings).toEqual([expect.stringContaining('takes longer than')]);
    // It is not tried again, and checks of others are none the worse for it.
    const secondAt = performance.now();
    const again = withOutputWarnings(tool({ outputSchema: schema }), response({ text: 'aaa' }));
    expect(again.warnings).toEqual([expect.stringContaining('takes longer than')]);
    expect(performance.now() - secondAt).toBeLessThan(900);
    expect(checked(sum, { sum: 1 }).warnings).toBeUndefined();
  });
});

describe('arguments against the input schema', () => {
  it('are described in words', () => {
    const inputSchema = {
      type: 'object',
      properties: { unit: { enum: ['km', 'mi'] }, deep: { type: 'object', properties: { n: { type: 'integer' } } } },
      required: ['unit'],
      additionalProperties: false,
    };
    const problems = (args: Json) => argumentProblems(tool({ inputSchema }), args).map(({ text }) => text);
    expect(problems({ unit: 'km' })).toEqual([]);
    expect(problems({})).toEqual(['“unit” is missing.']);
    expect(problems({ unit: 'm' })).toEqual(['“unit” must be one of these: "km", "mi".']);
    expect(problems({ unit: 'km', deep: { n: 1.5 } })).toEqual(['“deep → n” must be a whole number.']);
    expect(problems({ unit: 'km', other: 1 })).toEqual(['“other” is not one that the tool knows.']);
    const [wrong, missing] = argumentProblems(tool({ inputSchema }), { deep: { n: 'x' } });
    expect(wrong).toEqual({ text: '“deep → n” must be a whole number.', missing: false });
    expect(missing).toEqual({ text: '“unit” is missing.', missing: true });
  });

  it('can’t be faulted by a schema that is of no use', () => {
    expect(argumentProblems(tool({ inputSchema: { type: 'object', properties: 7 } }), { a: 1 })).toEqual([]);
  });
});
