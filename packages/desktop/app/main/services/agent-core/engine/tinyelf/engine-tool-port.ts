import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { keepBounded } from '../../../capabilities/tools/mcp-users/bound-result.ts';
import { resultForModel } from '../../../capabilities/tools/mcp-users/result-for-model.ts';
import { convertMcpTools, restoreToolArguments } from '../../../capabilities/tools/mcp-users/ToolsLoader.ts';
import { ToolSetReuse } from '../../../capabilities/tools/mcp-users/tool-set-reuse.ts';
import { WaitingListing } from '../../../capabilities/tools/mcp-users/waiting-listing.ts';
import { cutMiddle } from '../../../ports/cut-middle.ts';
import { AppError } from '../../../ports/errors.ts';
import type { ToolFormat } from '../../../ports/tool-formats.ts';
import type { McpPool, ToolPort, ToolSet } from '../../../ports/tools.ts';
import type { WholeResults } from '../../../ports/whole-results.ts';
import { refuseChanged } from '../../../turn/tool-definition.ts';
import { cutDiff } from './tools/files/change-file.ts';
import type { ITool } from './tools/ITool.ts';
import { loadMcpTools, McpToolAdapter } from './tools/McpToolAdapter.ts';
import { ToolRegistry } from './tools/ToolRegistry.ts';
import { BUILTIN_SERVER_ID, BUILTIN_SERVER_NAME, toMcpTool } from './tools/to-mcp-tool.ts';

/** What a result may hold, in bytes of UTF-8; the rest is kept in a file. */
export const MAX_TOOL_RESULT = 50 * 1024;

/** The person's own servers, as far as a run uses them. */
export type RunPool = Pick<McpPool, 'listAllActiveServerTools' | 'offeredTool' | 'lateServers' | 'callTool'>;

export interface EngineToolPortOptions {
  conversationId: string;
  /** What the run has in each of its requests: built-in tools, and those of servers of its own. */
  own: readonly ITool[];
  /** The person's own servers; undefined for a run that doesn't use them. */
  mcpService: RunPool | undefined;
  /** Keeps what is too large for a message. Default: nobody does; it is cut all the same. */
  results?: WholeResults;
  /** Called with names while a request waits for servers that are still connecting, and with null when it goes on. */
  onWaiting: (serverNames: string[] | null) => void;
}

/** A port over tools of the engine, which also tells which of them one is that the turn knows as an MCPTool. */
export interface EngineToolPort extends ToolPort {
  toolOf(tool: MCPTool): ITool | undefined;
}

/**
 * The tools of one turn of a run. They are put together for every request: a server that has connected since the last one,
 * or has other tools now, counts in the next.
 */
export function createEngineToolPort({
  conversationId,
  own,
  mcpService,
  results,
  onWaiting,
}: EngineToolPortOptions): EngineToolPort {
  const listing = mcpService && new WaitingListing(mcpService, onWaiting);
  const tools = new WeakMap<MCPTool, ITool>();
  const reuse = new ToolSetReuse<Promise<Omit<ToolSet, 'lateServers'>>>();

  async function prepare(format: ToolFormat, signal: AbortSignal): Promise<ToolSet> {
    const { tools: pooled, lateServers } = (await listing?.list(signal)) ?? { tools: [], lateServers: [] };
    return { ...(await reuse.get(pooled, format, () => assemble(pooled, format))), lateServers };
  }

  async function assemble(pooled: readonly MCPTool[], format: ToolFormat): Promise<Omit<ToolSet, 'lateServers'>> {
    const registry = new ToolRegistry();
    registry.registerAll(own);
    if (mcpService) {
      const serverIds = pooled.map(({ serverId }) => serverId);
      registry.registerAll(await loadMcpTools(listedPool(pooled, mcpService), serverIds));
    }
    const ofPool = new Map(pooled.map((tool) => [pairKey(tool.serverId, tool.name), tool]));
    const listed = registry.getAll().map((tool) => {
      const { origin } = tool;
      // What is approved and shown is the pool's own tool, annotations and all.
      const mcpTool = (origin && ofPool.get(pairKey(origin.serverId, origin.toolName))) ?? toMcpTool(tool);
      tools.set(mcpTool, tool);
      return mcpTool;
    });
    return toToolSet(listed, registry, format);
  }

  return {
    prepare,
    toolOf: (tool) => tools.get(tool),
    call: async (mcpTool, args, callId, options) => {
      const tool = tools.get(mcpTool);
      if (!tool) throw new AppError('unknown-tool', `There is no tool ${mcpTool.id} any more.`);
      if (mcpService && tool instanceof McpToolAdapter) refuseChanged(mcpService, mcpTool);
      const poolCallId = JSON.stringify([conversationId, callId]);
      const text = await execute(tool, args, { ...options, callId, poolCallId });
      const response = { isError: text.startsWith('Error'), content: [{ type: 'text' as const, text }] };
      return keepBounded(response, results, charactersWithin(text));
    },
    preview: async (mcpTool, args) => {
      const display = await tools.get(mcpTool)?.preview?.(args);
      return display && { ...display, diff: cutDiff(display.diff) };
    },
    resultForModel,
  };
}

