import type { MCPCallToolResponse } from '@shared/contracts/mcp-types.ts';
import { callInTurn } from '../../../../capabilities/tools/mcp-users/builtin/one-at-a-time.ts';
import { callAnswerOf, explainCallFailure } from '../../../../capabilities/tools/mcp-users/call-errors.ts';
import { explainConnectFailure } from '../../../../capabilities/tools/mcp-users/connection-errors.ts';
import { readCallResult } from '../../../../capabilities/tools/mcp-users/lenient-result.ts';
import { McpConnection } from '../../../../capabilities/tools/mcp-users/mcp-connection.ts';
import { redactor } from '../../../../capabilities/tools/mcp-users/redact.ts';
import { DEFAULT_LIMITS } from '../../../../capabilities/tools/mcp-users/server-slot.ts';
import type { ListedTools } from '../../../../capabilities/tools/mcp-users/tool-pages.ts';
import { StdioTransport } from '../../../../capabilities/tools/mcp-users/transports/stdio-transport.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { Logger } from '../../../../ports/infrastructure.ts';
import type { ManagedProcess, ProcessPort } from '../../../../ports/processes.ts';
import type { LimitedCall } from './call-limit.ts';
import { McpProcessTracker, type TrackedConnection } from './McpProcessTracker.ts';

/** What the engine's own servers are started with: services are given it, since they can't import it. */
export interface DirectMcpHost {
  processes: ProcessPort;
  clientInfo: { name: string; version: string };
  logger: Logger;
}

/** A server that the engine runs itself, with all it takes to start it. */
export interface ResolvedMcpServer {
  name: string;
  command: string;
  args: string[];
  /** Added to the environment that every server gets. */
  env?: Record<string, string>;
  /** Default: the home folder. */
  cwd?: string;
  /** What it is among the servers that come with the app. */
  builtin?: string;
  host: DirectMcpHost;
}

const CLOSED = new AppError('call-lost', 'The connection was closed.');

/**
 * A connection to a server of the engine's own, past the pool, for as long as its run. Its process is tracked from its start
 * on, so that it ends with {@link McpProcessTracker.closeConnection} whatever has become of the connection. It is not made
 * again when it is lost. Nobody answers what such a server might ask of the person, and it is told so.
 */
export class DirectMcpConnection implements TrackedConnection {
  readonly serverName: string;
  /** The process tree of the server; there is none before it is started. */
  readonly process: TrackedConnection['process'];
  readonly #server: ResolvedMcpServer;
  readonly #redact: (text: string) => string;
  readonly #ended = new AbortController();
  #tree: ManagedProcess | undefined;
  #opening: Promise<McpConnection> | undefined;
  #open: McpConnection | undefined;

  private constructor(server: ResolvedMcpServer) {
    this.serverName = server.name;
    this.#server = server;
    this.#redact = redactor({ command: server.command, args: server.args, env: server.env });
    this.process = { kill: async () => this.#tree?.kill(), killSync: () => this.#tree?.killSync() };
  }

  /**
   * Starts the server and shakes hands.
   * @throws AppError `connect-failed` that says why, `cancelled`; nothing is left running then
   */
  static async open(server: ResolvedMcpServer, signal?: AbortSignal): Promise<DirectMcpConnection> {
    const connection = new DirectMcpConnection(server);
    const onStop = () => connection.#ended.abort(signal?.reason);
    if (signal?.aborted) onStop();
    else signal?.addEventListener('abort', onStop, { once: true });
    McpProcessTracker.getInstance().track(connection);
    try {
      connection.#opening = connection.#connect();
      connection.#open = await connection.#opening;
      return connection;
    } catch (error) {
      const isStopped = connection.#ended.signal.aborted;
      await McpProcessTracker.getInstance().closeConnection(connection);
      if (isStopped) throw new AppError('cancelled', 'The start was cancelled.', { cause: error });
      throw connection.explainStart(error);
    } finally {
      signal?.removeEventListener('abort', onStop);
    }
  }

  /** All tools, leniently: pages are followed, and what can't be used is left out and named. */
  async listTools(signal?: AbortSignal): Promise<ListedTools> {
    const listed = await this.#standing().listTools({ idleMs: DEFAULT_LIMITS.startMs, signal });
    for (const warning of listed.warnings) this.#log(warning);
    for (const { name, reason } of listed.rejected) this.#log(`Tool “${name}”: ${reason}`);
    return listed;
  }

  /**
   * Calls a tool. The caller limits its silence; here it has 600 s in all.
   * @throws AppError `call-timeout`, `call-lost`, `cancelled`
   */
  async callTool(toolName: string, args: Record<string, unknown>, call: LimitedCall): Promise<MCPCallToolResponse> {
    const connection = this.#standing();
    const { totalMs } = DEFAULT_LIMITS;
    try {
      const result = await callInTurn(this.#server.builtin, call.signal, () =>
        connection.callTool(toolName, args, { ...call, idleMs: totalMs, totalMs }),
      );
      return readCallResult(result);
    } catch (error) {
      const answer = callAnswerOf(error);
      if (answer) return answer;
      const end = connection.describeEnd();
      const { code, message, details } = explainCallFailure(error, {
        serverName: this.serverName,
        toolName,
        signal: call.signal,
        end,
        // One that ended by itself is closed, too.
        isOff: end === undefined && this.#ended.signal.aborted,
        redact: this.#redact,
      });
      // The hints there are about servers of the pool.
      throw new AppError(code, message, { details, cause: error });
    }
  }

  /** What a failed start or a failed listing means for the person. */
  explainStart(error: unknown): AppError {
    return explainConnectFailure(error, this.serverName, this.#redact).error;
  }

  /** Ends the connection and the server's process tree, in good order. Can be called at any time, as often as one likes. */
  async close(): Promise<void> {
    this.#ended.abort(CLOSED);
    const connection = await this.#opening?.catch(() => undefined);
    await connection?.close();
  }

  #connect(): Promise<McpConnection> {
    const { command, args, env, cwd, host } = this.#server;
    const processes: ProcessPort = {
      start: async (spec) => {
        this.#tree = await host.processes.start(spec);
        return this.#tree;
      },
    };
    const log = (_source: string, _level: string, text: string) => this.#log(text);
    return McpConnection.open({
      type: 'stdio',
      createTransport: (_as, onOutput) =>
        new StdioTransport({
          processes,
          server: { command, args, env, cwd },
          log: (source, _level, text) => {
            this.#log(text);
            if (source !== 'protocol') onOutput(text);
          },
        }),
      clientInfo: host.clientInfo,
      startMs: DEFAULT_LIMITS.startMs,
      era: 'auto',
      signal: this.#ended.signal,
      log,
      // The tools of a run are those that it began with.
      onToolsChanged: () => this.#log('Its tools changed. They are listed again with the next connection.'),
      onLost: () => void McpProcessTracker.getInstance().closeConnection(this),
    });
  }

  #standing(): McpConnection {
    const end = this.#open?.describeEnd();
    if (this.#open && !end && !this.#ended.signal.aborted) return this.#open;
    throw new AppError(
      'call-lost',
      `The server “${this.serverName}” is not running any more. ${end?.reason ?? ''}`.trim(),
      {
        details: end?.details && this.#redact(end.details),
      },
    );
  }

  #log(text: string): void {
    this.#server.host.logger.debug('From an MCP server of the engine', {
      server: this.serverName,
      text: this.#redact(text),
    });
  }
}
