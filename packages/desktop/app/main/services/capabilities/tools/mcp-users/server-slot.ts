import type {
  CallProgress,
  MCPCallToolResponse,
  McpServerLimits,
  McpServerRecord,
  McpServerState,
} from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../ports/errors.ts';
import type { Clock } from '../../../ports/infrastructure.ts';
import { callAnswerOf, explainCallFailure } from './call-errors.ts';
import { explainConnectFailure, isRefused, meansLostSession } from './connection-errors.ts';
import { readCallResult } from './lenient-result.ts';
import type { McpConnection } from './mcp-connection.ts';
import type { Era } from './negotiation.ts';
import { redactor } from './redact.ts';
import { RetryPolicy, type RetryTimes } from './retry-policy.ts';
import type { ServerLog } from './server-log.ts';
import { StartFailure } from './start-failure.ts';
import { ToolListing } from './tool-listing.ts';

export const DEFAULT_LIMITS: Required<McpServerLimits> = { startMs: 60_000, idleMs: 120_000, totalMs: 600_000 };
/** How long a request waits for a server that is about to be tried again. */
const WAIT_FOR_RETRY_MS = 10_000;
/** How long calls on a lost session have to be refused too. */
const RETIRED_MS = 10_000;

export interface SlotDependencies {
  /** The server with its secrets, ready to be started. Throws AppError when it must not or can't be. */
  resolve(serverId: string): Promise<McpServerRecord>;
  connect(
    server: McpServerRecord,
    options: { era: Era; signal: AbortSignal; onToolsChanged: () => void; onLost: (error: unknown) => void },
  ): Promise<McpConnection>;
  log: ServerLog;
  clock: Clock;
  retryTimes: RetryTimes;
  onState(state: McpServerState): void;
  onTools(): void;
}

/**
 * One server of the pool: its state, its connection, its tools. Every start has a generation; whatever an older one still
 * brings is dropped, and what it started is ended.
 */
export class ServerSlot {
  readonly id: string;
  readonly listing: ToolListing;
  readonly #deps: SlotDependencies;
  readonly #retry: RetryPolicy;
  #name: string;
  #limits: McpServerLimits;
  #state: McpServerState = { status: 'off' };
  #stateChange = Promise.withResolvers<void>();
  #generation = 0;
  #abort = new AbortController();
  #connection: McpConnection | undefined;
  /** Connections whose session is lost, with calls on them that don't know it yet. */
  readonly #retired = new Set<McpConnection>();
  #timer: NodeJS.Timeout | undefined;
  #era: Era = 'auto';
  /** Whatever is still being ended; the next start waits for it, so that a server never runs twice. */
  #ending: Promise<void> = Promise.resolve();

  constructor(server: { id: string; name: string; limits?: McpServerLimits }, deps: SlotDependencies) {
    this.id = server.id;
    this.#name = server.name;
    this.#limits = server.limits ?? {};
    this.#deps = deps;
    this.#retry = new RetryPolicy(deps.retryTimes);
    this.listing = new ToolListing({
      serverId: server.id,
      serverName: server.name,
      log: deps.log.add,
      onChange: () => this.#toolsChanged(),
    });
  }

  get name(): string {
    return this.#name;
  }

  get state(): McpServerState {
    return this.#state;
  }

  get log(): ServerLog {
    return this.#deps.log;
  }

