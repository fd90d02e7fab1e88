import type { MCPCallToolResponse, MCPToolResponseContent } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it } from 'vitest';
import { boundResult, keepBounded } from './bound-result.ts';
import { MAX_RESULT_TEXT, resultForModel } from './result-for-model.ts';

const result = (content: MCPToolResponseContent[], structuredContent?: unknown): MCPCallToolResponse => ({
  isError: false,
  content,
  ...(structuredContent !== undefined && { structuredContent }),
});
const text = (value: string): MCPToolResponseContent => ({ type: 'text', text: value });
const picture: MCPToolResponseContent = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const bound = (response: MCPCallToolResponse) => {
  const cut = boundResult(response);
  if (!cut) throw new Error('not cut');
  return { ...cut, forModel: resultForModel(cut.bounded).text };
};

describe('boundResult', () => {
  it('leaves alone what a model gets in full, said twice or not', () => {
    const rows = { rows: Array.from({ length: 5000 }, (_, index) => `row ${index}`) };
    expect(boundResult(result([text('x'.repeat(MAX_RESULT_TEXT))]))).toBeUndefined();
    expect(boundResult(result([text(JSON.stringify(rows))], rows))).toBeUndefined();
    expect(boundResult(result([]))).toBeUndefined();
  });

  it('keeps beginning and end of each text by its share, and pictures', () => {
    const long = `BEGIN${'x'.repeat(300_000)}END`;
    const { bounded, whole, forModel } = bound(result([text('short'), text(long), picture, text(`A${long}Z`)]));
    expect(bounded.content.map(({ type }) => type)).toEqual(['text', 'text', 'image', 'text']);
    expect(forModel).toMatch(/^short\nBEGINx+\n\[… \d+ characters left out …\]\nx+END\n\[Image: image\/png\]\nABEGIN/);
    expect(forModel.length).toBeLessThanOrEqual(MAX_RESULT_TEXT);
    // Not cut a second time.
    expect(forModel.match(/left out/g)).toHaveLength(2);
    expect(whole).toContain(long);
    expect(whole.length).toBeGreaterThan(600_000);
  });

  it('cuts embedded resources, structured content and what has no known type', () => {
    const long = 'y'.repeat(150_000);
    const { bounded, whole, forModel } = bound(
      result(
        [
          { type: 'resource', resource: { uri: 'file:///a', text: long } },
          { type: 'unknown', originalType: 'hologram', value: { long } },
        ],
        { other: long },
      ),
    );
    expect(bounded.structuredContent).toBeUndefined();
    expect(bounded.content[0]).toMatchObject({ type: 'resource', resource: { uri: 'file:///a' } });
    expect(JSON.stringify(bounded).length).toBeLessThan(MAX_RESULT_TEXT + 1000);
    expect(forModel.length).toBeLessThanOrEqual(MAX_RESULT_TEXT);
    expect(whole.split(long).length - 1).toBe(3);
  });

  it('holds a bounded number of blocks, however small', () => {
    const { bounded } = bound(result(Array.from({ length: 200_000 }, () => text('a'))));
    expect(JSON.stringify(bounded).length).toBeLessThan(500_000);
    expect(bounded.content.at(-1)).toMatchObject({ text: expect.stringContaining('more blocks left out') });
  });

  it('keeps to another limit, and keeps the whole of it where someone does that', () => {
    const kept: string[] = [];
    const results = { keep: (whole: string) => `id${kept.push(whole)}`, find: () => undefined, remove: () => {} };
    const long = result([text(`A${'x'.repeat(2000)}Z`)]);
    expect(keepBounded(long, results)).toBe(long);
    const cut = keepBounded(long, results, 1000);
    expect(cut.whole).toEqual({ id: 'id1', characters: 2002 });
    expect(resultForModel(cut).text.length).toBeLessThanOrEqual(1000);
    expect(kept).toEqual([`A${'x'.repeat(2000)}Z`]);
    expect(keepBounded(long, undefined, 1000).whole).toEqual({ characters: 2002 });
    const many = keepBounded(result(Array.from({ length: 5000 }, () => text('a'))), undefined, 1000);
    expect(many.content).toHaveLength(51);
  });

  it('cuts no character in half', () => {
    const { bounded } = bound(result([text('🦊'.repeat(100_000)), text(`a${'🦊'.repeat(100_000)}`)]));
    expect(JSON.stringify(bounded).isWellFormed()).toBe(true);
    for (const block of bounded.content) expect(block.type === 'text' && block.text.isWellFormed()).toBe(true);
  });

  it('leaves out data for which there is no room, and has it in the file', () => {
    const big = 'A'.repeat(9_000_000);
    const more = 'B'.repeat(9_000_000);
    const { bounded, whole } = bound(
      result([
        { type: 'image', data: big, mimeType: 'image/png' },
        { type: 'audio', data: more, mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'file:///b', mimeType: 'application/zip', blob: more } },
        picture,
      ]),
    );
    expect(bounded.content).toMatchObject([
      { type: 'image', data: big },
      { type: 'text', text: '[audio of 7 MB left out: too large]' },
      { type: 'resource', resource: { uri: 'file:///b', text: '[resource of 7 MB left out: too large]' } },
      picture,
    ]);
    expect(JSON.stringify(bounded).length).toBeLessThan(10_000_000);
    expect(whole).toContain(`data:audio/wav;base64,${more}`);
    expect(whole).toContain(`data:application/zip;base64,${more}`);
    expect(whole).not.toContain(big);
  });

  it('cuts addresses, names and types that are no such thing', () => {
    const long = 'n'.repeat(20_000_000);
    const { bounded, whole } = bound(
      result([
        { type: 'resource_link', uri: 'file:///a', name: long, description: long },
        { type: 'resource', resource: { uri: long, text: 'short' } },
        { type: 'image', data: 'aGk=', mimeType: long },
      ]),
    );
    expect(JSON.stringify(bounded).length).toBeLessThan(50_000);
    expect(bounded.content[1]).toMatchObject({ resource: { text: 'short' } });
    expect(whole).toContain(long);
  });
});

describe('keepBounded', () => {
  it('says where the whole of it is, and keeps the warnings', () => {
    const kept: string[] = [];
    const long = 'x'.repeat(300_000);
    const results = {
      keep: (value: string) => `file-${kept.push(value)}`,
      find: () => undefined,
      remove: () => undefined,
    };
    const warnings = ['It is odd.'];
    const cut = keepBounded({ ...result([text(long)]), warnings }, results);
    expect(cut).toMatchObject({ warnings, whole: { id: 'file-1', characters: 300_000 } });
    expect(kept).toEqual([long]);
    expect(keepBounded(result([text(long)])).whole).toEqual({ characters: 300_000 });
    const short = result([text('short')]);
    expect(keepBounded(short, results)).toBe(short);
  });
});
