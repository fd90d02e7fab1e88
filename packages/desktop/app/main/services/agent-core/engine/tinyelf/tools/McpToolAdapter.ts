import { randomUUID } from 'node:crypto';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { McpPool } from '../../../../ports/tools.ts';
import { withCallLimit } from './call-limit.ts';
import { flattenResult } from './flatten-content.ts';
import type { ITool, JsonSchema, ToolAccess, ToolContext } from './ITool.ts';

export { flattenContent } from './flatten-content.ts';

/** A tool of a server that the person configured, as a tool of the engine. The pool owns the connection. */
export class McpToolAdapter implements ITool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly origin: { serverId: string; serverName: string; toolName: string };
  readonly #mcpTool: MCPTool;
  readonly #mcpService: Pick<McpPool, 'callTool'>;

  constructor(mcpTool: MCPTool, mcpService: Pick<McpPool, 'callTool'>) {
    this.#mcpTool = mcpTool;
    this.#mcpService = mcpService;
    this.name = mcpTool.id;
    this.description = mcpTool.description;
    this.parameters = mcpTool.inputSchema;
    this.origin = { serverId: mcpTool.serverId, serverName: mcpTool.serverName, toolName: mcpTool.name };
  }

  access(params: Record<string, unknown>): ToolAccess {
    return { foreignArguments: params };
  }

  /**
   * Calls the tool, with arguments in the server's own form. A silence of 120 s ends the call, as does the context's signal;
   * progress and waiting for a person don't count as silence. The pool's own limits hold besides.
   * @returns the flattened result; the tool's own failure begins with `Error: `
   * @throws AppError `call-timeout`, `cancelled`, and what {@link McpPool.callTool} throws
   */
  async execute(params: Record<string, unknown>, context: ToolContext = {}): Promise<string> {
    const { serverId, serverName, name } = this.#mcpTool;
    const callId = context.poolCallId ?? randomUUID();
    const response = await withCallLimit(`The tool “${name}” of “${serverName}”`, context, (limited) =>
      this.#mcpService.callTool(serverId, name, params, callId, limited),
    );
    return flattenResult(response);
  }
}

export interface LoadMcpToolsOptions {
  signal?: AbortSignal;
  /** Told of each server whose tools are missing. */
  onFailure?: (serverId: string, error: unknown) => void;
}

/**
 * The tools of the given servers of the pool, in the order of the ids. All are asked at once; one that fails is left out, and
 * delays or harms no other.
 * @throws the signal's reason, when it aborts
 */
export async function loadMcpTools(
  mcpService: Pick<McpPool, 'listServerTools' | 'callTool'>,
  serverIds: string[],
  { signal, onFailure }: LoadMcpToolsOptions = {},
): Promise<McpToolAdapter[]> {
  signal?.throwIfAborted();
  const ids = [...new Set(serverIds)];
  const listings = await Promise.allSettled(ids.map(async (id) => mcpService.listServerTools(id, { signal })));
  signal?.throwIfAborted();
  return ids.flatMap((id, i) => {
    const listing = listings[i];
    if (listing?.status === 'fulfilled') return listing.value.map((tool) => new McpToolAdapter(tool, mcpService));
    onFailure?.(id, listing?.reason);
    return [];
  });
}
