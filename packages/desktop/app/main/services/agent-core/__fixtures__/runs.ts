import type { AgentPreset, AgentRun } from '@shared/contracts/agent-types.ts';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { McpPool } from '../../ports/tools.ts';
import type { ITool } from '../engine/tinyelf/tools/ITool.ts';

export const preset = (more: Partial<AgentPreset> = {}): AgentPreset => ({
  id: 'p',
  name: 'Tester',
  description: '',
  shipped: false,
  systemPrompt: 'You test.',
  model: null,
  tools: ['Echo', 'Slow'],
  mcpTools: true,
  servers: [],
  mode: 'ask',
  guardian: 'off',
  maxRounds: 50,
  tokenBudget: null,
  ...more,
});

export const agentRun = (workspace: string, more: Partial<AgentPreset> = {}): AgentRun => ({
  preset: preset(more),
  workspace,
  goal: 'Test it',
  mode: 'ask',
});

/** A built-in tool that answers with its arguments, unless `execute` says otherwise. */
export const tool = (name: string, more: Partial<ITool> = {}): ITool => ({
  name,
  description: `Does ${name}`,
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
  execute: async (params) => JSON.stringify(params),
  ...more,
});

/** The listings of a pool, and a wrapping of its tools as the engine's. */
export class FakePool implements Pick<McpPool, 'listAllActiveServerTools' | 'lateServers'> {
  tools: MCPTool[] = [];
  late: string[] = [];
  readonly waits: (number | undefined)[] = [];
  readonly calls: { name: string; params: Record<string, unknown> }[] = [];

  async listAllActiveServerTools({ waitMs }: { waitMs?: number } = {}) {
    this.waits.push(waitMs);
    return this.tools;
  }
  lateServers() {
    return this.late;
  }
  readonly wrap = (mcpTool: MCPTool): ITool => {
    const { serverId, serverName, name: toolName } = mcpTool;
    return tool(mcpTool.id, {
      description: mcpTool.description,
      parameters: mcpTool.inputSchema,
      origin: { serverId, serverName, toolName },
      execute: async (params) => {
        this.calls.push({ name: mcpTool.id, params });
        return `${mcpTool.id} ran`;
      },
    });
  };
}
