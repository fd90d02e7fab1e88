import { describe, expect, it } from 'vitest';
import type { ProviderTools } from '../ports/tool-formats.ts';
import { mcpTool } from './__fixtures__/scripted.ts';
import { closeTools } from './close-tools.ts';

const TOOLS = ['read_file', 'read_media_file', 'write_file', 'search_files', '天気'].map((name, i) =>
  mcpTool(name, name === '天気' ? { id: `mcp__srv____0000000${i}` } : {}),
);
const parameters = { type: 'object' as const, properties: {}, required: [] };
const FORMS: Record<string, ProviderTools> = {
  openai: TOOLS.map(({ id }) => ({ type: 'function' as const, function: { name: id, description: '', parameters } })),
  anthropic: TOOLS.map(({ id }) => ({ name: id, description: '', input_schema: parameters })),
  google: [{ functionDeclarations: TOOLS.map(({ id }) => ({ name: id, description: '', parameters })) }],
};

describe.each(Object.keys(FORMS))('in the form of %s', (form) => {
  const close = (name: string) =>
    closeTools(name, { tools: FORMS[form], find: (id) => TOOLS.find((t) => t.id === id) });

  it.each([
    ['read_file', 'mcp__srv__read_file'],
    ['readFile', 'mcp__srv__read_file'],
    ['functions.mcp__srv__read_file', 'mcp__srv__read_file'],
    ['mcp__srv__read_file<|channel|>commentary', 'mcp__srv__read_file'],
    ['mcp__other__write_file', 'mcp__srv__write_file'],
    ['mcp__srv__search_file', 'mcp__srv__search_files'],
    ['srv:search_files', 'mcp__srv__search_files'],
    ['天気', 'mcp__srv____00000004'],
  ])('%s may be %s', (name, meant) => {
    expect(close(name)[0]).toBe(meant);
    expect(close(name).length).toBeLessThanOrEqual(3);
  });

  it.each(['', ' ', 'send_mail', 'x'.repeat(10_000), '__proto__'])('%s is like nothing', (name) => {
    expect(close(name)).toEqual([]);
  });
});

it('names nothing where there are no tools', () => {
  expect(closeTools('read_file', { tools: undefined, find: () => undefined })).toEqual([]);
});
