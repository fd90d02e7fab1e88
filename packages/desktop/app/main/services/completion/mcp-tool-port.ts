import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { keepBounded } from '../capabilities/tools/mcp-users/bound-result.ts';
import { resultForModel } from '../capabilities/tools/mcp-users/result-for-model.ts';
import { restoreToolArguments, setupMcpTools } from '../capabilities/tools/mcp-users/ToolsLoader.ts';
import { WaitingListing } from '../capabilities/tools/mcp-users/waiting-listing.ts';
import type { Logger } from '../ports/infrastructure.ts';
import type { ToolFormat } from '../ports/tool-formats.ts';
import type { McpPool, ToolPort, ToolSet } from '../ports/tools.ts';
import type { WholeResults } from '../ports/whole-results.ts';
import { refuseChanged } from '../turn/tool-definition.ts';

export interface McpToolPortOptions {
  conversationId: string;
  logger: Logger;
  /** Keeps what is too large for a message. Default: nobody does; it is cut all the same. */
  results?: WholeResults;
  /** Called with names while a request waits for servers that are still connecting, and with null when it goes on. */
  onWaiting: (serverNames: string[] | null) => void;
}

/** The pool's tools for one turn of a conversation. */
export function createMcpToolPort(
  mcpService: McpPool,
  { conversationId, logger, results, onWaiting }: McpToolPortOptions,
): ToolPort {
  const listing = new WaitingListing(mcpService, onWaiting);

  async function prepare(format: ToolFormat, signal: AbortSignal): Promise<ToolSet> {
    const { tools: listed, lateServers } = await listing.list(signal);
    const loaded = await setupMcpTools(
      {
        logger,
        listServerTools: (serverId) => mcpService.listServerTools(serverId, { signal }),
        listAllActiveServerTools: async () => listed,
      },
      { enabled: true, mode: 'auto' },
      format,
    );
    const mcpTools = loaded?.mcpTools ?? [];
    return { ...toToolSet(loaded?.tools, mcpTools, format), lateServers, collisions: collisionsOf(listed, mcpTools) };
  }

  return {
    prepare,
    // Ids of calls are unique within a conversation, and the pool serves them all.
    call: async (tool, args, callId, options) => {
      refuseChanged(mcpService, tool);
      const poolId = JSON.stringify([conversationId, callId]);
      return keepBounded(await mcpService.callTool(tool.serverId, tool.name, args, poolId, options), results);
    },
    resultForModel,
  };
}

function toToolSet(
  tools: ToolSet['tools'],
  mcpTools: readonly MCPTool[],
  format: ToolFormat,
): Omit<ToolSet, 'lateServers' | 'collisions'> {
  const byWireName = new Map(mcpTools.map((tool) => [tool.id, tool]));
  const wireNames = new Map(mcpTools.map((tool) => [pairKey(tool.serverId, tool.name), tool.id]));
  return {
    tools,
    find: (wireName) => byWireName.get(wireName),
    restore: (tool, args) => restoreToolArguments(tool, args, format),
    wireName: (serverId, toolName) => wireNames.get(pairKey(serverId, toolName)),
    serverNames: [...new Set(mcpTools.map(({ serverName }) => serverName))],
  };
}

/** The tools that were left out, since an earlier one has their name. */
function collisionsOf(listed: readonly MCPTool[], kept: readonly MCPTool[]): string[] {
  if (listed.length === kept.length) return [];
  const byName = new Map(kept.map((tool) => [tool.id, tool]));
  const leftOut = listed.filter((tool) => byName.get(tool.id) !== tool);
  return leftOut.map((tool) => `${nameOf(tool)} (kept: ${nameOf(byName.get(tool.id)!)})`);
}

/** A tool with its server, as the person knows it. */
const nameOf = ({ serverName, name }: MCPTool): string => `${serverName}: ${name}`;

/** Ids of servers are the app's own; no line break is in them. */
const pairKey = (serverId: string, toolName: string) => `${serverId}\n${toolName}`;
