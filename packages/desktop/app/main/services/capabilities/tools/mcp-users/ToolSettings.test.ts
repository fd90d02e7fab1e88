import type { McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import type { MCPTool, RejectedTool } from '@shared/contracts/mcp-types.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../ports/errors.ts';
import { wireName } from './naming.ts';
import { ToolSettings, type ToolSettingsOptions } from './ToolSettings.ts';
import { convertMcpToolsToAnthropic, convertMcpToolsToGemini, convertMcpToolsToOpenAI } from './ToolsLoader.ts';

const makeTool = (serverId: string, name: string, more: Partial<MCPTool> = {}): MCPTool => ({
  id: wireName(serverId, name),
  serverId,
  serverName: serverId,
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...more,
});

let lists: Record<string, MCPTool[]>;
let off: Record<string, Set<string>>;
let disabled: string[];
let rejected: Record<string, RejectedTool[]>;
const policies = { policyOf: vi.fn(), setPolicy: vi.fn(), resetServer: vi.fn() };
const events = { emit: vi.fn() };
let settings: ToolSettings;

beforeEach(() => {
  vi.clearAllMocks();
  lists = { a: [makeTool('a', 'one'), makeTool('a', 'two')], b: [makeTool('b', 'three')] };
  off = {};
  disabled = [];
  rejected = {};
  policies.policyOf.mockReturnValue({ policy: 'ask', allowedBefore: false });
  const known = (serverId: string) => {
    if (!lists[serverId]) throw new AppError('not-found', 'Gone.');
    return lists[serverId];
  };
  const mcp: ToolSettingsOptions['mcp'] = {
    listServers: () =>
      Object.keys(lists).map((id) => ({ server: { id, enabled: !disabled.includes(id) } }) as McpServerStatus),
    tools: async (serverId) => ({ tools: known(serverId), rejected: rejected[serverId] ?? [] }),
    toolsOff: (serverId) => off[serverId] ?? new Set(),
    setToolEnabled: async (serverId, toolName, enabled) => {
      off[serverId] = new Set(off[serverId]);
      if (enabled) off[serverId].delete(toolName);
      else off[serverId].add(toolName);
    },
  };
  settings = new ToolSettings({ mcp, policies, events });
});

describe('costs', () => {
  it('are a quarter of the bytes that the model of that format is sent', async () => {
    const wide = makeTool('a', 'wide', { description: 'ä'.repeat(400) });
    lists = { a: [wide] };
    const bytes = (value: unknown) => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);
    expect((await settings.costs('openai')).tokens).toBe(bytes(convertMcpToolsToOpenAI([wide])[0]));
    expect((await settings.costs('anthropic')).tokens).toBe(bytes(convertMcpToolsToAnthropic([wide])[0]));
    expect((await settings.costs('google')).tokens).toBe(
      bytes(convertMcpToolsToGemini([wide])[0]?.functionDeclarations[0]),
    );
    expect((await settings.costs('openai')).tokens).toBeGreaterThan(200);
  });

  it('count what is offered: neither tools nor servers that are switched off', async () => {
    const all = await settings.costs('openai');
    expect(all).toMatchObject({ toolCount: 3, maxTools: 128 });
    expect(all.tokens).toBe(all.servers.reduce((sum, { tokens }) => sum + tokens, 0));
    await settings.setEnabled('a', 'one', false);
    const fewer = await settings.costs('openai');
    expect(fewer.toolCount).toBe(2);
    expect(fewer.tokens).toBeLessThan(all.tokens);
    expect(fewer.servers[0]).toMatchObject({ serverId: 'a', toolCount: 1, offCount: 1 });
    disabled = ['a'];
    expect((await settings.costs('openai')).servers.map(({ serverId }) => serverId)).toEqual(['b']);
    expect((await settings.costs('anthropic')).maxTools).toBeNull();
  });
});

