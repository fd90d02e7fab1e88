import type { ToolDefinition } from '../../../../capabilities/tools/mcp-users/lenient-tools.ts';
import { directWireName } from '../../../../capabilities/tools/mcp-users/naming.ts';
import { withCallLimit } from './call-limit.ts';
import { DirectMcpConnection, type ResolvedMcpServer } from './direct-mcp-connection.ts';
import { flattenResult } from './flatten-content.ts';
import type { ITool, JsonSchema, ToolAccess, ToolContext } from './ITool.ts';
import { McpProcessTracker } from './McpProcessTracker.ts';

export type { DirectMcpConnection, DirectMcpHost, ResolvedMcpServer } from './direct-mcp-connection.ts';

/** A tool of a server that the engine runs itself, past the pool, for as long as its run. */
export class DirectMcpToolAdapter implements ITool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** Its server has no id in the pool; the one here is never one of the pool's. */
  readonly origin: { serverId: string; serverName: string; toolName: string };
  readonly #connection: Pick<DirectMcpConnection, 'callTool'>;

  constructor(
    tool: Pick<ToolDefinition, 'name' | 'description' | 'inputSchema'>,
    connection: Pick<DirectMcpConnection, 'serverName' | 'callTool'>,
  ) {
    const { serverName } = connection;
    this.name = directWireName(serverName, tool.name);
    this.description = tool.description;
    this.parameters = tool.inputSchema;
    this.origin = { serverId: `direct:${serverName}`, serverName, toolName: tool.name };
    this.#connection = connection;
  }

  access(params: Record<string, unknown>): ToolAccess {
    return { foreignArguments: params };
  }

  /**
   * Calls the tool, with the same limit as a tool of the pool: 120 s of silence.
   * @returns the flattened result; the tool's own failure begins with `Error: `
   * @throws AppError `call-timeout`, `call-lost`, `cancelled`
   */
  async execute(params: Record<string, unknown>, context: ToolContext = {}): Promise<string> {
    const { serverName, toolName } = this.origin;
    const response = await withCallLimit(`The tool “${toolName}” of “${serverName}”`, context, (limited) =>
      this.#connection.callTool(toolName, params, limited),
    );
    return flattenResult(response);
  }
}

export interface LoadDirectMcpToolsOptions {
  signal?: AbortSignal;
  /** Told of each server that is missing. */
  onFailure?: (serverName: string, error: unknown) => void;
}

/**
 * Starts the given servers, all at once, and lists their tools: both in the order of the servers. One that fails is left out,
 * nothing of it is left running, and it harms no other. The connections are the caller's to end, with
 * {@link McpProcessTracker.closeConnection}.
 *
 * The specification names the SDK's StdioClientTransport. Here it is the app's own transport and McpConnection instead: those
 * start servers through `platform/process`, which owns whole process trees, marks them and keeps the ledger, and they bring
 * limits of message size, lenient reading of listings and results, and both protocol eras. A second way of doing that would
 * have to be kept as good as the first.
 * @throws the signal's reason, when it aborts; nothing is left running then
 */
export async function loadDirectMcpTools(
  servers: ResolvedMcpServer[],
  { signal, onFailure }: LoadDirectMcpToolsOptions = {},
): Promise<{ tools: DirectMcpToolAdapter[]; connections: DirectMcpConnection[] }> {
  signal?.throwIfAborted();
  const loaded = await Promise.all(
    servers.map((server) =>
      load(server, signal).catch((error: unknown) => {
        if (!signal?.aborted) onFailure?.(server.name, error);
        return undefined;
      }),
    ),
  );
  const running = loaded.filter((one) => one !== undefined);
  if (signal?.aborted) {
    const tracker = McpProcessTracker.getInstance();
    await Promise.all(running.map(({ connection }) => tracker.closeConnection(connection)));
    throw signal.reason;
  }
  return { tools: running.flatMap(({ tools }) => tools), connections: running.map(({ connection }) => connection) };
}

async function load(server: ResolvedMcpServer, signal?: AbortSignal) {
  const connection = await DirectMcpConnection.open(server, signal);
  try {
    const listed = await connection.listTools(signal);
    return { connection, tools: listed.tools.map((tool) => new DirectMcpToolAdapter(tool, connection)) };
  } catch (error) {
    await McpProcessTracker.getInstance().closeConnection(connection);
    throw connection.explainStart(error);
  }
}
