import { describe, expect, it } from 'vitest';
import { readCallResult } from './lenient-result.ts';
import { readTool } from './lenient-tools.ts';
import { readToolPages } from './tool-pages.ts';

describe('readCallResult', () => {
  it.each([null, undefined, 'text', 7, [], [{ type: 'text', text: 'x' }]])(
    'keeps a result that is none: %j',
    (result) => {
      expect(readCallResult(result)).toEqual({
        isError: false,
        content: [{ type: 'unknown', originalType: 'result', value: result }],
      });
    },
  );

  it('reads content that is not a list', () => {
    expect(readCallResult({ content: 'text' }).content).toEqual([{ type: 'text', text: 'text' }]);
    expect(readCallResult({ content: { type: 'text', text: 'x' } }).content).toEqual([{ type: 'text', text: 'x' }]);
    expect(readCallResult({ content: null }).content).toEqual([]);
    expect(readCallResult({ toolResult: { a: 1 } }).content).toEqual([{ type: 'text', text: '{"a":1}' }]);
  });

  it('keeps what a server answers in a form of its own', () => {
    for (const own of [{ result: 'x' }, { error: { message: 'boom' } }, { output: [1], ok: true }]) {
      const content = [{ type: 'unknown', originalType: 'result', value: own }];
      expect(readCallResult({ ...own, isError: true, _meta: {} })).toEqual({ isError: true, content });
    }
    expect(readCallResult({ _meta: { a: 1 }, resultType: 'complete' }).content).toEqual([]);
    expect(readCallResult({ structuredContent: {}, more: 1 }).content).toEqual([]);
  });

  it('reads texts that are no text, or of no type', () => {
    const read = (...content: unknown[]) => readCallResult({ content }).content;
    expect(read({ text: 'x' }, { type: null, text: 'y' })).toEqual([
      { type: 'text', text: 'x' },
      { type: 'text', text: 'y' },
    ]);
    expect(read({ type: 'text', text: 7 }, { type: 'text', text: { a: [1] } }, { type: 'text', text: false })).toEqual([
      { type: 'text', text: '7' },
      { type: 'text', text: '{"a":[1]}' },
      { type: 'text', text: 'false' },
    ]);
    expect(read({ type: 'text' }, { type: 'text', text: null })).toMatchObject([
      { type: 'unknown', originalType: 'text' },
      { type: 'unknown', originalType: 'text' },
    ]);
  });

  it('keeps structured content, null and false included', () => {
    for (const structuredContent of [{ n: 3 }, [1], null, false, 0]) {
      expect(readCallResult({ content: [], structuredContent })).toEqual({
        isError: false,
        content: [],
        structuredContent,
      });
    }
    expect(readCallResult({ content: [] })).toEqual({ isError: false, content: [] });
  });

  it('cleans base64, and keeps what is none as it came', () => {
    const image = (data: unknown, mimeType: unknown = 'image/png') =>
      readCallResult({ content: [{ type: 'image', data, mimeType }] }).content[0];
    expect(image('aGVs\nbG8=')).toEqual({ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' });
    expect(image('data:image/png;base64,aGk=')).toMatchObject({ type: 'image', data: 'aGk=' });
    for (const bad of ['', '%%%', 'aGVsb', 'aG=k', 7, null])
      expect(image(bad)).toMatchObject({ type: 'unknown', originalType: 'image' });
    expect(image('aGk=', 7)).toMatchObject({ type: 'unknown' });
    expect(image('data:image/png;base64,aGk=', null)).toEqual({ type: 'image', data: 'aGk=', mimeType: 'image/png' });
    expect(image('data:;base64,aGk=', null)).toMatchObject({ type: 'unknown' });
  });

  it('takes isError for true only when it is', () => {
    expect(readCallResult({ isError: true, content: [] }).isError).toBe(true);
    expect(readCallResult({ isError: 'no', content: [] }).isError).toBe(false);
  });
});

describe('readTool', () => {
  const tool = (more: object) => readTool({ name: 't', inputSchema: { type: 'object' }, ...more });

  it('adds the server’s own word to the description, only where it was given', () => {
    const described = (annotations: unknown, description: unknown = 'Does it.') => tool({ annotations, description });
    expect(described({ readOnlyHint: true })).toMatchObject({ description: 'Does it. (readOnly)' });
    expect(described({ destructiveHint: true })).toMatchObject({ description: 'Does it. (destructive)' });
    expect(described({ readOnlyHint: true, destructiveHint: true })).toMatchObject({
      description: 'Does it. (readOnly)',
    });
    expect(described({ readOnlyHint: false, destructiveHint: true })).toMatchObject({
      description: 'Does it. (destructive)',
    });
    for (const none of [undefined, null, {}, { readOnlyHint: false }, { destructiveHint: 'true' }, 'x', []]) {
      expect(described(none)).toMatchObject({ description: 'Does it.' });
    }
    expect(described({ readOnlyHint: true }, null)).toMatchObject({ description: '(readOnly)' });
  });

  it('takes every schema that can be of an object', () => {
    for (const inputSchema of [
      { type: 'object' },
      { type: ['object', 'null'] },
      { properties: {} },
      { $ref: '#/$defs/A' },
      { anyOf: [] },
      // As Gemini and hand-written servers have it.
      { type: 'OBJECT', properties: {} },
      { type: 'dict' },
      { type: ['Object', null] },
      { type: 'any' },
      { type: null, properties: {} },
    ]) {
      expect(tool({ inputSchema })).toMatchObject({ inputSchema });
    }
  });

  it('rejects a schema that is of something else, and says of what', () => {
    for (const type of ['string', 'ARRAY', ['string', 'null'], 'null']) {
      expect(tool({ inputSchema: { type } })).toMatchObject({ reason: expect.stringContaining(JSON.stringify(type)) });
    }
  });
});

describe('readToolPages', () => {
  it('survives answers that are no list', async () => {
    for (const answer of [null, undefined, 'x', {}, { tools: {} }, { tools: null, nextCursor: false }]) {
      const listed = await readToolPages(async () => answer);
      expect(listed.tools).toEqual([]);
      expect(listed.warnings[0]).toMatch(/without a list/);
    }
  });
});

it('an output schema that is nested too deep, or is none, leaves the tool as one without', () => {
  const inputSchema = { type: 'object' };
  const deep = Array.from({ length: 5000 }).reduce<object>((items) => ({ items }), {});
  for (const outputSchema of [deep, [], 'text', null, true]) {
    expect(readTool({ name: 't', inputSchema, outputSchema })).toMatchObject({ name: 't', outputSchema: undefined });
  }
  expect(readTool({ name: 't', inputSchema, outputSchema: inputSchema })).toMatchObject({ outputSchema: inputSchema });
});

describe('limits of a listing', () => {
  const inputSchema = { type: 'object' };

  it('count rejected tools too, within a page and over pages', async () => {
    const tools = [...Array(6000).keys()].flatMap((n) => [{ name: `bad_${n}` }, { name: `ok_${n}`, inputSchema }]);
    const listed = await readToolPages(async () => ({ tools, nextCursor: 'more' }));
    expect(listed.tools.length + listed.rejected.length).toBe(10_000);
    expect(listed.warnings.length).toBe(1);
  });

  it('are in time, so that a slow server with ever new cursors becomes ready', async () => {
    let page = 0;
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      page++;
      return { tools: [{ name: `t${page}`, inputSchema }], nextCursor: `c${page}` };
    };
    const listed = await readToolPages(slow, { maxMs: 100 });
    expect(listed.tools.length).toBe(page);
    expect(page).toBeLessThan(20);
    expect(listed.warnings).toEqual([expect.stringContaining('too long')]);
  });
});
