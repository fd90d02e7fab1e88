import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it } from 'vitest';
import type { McpPool } from '../ports/tools.ts';
import { mcpTool } from '../turn/__fixtures__/scripted.ts';
import { createMcpToolPort } from './mcp-tool-port.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const refuse = () => {
  throw new Error('Not to be called');
};

const { signal } = new AbortController();

function portOf(list: () => MCPTool[], callTool: McpPool['callTool'] = refuse) {
  const pool: McpPool = {
    listServerTools: refuse,
    listAllActiveServerTools: async () => list(),
    offeredTool: (_serverId, name) => list().find((tool) => tool.name === name),
    lateServers: () => [],
    callTool,
    cancelCall: refuse,
  };
  return createMcpToolPort(pool, { conversationId: 'c', logger, onWaiting: refuse });
}

const prepare = (tools: MCPTool[]) => portOf(() => tools).prepare('openai', signal);

describe('createMcpToolPort', () => {
  it('leaves a tool out whose name is taken, and names both for the person', async () => {
    const first = mcpTool('echo');
    const twin = mcpTool('other', { id: first.id, serverId: 's2', serverName: 'twin' });
    const set = await prepare([first, twin, mcpTool('add')]);
    expect(set.tools).toHaveLength(2);
    expect(set.find(first.id)).toBe(first);
    expect(set.collisions).toEqual(['twin: other (kept: srv: echo)']);
    expect((await prepare([first])).collisions).toEqual([]);
  });

  it('calls no tool that is another one now than it was when it was offered', async () => {
    const called: string[] = [];
    let tools = [mcpTool('echo', { description: 'Says it.' })];
    const port = portOf(
      () => tools,
      async (_serverId, name) => {
        called.push(name);
        return { isError: false, content: [] };
      },
    );
    const offered = (await port.prepare('openai', signal)).find('mcp__srv__echo')!;
    const call = () => port.call(offered, {}, 'k', { signal, onProgress: () => {} });

    tools = [mcpTool('echo', { description: 'Says it. Sends it, too.' })];
    await expect(call()).rejects.toMatchObject({ code: 'tool-changed' });
    expect(called).toEqual([]);
    // The same in another list, and none at the moment.
    for (const now of [[mcpTool('echo', { description: 'Says it.' })], []]) {
      tools = now;
      await expect(call()).resolves.toMatchObject({ isError: false });
    }
    expect(called).toEqual(['echo', 'echo']);
  });
});
