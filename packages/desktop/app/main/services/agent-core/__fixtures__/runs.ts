import type { AgentPreset, AgentRun } from '@shared/contracts/agent-types.ts';
import type { MCPCallToolResponse, MCPTool } from '@shared/contracts/mcp-types.ts';
import type { RunPool } from '../engine/tinyelf/engine-tool-port.ts';
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

/** A pool whose tools all work: what is listed, and what was called. */
export class FakePool implements RunPool {
  tools: MCPTool[] = [];
  late: string[] = [];
  /** Names of tools that are switched off. */
  readonly off = new Set<string>();
  readonly waits: (number | undefined)[] = [];
  readonly calls: { name: string; params: Record<string, unknown> }[] = [];

  async listAllActiveServerTools({ waitMs }: { waitMs?: number } = {}) {
    this.waits.push(waitMs);
    return this.tools;
  }
  offeredTool(serverId: string, name: string): MCPTool | 'off' | undefined {
    if (this.off.has(name)) return 'off';
    return this.tools.find((one) => one.serverId === serverId && one.name === name);
  }
  lateServers() {
    return this.late;
  }
  async callTool(serverId: string, toolName: string, params: Record<string, unknown>): Promise<MCPCallToolResponse> {
    // What isn't listed at the moment is asked of the server all the same.
    const { id } = this.tools.find((one) => one.serverId === serverId && one.name === toolName) ?? { id: toolName };
    this.calls.push({ name: id, params });
    return { isError: false, content: [{ type: 'text', text: `${id} ran` }] };
  }
}
