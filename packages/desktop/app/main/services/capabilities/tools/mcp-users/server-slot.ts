import type {
  CallProgress,
  MCPCallToolResponse,
  McpServerLimits,
  McpServerRecord,
  McpServerState,
} from '@shared/contracts/mcp-types.ts';
import { callAnswerOf, explainCallFailure } from './call-errors.ts';
import { explainConnectFailure, meansLostSession } from './connection-errors.ts';
import { ConnectionKeeper, type KeeperDependencies, type KeptServer } from './connection-keeper.ts';
import { readCallResult } from './lenient-result.ts';
import type { McpConnection } from './mcp-connection.ts';
import type { Era } from './negotiation.ts';
import { explainRequestFailure } from './request-errors.ts';
import type { AttemptLimit } from './retry-policy.ts';
import type { ServerLog } from './server-log.ts';
import { ToolListing } from './tool-listing.ts';

const isSessionLost = (error: unknown, connection: McpConnection) => connection.hasSession && meansLostSession(error);

type TimeLimits = 'startMs' | 'idleMs' | 'totalMs';
export const DEFAULT_LIMITS: Required<Pick<McpServerLimits, TimeLimits>> = {
  startMs: 60_000,
  idleMs: 120_000,
  totalMs: 600_000,
};

/** What a slot needs; see also {@link KeeperDependencies}. */
export interface SlotDependencies extends Omit<KeeperDependencies, 'resolve'> {
  /** The server with its secrets, ready to be started. Throws AppError when it must not or can't be. */
  resolve(serverId: string): Promise<McpServerRecord>;
  onTools(): void;
}

/** One server of the pool, as it is used: its tools, its calls, its log. {@link ConnectionKeeper} sees to its connection. */
export class ServerSlot {
  readonly id: string;
  readonly listing: ToolListing;
  readonly log: ServerLog;
  readonly #keeper: ConnectionKeeper;
  #name: string;
  #limits: McpServerLimits;

  constructor(server: KeptServer & { id: string; era: Era }, { resolve, onTools, ...deps }: SlotDependencies) {
    const { id, name } = server;
    this.id = id;
    this.#name = name;
    this.#limits = server.limits ?? {};
    this.log = deps.log;
    const onChange = () => {
      this.#keeper.toolsChanged();
      onTools();
    };
    const onFailure = (error: unknown, connection: McpConnection) => {
      // The list comes with the new session.
      if (isSessionLost(error, connection)) this.#keeper.renew(connection);
      else this.#keeper.judge(error, connection);
    };
    this.listing = new ToolListing({ serverId: id, serverName: name, log: deps.log.add, onChange, onFailure });
    this.#keeper = new ConnectionKeeper(server, this.listing, { ...deps, resolve: () => resolve(id) });
  }

  get name(): string {
    return this.#name;
  }

  /** See {@link ConnectionKeeper.attempts}. */
  get attempts(): AttemptLimit {
    return this.#keeper.attempts;
  }

  get state(): McpServerState {
    return this.#keeper.state;
  }

  /** See {@link ConnectionKeeper.isAsleep}. */
  get isAsleep(): boolean {
    return this.#keeper.isAsleep;
  }

  /** See {@link ConnectionKeeper.adopt}. */
  adopt(server: KeptServer): void {
    this.#keeper.adopt(server);
    this.#limits = server.limits ?? {};
    if (server.name === this.#name) return;
    this.#name = server.name;
    this.listing.rename(server.name);
  }

  /** See {@link ConnectionKeeper.begin}. */
  begin(): void {
    this.#keeper.begin();
  }

  /** See {@link ConnectionKeeper.connection}. */
  connection(signal?: AbortSignal): Promise<McpConnection> {
    return this.#keeper.connection(signal);
  }

  /** See {@link ConnectionKeeper.nextState}. */
  nextState(signal?: AbortSignal): Promise<void> {
    return this.#keeper.nextState(signal);
  }

  /** See {@link ConnectionKeeper.wake}. */
  wake(): void {
    this.#keeper.wake();
  }

  /** See {@link ConnectionKeeper.restart}. */
  restart(): void {
    this.#keeper.restart();
  }

  /** See {@link ConnectionKeeper.stop}. */
  stop(): Promise<void> {
    return this.#keeper.stop();
  }

  /** Calls a tool. Throws AppError when there is no result. */
  async call(
    toolName: string,
    args: Record<string, unknown>,
    options: {
      signal: AbortSignal;
      callId?: string;
      onProgress?: (progress: CallProgress) => void;
      onWaiting?: (isWaiting: boolean) => void;
    },
  ): Promise<MCPCallToolResponse> {
    const { idleMs, totalMs } = { ...DEFAULT_LIMITS, ...this.#limits };
    const { signal } = options;
    let used: McpConnection | undefined;
    try {
      const result = await this.#inSession(signal, (connection) => {
        used = connection;
        return connection.callTool(toolName, args, { ...options, idleMs, totalMs });
      });
      return readCallResult(result);
    } catch (error) {
      const answer = callAnswerOf(error);
      if (answer) return answer;
      this.#keeper.judge(error, used, signal);
      throw explainCallFailure(error, {
        serverName: this.#name,
        toolName,
        signal,
        end: used?.describeEnd(),
        isOff: this.state.status === 'off',
        redact: this.log.redact,
      });
    }
  }

  /** Lists the tools again now. @throws AppError that says why they can't be listed */
  async refresh(): Promise<void> {
    let used: McpConnection | undefined;
    try {
      await this.#inSession(undefined, (connection) => {
        used = connection;
        return this.listing.load(connection);
      });
    } catch (error) {
      this.#keeper.judge(error, used);
      throw explainConnectFailure(error, this.#name, this.log.redact).error;
    }
  }

  /**
   * Asks the server for something that is no call of a tool.
   * @param what what it is about, as a person would name it
   * @throws AppError when there is no result
   */
  async request<T>(
    what: string,
    work: (connection: McpConnection, limits: Required<Pick<McpServerLimits, TimeLimits>>) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const limits = { ...DEFAULT_LIMITS, ...this.#limits };
    let used: McpConnection | undefined;
    try {
      return await this.#inSession(signal, (connection) => {
        used = connection;
        return work(connection, limits);
      });
    } catch (error) {
      this.#keeper.judge(error, used, signal);
      throw explainRequestFailure(error, {
        serverName: this.#name,
        what,
        signal,
        end: used?.describeEnd(),
        redact: this.log.redact,
      });
    }
  }

  /** Does something on the connection. Once more, on a new session, when it was refused because the old one is lost. */
  async #inSession<T>(signal: AbortSignal | undefined, work: (connection: McpConnection) => Promise<T>): Promise<T> {
    const endUse = this.#keeper.use();
    try {
      const connection = await this.connection(signal);
      try {
        return await work(connection);
      } catch (error) {
        if (!isSessionLost(error, connection)) throw error;
        this.#keeper.renew(connection);
        return await work(await this.connection(signal));
      }
    } finally {
      endUse();
    }
  }
}
