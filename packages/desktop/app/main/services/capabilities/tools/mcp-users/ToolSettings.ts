import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type {
  ServerCost,
  ShownTool,
  ToolCosts,
  ToolPolicy,
  ToolSetting,
} from '@shared/contracts/mcp-tools.contract.ts';
import type { MCPTool, RejectedTool } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../ports/errors.ts';
import type { EventSink } from '../../../ports/events.ts';
import { MAX_TOOLS, type ToolFormat } from '../../../ports/tool-formats.ts';
import type { ToolPolicies } from '../../../ports/tools.ts';
import type { McpService } from './McpService.ts';
import { keepsToolName } from './naming.ts';
import { toolWarnings } from './ToolsLoader.ts';
import { toolTokens } from './tool-costs.ts';

/** Converting a large schema takes milliseconds, and there may be thousands: calls and events go between. */
const WORK_MS = 8;

export interface ToolSettingsOptions {
  mcp: Pick<McpService, 'listServers' | 'tools' | 'toolsOff' | 'setToolEnabled'>;
  policies: ToolPolicies;
  events: EventSink;
}

/** What a person decides about single tools, and what their definitions cost. Reads cached listings and connects nothing. */
export class ToolSettings {
  readonly #mcp: ToolSettingsOptions['mcp'];
  readonly #policies: ToolPolicies;
  readonly #events: EventSink;

  constructor({ mcp, policies, events }: ToolSettingsOptions) {
    this.#mcp = mcp;
    this.#policies = policies;
    this.#events = events;
  }

  /** Every listed tool of a server, in the order of the list. @throws AppError `not-found` */
  async overview(serverId: string, format: ToolFormat): Promise<ToolSetting[]> {
    const { tools } = await this.#mcp.tools(serverId);
    const off = this.#mcp.toolsOff(serverId);
    const settings: ToolSetting[] = [];
    await inPieces(tools, (tool) => {
      settings.push({
        name: tool.name,
        enabled: !off.has(tool.name),
        ...this.#policies.policyOf(tool),
        tokens: toolTokens(tool, format),
        renamed: isRenamed(tool),
        warnings: toolWarnings(tool, format),
      });
    });
    return settings;
  }

  /** What the tools cost that models are offered now, by server and in all. */
  async costs(format: ToolFormat): Promise<ToolCosts> {
    const servers: ServerCost[] = [];
    for (const { server } of this.#mcp.listServers().filter((status) => status.server.enabled)) {
      const { tools, rejected } = await this.#mcp.tools(server.id).catch(ofRemoved);
      if (tools.length === 0 && rejected.length === 0) continue;
      const off = this.#mcp.toolsOff(server.id);
      const offered = tools.filter(({ name }) => !off.has(name));
      let tokens = 0;
      let changedCount = 0;
      await inPieces(offered, (tool) => {
        tokens += toolTokens(tool, format);
        if (isRenamed(tool) || toolWarnings(tool, format).length > 0) changedCount++;
      });
      servers.push({
        serverId: server.id,
        tokens,
        toolCount: offered.length,
        offCount: tools.length - offered.length,
        changedCount,
        rejectedCount: rejected.length,
      });
    }
    const sum = (of: (cost: ServerCost) => number) => servers.reduce((total, cost) => total + of(cost), 0);
    return {
      tokens: sum(({ tokens }) => tokens),
      toolCount: sum(({ toolCount }) => toolCount),
      maxTools: MAX_TOOLS[format] ?? null,
      servers,
    };
  }

  /** @throws AppError `not-found`, `store-failed` */
  async setEnabled(serverId: string, toolName: string, enabled: boolean): Promise<void> {
    await this.#mcp.setToolEnabled(serverId, toolName, enabled);
    this.#changed(serverId);
  }

  /**
   * @param shown what the person decided on; a server may change it at any moment
   * @throws AppError `not-found` for a tool that isn't listed, `tool-changed`, `store-failed`
   */
  async setPolicy(serverId: string, toolName: string, policy: ToolPolicy, shown: ShownTool): Promise<void> {
    const tool = await this.tool(serverId, toolName);
    if (policy === 'allow' && !isShown(tool, shown)) {
      throw new AppError('tool-changed', `The tool “${toolName}” has just been changed by its server.`, {
        hint: 'Look at it again before you allow it.',
      });
    }
    this.#policies.setPolicy(tool, policy);
    this.#changed(serverId);
  }

  /** @throws AppError `store-failed` */
  resetPolicies(serverId: string): void {
    this.#policies.resetServer(serverId);
    this.#changed(serverId);
  }

  /** @throws AppError `not-found` */
  async tool(serverId: string, toolName: string): Promise<MCPTool> {
    const { tools } = await this.#mcp.tools(serverId);
    const tool = tools.find(({ name }) => name === toolName);
    if (tool) return tool;
    throw new AppError('not-found', `The server does not offer a tool “${toolName}” any more.`, {
      hint: 'Refresh its list of tools.',
    });
  }

  #changed(serverId: string): void {
    this.#events.emit({ type: 'mcpTools.changed', payload: { serverId } });
  }
}

const isRenamed = ({ id, name }: MCPTool): boolean => !keepsToolName(id, name);

/** By what they are as JSON: a member that isn't there is as good as one that is undefined. */
const isShown = (tool: ShownTool, shown: ShownTool): boolean => isDeepStrictEqual(asShown(tool), asShown(shown));

const asShown = ({ title, description, inputSchema, annotations }: ShownTool): unknown =>
  JSON.parse(JSON.stringify({ title, description, inputSchema, annotations }));

/** A server that was removed while others were being counted. */
function ofRemoved(error: unknown): { tools: MCPTool[]; rejected: RejectedTool[] } {
  if (error instanceof AppError && error.code === 'not-found') return { tools: [], rejected: [] };
  throw error;
}

async function inPieces(tools: readonly MCPTool[], each: (tool: MCPTool) => void): Promise<void> {
  let since = performance.now();
  for (const tool of tools) {
    each(tool);
    if (performance.now() - since < WORK_MS) continue;
    await nextTurn();
    since = performance.now();
  }
}