  /** Takes a new name and new limits, which need no new connection. */
  adopt(server: { name: string; limits?: McpServerLimits }): void {
    this.#limits = server.limits ?? {};
    if (server.name === this.#name) return;
    this.#name = server.name;
    this.listing.rename(server.name);
  }

  /** Starts connecting unless that is done, being done, or has been given up. */
  begin(): void {
    if (this.#state.status === 'off') this.#start();
  }

  /**
   * The connection, made when there is none. Waits for an attempt that is running, and a while for one that is due.
   * @throws AppError `connect-failed` and what else may keep a server from starting; the signal's reason
   */
  async connection(signal?: AbortSignal): Promise<McpConnection> {
    this.begin();
    const patience = performance.now() + WAIT_FOR_RETRY_MS;
    for (;;) {
      signal?.throwIfAborted();
      const state = this.#state;
      if (state.status === 'ready' && this.#connection) return this.#connection;
      if (state.status === 'off') throw new AppError('connect-failed', `The server “${this.#name}” is switched off.`);
      if (state.status === 'failed' || state.status === 'needs-sign-in') throw toAppError(state.error);
      const left = state.status === 'waiting-to-retry' ? patience - performance.now() : Number.POSITIVE_INFINITY;
      if (left <= 0 && state.status === 'waiting-to-retry') throw toAppError(state.error);
      await this.nextState(signal, left);
    }
  }

  /** Resolves at the next change of state, or after `ms`. Rejects with the signal's reason. */
  nextState(signal?: AbortSignal, ms = Number.POSITIVE_INFINITY): Promise<void> {
    const change = this.#stateChange.promise;
    if (!signal && ms === Number.POSITIVE_INFINITY) return change;
    return new Promise((resolve, reject) => {
      const settle = (then: () => void) => () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        then();
      };
      const onAbort = settle(() => reject(signal?.reason));
      const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(settle(resolve), ms);
      signal?.addEventListener('abort', onAbort, { once: true });
      void change.then(settle(resolve));
    });
  }

  /** Calls a tool. Throws AppError when there is no result. */
  async call(
    toolName: string,
    args: Record<string, unknown>,
    options: { signal: AbortSignal; onProgress?: (progress: CallProgress) => void },
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
      const isCurrent = used !== undefined && used === this.#connection;
      if (isCurrent && ((!signal.aborted && used?.isBroken(error)) || isRefused(error))) this.#lost(error);
      throw explainCallFailure(error, {
        serverName: this.#name,
        toolName,
        signal,
        end: used?.describeEnd(),
        isOff: this.#state.status === 'off',
        redact: this.log.redact,
      });
    }
  }

  /** Lists the tools again now. @throws AppError that says why they can't be listed */
  async refresh(): Promise<void> {
    try {
      await this.#inSession(undefined, (connection) => this.listing.load(connection));
    } catch (error) {
      throw explainConnectFailure(error, this.#name, this.log.redact).error;
    }
  }

  /** Does something on the connection. Once more, on a new session, when it was refused because the old one is lost. */
  async #inSession<T>(signal: AbortSignal | undefined, work: (connection: McpConnection) => Promise<T>): Promise<T> {
    const connection = await this.connection(signal);
    try {
      return await work(connection);
    } catch (error) {
      if (!connection.hasSession || !meansLostSession(error)) throw error;
      return work(await this.#renew(connection, signal));
    }
  }

  /** Connects again, whatever the state; earlier failures don't count any more. */
  restart(): void {
    this.#end();
    this.#retry.reset();
    this.#era = 'auto';
    this.#start();
  }

  /** Ends the connection and forgets the tools. Resolves when nothing is left of it. */
  async stop(): Promise<void> {
    this.#end();
    this.#retry.reset();
    this.#era = 'auto';
    this.listing.clear();
    if (this.#state.status !== 'off') this.#setState({ status: 'off' });
    await this.#ending;
  }

  #start(): void {
    const generation = ++this.#generation;
    this.#abort = new AbortController();
    this.#setState({ status: 'connecting', since: this.#deps.clock.now() });
    this.#endingToo([this.#run(generation, this.#abort.signal)]);
  }

  /** One attempt. Never rejects; resolves when it stands, or nothing is left of it. */
  async #run(generation: number, signal: AbortSignal): Promise<void> {
    const isCurrent = () => generation === this.#generation;
    let connection: McpConnection | undefined;
    await this.#ending;
    if (!isCurrent()) return;
    this.#retry.attempted(performance.now());
    try {
      const server = await this.#deps.resolve(this.id);
      this.log.redact = redactor(server.config);
      signal.throwIfAborted();
      this.log.add('lifecycle', 'info', 'Connecting');
      connection = await this.#deps.connect(server, {
        era: this.#era,
        signal,
        onToolsChanged: () => isCurrent() && this.listing.changed(),
        onLost: (error) => isCurrent() && this.#lost(error),
      });
      await this.listing.load(connection, signal);
      signal.throwIfAborted();
    } catch (error) {
      const end = connection?.describeEnd();
      await connection?.close().catch(() => {});
      if (!isCurrent()) return;
      // A process that ended was started twice, since it may have been the question that ended it. Once is enough from now on.
      this.#era = error instanceof StartFailure ? 'legacy' : 'auto';
      this.#failed(end ? new StartFailure(end.reason, end.details, error) : error);
      return;
    }
    this.#era = connection.era;
    this.#connection = connection;
    this.#retry.succeeded(performance.now());
    this.log.add('lifecycle', 'info', `Connected, ${this.listing.tools.length} tools`);
    this.#setState(this.#readyState(connection));
  }

  /** The connection stood and is gone. */
  #lost(error: unknown): void {
    const connection = this.#connection;
    // Lost before it was ready: the attempt itself finds out, and says why.
    if (!connection) return;
    const end = connection.describeEnd();
    this.#end();
    if (isRefused(error)) this.#failed(error);
    else {
      const { message, hint, details } = explainConnectFailure(error, this.#name, this.log.redact).error;
      const text = end ? `The server “${this.#name}” stopped. ${end.reason}` : message;
      this.#failed(
        new AppError('connect-failed', text, { hint, details: end?.details ? this.log.redact(end.details) : details }),
        true,
      );
    }
  }

  #failed(thrown: unknown, mayRetry = false): void {
    const { error, next } = explainConnectFailure(thrown, this.#name, this.log.redact);
    this.log.add('lifecycle', 'error', [error.message, error.details].filter(Boolean).join('\n'));
    if (next === 'sign-in') {
      this.#setState({ status: 'needs-sign-in', error: error.toInfo() });
      return;
    }
    const delay = next === 'retry' || mayRetry ? this.#retry.next(performance.now()) : undefined;
    if (delay === undefined) {
      this.#setState({ status: 'failed', error: error.toInfo() });
      return;
    }
    this.#timer = setTimeout(() => this.#start(), delay);
    this.#setState({ status: 'waiting-to-retry', retryAt: this.#deps.clock.now() + delay, error: error.toInfo() });
  }

  /** The server forgot the session of `old`: one new connection for all who find that out. */
  #renew(old: McpConnection, signal: AbortSignal | undefined): Promise<McpConnection> {
    if (old === this.#connection) {
      if (this.#retry.allows(performance.now())) {
        this.log.add('lifecycle', 'info', 'The server lost the session; starting a new one');
        this.#connection = undefined;
        this.#end();
        this.#retire(old);
        this.#start();
      } else {
        this.#lost(new AppError('connect-failed', `The server “${this.#name}” keeps losing its session.`));
      }
    }
    return this.connection(signal);
  }

  /** Lets the other calls on a connection find out for themselves that their session is lost, before it is closed. */
  #retire(connection: McpConnection): void {
    this.#retired.add(connection);
    void connection.idle(RETIRED_MS).then(async () => {
      if (this.#retired.delete(connection)) await connection.close();
    });
  }

  /** Ends whatever there is, and makes everything that still comes of it count for nothing. */
  #end(): void {
    this.#generation++;
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.listing.detach();
    const connections = [...this.#retired, ...(this.#connection ? [this.#connection] : [])];
    this.#retired.clear();
    this.#connection = undefined;
    this.#endingToo(connections.map((connection) => connection.close().catch(() => {})));
  }

  #endingToo(work: Promise<void>[]): void {
    this.#ending = Promise.all([this.#ending, ...work]).then(() => {});
  }

  #readyState(connection: McpConnection): McpServerState {
    const { serverVersion, protocolVersion } = connection;
    return { status: 'ready', toolCount: this.listing.tools.length, serverVersion, protocolVersion };
  }

  #toolsChanged(): void {
    if (this.#state.status === 'ready' && this.#connection && this.#state.toolCount !== this.listing.tools.length) {
      this.#setState(this.#readyState(this.#connection));
    }
    this.#deps.onTools();
  }

  #setState(state: McpServerState): void {
    this.#state = state;
    const { resolve } = this.#stateChange;
    this.#stateChange = Promise.withResolvers();
    resolve();
    this.#deps.onState(state);
  }
}

const toAppError = ({
  code,
  message,
  hint,
  details,
}: {
  code: string;
  message: string;
  hint?: string;
  details?: string;
}) => new AppError(code, message, { hint, details });