describe('what a provider would refuse or cut', () => {
  it('is counted by server: names, schemas, and tools that nobody can use', async () => {
    const bad = makeTool('a', 'bad', {
      inputSchema: { type: 'object', properties: { bad: { $ref: 'https://example.com/elsewhere' } } },
    });
    lists = { a: [makeTool('a', 'fine'), makeTool('a', 'with space'), bad], b: [] };
    rejected = { b: [{ name: 'x', reason: 'It has no schema.' }] };
    expect((await settings.costs('openai')).servers).toMatchObject([
      { serverId: 'a', toolCount: 3, changedCount: 2, rejectedCount: 0 },
      { serverId: 'b', toolCount: 0, changedCount: 0, rejectedCount: 1 },
    ]);
    await settings.setEnabled('a', 'bad', false);
    expect((await settings.costs('openai')).servers[0]).toMatchObject({ toolCount: 2, changedCount: 1 });
  });
});

describe('the overview', () => {
  it('names every tool in its order, with what was decided about it', async () => {
    await settings.setEnabled('a', 'two', false);
    policies.policyOf.mockImplementation(({ name }: MCPTool) => ({
      policy: name === 'one' ? 'deny' : 'ask',
      allowedBefore: name === 'two',
    }));
    expect(await settings.overview('a', 'openai')).toMatchObject([
      { name: 'one', enabled: true, policy: 'deny', allowedBefore: false, renamed: false },
      { name: 'two', enabled: false, policy: 'ask', allowedBefore: true, renamed: false },
    ]);
    expect(events.emit).toHaveBeenCalledWith({ type: 'mcpTools.changed', payload: { serverId: 'a' } });
  });

  it('does not call a tool renamed for the name of its server', async () => {
    lists = {
      ファイル: [makeTool('ファイル'.repeat(15), 'read_file')],
      'two words': [makeTool('two words', 'x'.repeat(80))],
    };
    expect((await settings.overview('ファイル', 'openai'))[0]?.renamed).toBe(false);
    expect((await settings.overview('two words', 'openai'))[0]?.renamed).toBe(true);
    expect((await settings.costs('openai')).servers.map(({ changedCount }) => changedCount)).toEqual([0, 1]);
  });

  it('says which names had to be changed, and what a format can’t say', async () => {
    lists = {
      a: [
        makeTool('a', 'with space'),
        makeTool('a', 'x'.repeat(80)),
        makeTool('a', 'plain', {
          inputSchema: { type: 'object', properties: { bad: { $ref: 'https://example.com/elsewhere' } } },
        }),
      ],
    };
    const [spaced, long, plain] = await settings.overview('a', 'openai');
    expect([spaced?.renamed, long?.renamed, plain?.renamed]).toEqual([true, true, false]);
    expect(plain?.warnings.length).toBeGreaterThan(0);
  });
});

it('policies belong to definitions: a tool that is not listed can’t get one', async () => {
  const shown = lists.a![0]!;
  await settings.setPolicy('a', 'one', 'allow', shown);
  expect(policies.setPolicy).toHaveBeenCalledWith(lists.a?.[0], 'allow');
  await expect(settings.setPolicy('a', 'gone', 'allow', shown)).rejects.toMatchObject({ code: 'not-found' });
  await expect(settings.setPolicy('gone', 'one', 'deny', shown)).rejects.toMatchObject({ code: 'not-found' });
  settings.resetPolicies('a');
  expect(policies.resetServer).toHaveBeenCalledWith('a');
  expect(events.emit).toHaveBeenCalledTimes(2);
});

it('allows only what the person was shown; denying needs no look', async () => {
  const shown = structuredClone(lists.a![0]!);
  const { title: _none, ...withoutTitle } = { ...shown, title: undefined };
  await settings.setPolicy('a', 'one', 'allow', withoutTitle);
  for (const change of [
    { description: 'Sends everything away' },
    { inputSchema: { type: 'object' } },
    { annotations: { destructiveHint: true } },
    { title: 'Harmless' },
  ]) {
    policies.setPolicy.mockClear();
    lists = { a: [makeTool('a', 'one', change)] };
    await expect(settings.setPolicy('a', 'one', 'allow', shown)).rejects.toMatchObject({ code: 'tool-changed' });
    expect(policies.setPolicy).not.toHaveBeenCalled();
    await settings.setPolicy('a', 'one', 'deny', shown);
    expect(policies.setPolicy).toHaveBeenCalledWith(lists.a![0], 'deny');
  }
});
