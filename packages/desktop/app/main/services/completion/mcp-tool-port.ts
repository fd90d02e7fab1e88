import type { MCPCallToolResponse, MCPTool } from '@shared/contracts/mcp-types.ts';
import { keepBounded } from '../capabilities/tools/mcp-users/bound-result.ts';
import { resultForModel } from '../capabilities/tools/mcp-users/result-for-model.ts';
import { restoreToolArguments, setupMcpTools } from '../capabilities/tools/mcp-users/ToolsLoader.ts';
import type { Logger } from '../ports/infrastructure.ts';
import type { ToolFormat } from '../ports/tool-formats.ts';
import type { McpPool, ToolPort, ToolSet } from '../ports/tools.ts';
import type { WholeResults } from '../ports/whole-results.ts';

export interface McpToolPortOptions {
  conversationId: string;
  logger: Logger;
  /** Keeps what is too large for a message. Default: nobody does; it is cut all the same. */
  results?: WholeResults;
  /** Called with names while a request waits for servers that are still connecting, and with null when it goes on. */
  onWaiting: (serverNames: string[] | null) => void;
}

/** A wait shorter than this isn't worth a word. */
const ANNOUNCE_AFTER_MS = 300;

/** The pool's tools for one turn of a conversation. */
export function createMcpToolPort(
  mcpService: McpPool,
  { conversationId, logger, results, onWaiting }: McpToolPortOptions,
): ToolPort {
  /** Servers that this turn has already waited for in vain: they join when they are there, and delay no further request. */
  const waitedFor = new Set<string>();

  async function prepare(format: ToolFormat, signal: AbortSignal): Promise<ToolSet> {
    const late = mcpService.lateServers();
    const waitMs = late.length > 0 && late.every((name) => waitedFor.has(name)) ? 0 : undefined;
    let announced = false;
    const timer = setTimeout(() => {
      const names = mcpService.lateServers();
      announced = names.length > 0;
      if (announced) onWaiting(names);
    }, ANNOUNCE_AFTER_MS);
    try {
      const loaded = await setupMcpTools(
        {
          logger,
          listServerTools: (serverId) => mcpService.listServerTools(serverId, { signal }),
          listAllActiveServerTools: () => mcpService.listAllActiveServerTools({ waitMs, signal }),
        },
        { enabled: true, mode: 'auto' },
        format,
      );
      const lateServers = mcpService.lateServers();
      for (const name of lateServers) waitedFor.add(name);
      return toToolSet(loaded?.tools, loaded?.mcpTools ?? [], lateServers, format);
    } finally {
      clearTimeout(timer);
      if (announced) onWaiting(null);
    }
  }

  return {
    prepare,
    // Ids of calls are unique within a conversation, and the pool serves them all.
    call: async (tool, args, callId, options) => {
      const poolId = JSON.stringify([conversationId, callId]);
      return keepBounded(await mcpService.callTool(tool.serverId, tool.name, args, poolId, options), results);
    },
    resultForModel: cachedResultForModel,
  };
}

const resultsForModel = new WeakMap<MCPCallToolResponse, ReturnType<typeof resultForModel>>();

/** A conversation's results are read again for every request; a result never changes. */
function cachedResultForModel(response: MCPCallToolResponse) {
  const known = resultsForModel.get(response) ?? resultForModel(response);
  resultsForModel.set(response, known);
  return known;
}

function toToolSet(
  tools: ToolSet['tools'],
  mcpTools: readonly MCPTool[],
  lateServers: string[],
  format: ToolFormat,
): ToolSet {
  const byWireName = new Map(mcpTools.map((tool) => [tool.id, tool]));
  const wireNames = new Map(mcpTools.map((tool) => [pairKey(tool.serverId, tool.name), tool.id]));
  return {
    tools,
    find: (wireName) => byWireName.get(wireName),
    restore: (tool, args) => restoreToolArguments(tool, args, format),
    wireName: (serverId, toolName) => wireNames.get(pairKey(serverId, toolName)),
    serverNames: [...new Set(mcpTools.map(({ serverName }) => serverName))],
    lateServers,
  };
}

const pairKey = (serverId: string, toolName: string) => JSON.stringify([serverId, toolName]);