/** The pool as it has just been listed: it isn't asked a second time for one request, and connects nothing meanwhile. */
const listedPool = (tools: readonly MCPTool[], mcpService: RunPool): Pick<McpPool, 'listServerTools' | 'callTool'> => ({
  listServerTools: async (serverId) => tools.filter((tool) => tool.serverId === serverId),
  callTool: (...call) => mcpService.callTool(...call),
});

/** A throw is a failure like a text that says so; one that explains itself is left to the turn. */
async function execute(
  tool: ITool,
  args: Record<string, unknown>,
  context: Parameters<ITool['execute']>[1] & { signal: AbortSignal },
): Promise<string> {
  try {
    return await tool.execute(args, context);
  } catch (error) {
    if (context.signal.aborted || error instanceof AppError) throw error;
    return `Error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** So many characters of a text that its beginning and end, and the note between them, are no more than {@link MAX_TOOL_RESULT}. */
function charactersWithin(text: string): number {
  if (Buffer.byteLength(text) <= MAX_TOOL_RESULT) return MAX_TOOL_RESULT;
  let fits = 0;
  let over = MAX_TOOL_RESULT + 1;
  while (over - fits > 1) {
    const room = (fits + over) >> 1;
    if (Buffer.byteLength(cutMiddle(text, room)) <= MAX_TOOL_RESULT) fits = room;
    else over = room;
  }
  return fits;
}

function toToolSet(tools: MCPTool[], registry: ToolRegistry, format: ToolFormat): Omit<ToolSet, 'lateServers'> {
  const byWireName = new Map(tools.map((tool) => [tool.id, tool]));
  const wireNames = new Map(tools.map((tool) => [pairKey(tool.serverId, tool.name), tool.id]));
  const ofServers = tools.filter(({ serverId }) => serverId !== BUILTIN_SERVER_ID);
  return {
    tools: tools.length > 0 ? convertMcpTools(tools, format) : undefined,
    find: (wireName) => byWireName.get(wireName),
    restore: (tool, args) => restoreToolArguments(tool, args, format),
    wireName: (serverId, toolName) => wireNames.get(pairKey(serverId, toolName)),
    serverNames: [...new Set(ofServers.map(({ serverName }) => serverName))],
    collisions: registry.collisions.map(({ kept, refused }) => `${nameOf(refused)} (kept: ${nameOf(kept)})`),
  };
}

/** A tool with its origin, as the person knows it. */
const nameOf = ({ name, origin }: ITool): string =>
  origin ? `${origin.serverName}: ${origin.toolName}` : `${BUILTIN_SERVER_NAME}: ${name}`;

/** Ids of servers are the app's own; no line break is in them. */
const pairKey = (serverId: string, toolName: string) => `${serverId}\n${toolName}`;
