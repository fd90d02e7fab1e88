import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it } from 'vitest';
import type { McpPool } from '../ports/tools.ts';
import { mcpTool } from '../turn/__fixtures__/scripted.ts';
import { createMcpToolPort } from './mcp-tool-port.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const refuse = () => {
  throw new Error('Not to be called');
};

function prepare(tools: MCPTool[]) {
  const pool: McpPool = {
    listServerTools: refuse,
    listAllActiveServerTools: async () => tools,
    lateServers: () => [],
    callTool: refuse,
    cancelCall: refuse,
  };
  const port = createMcpToolPort(pool, { conversationId: 'c', logger, onWaiting: refuse });
  return port.prepare('openai', new AbortController().signal);
}

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
});
