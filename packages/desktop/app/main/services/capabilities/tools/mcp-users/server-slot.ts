import type { ErrorInfo } from '@shared/contracts/contract.ts';
import type {
  CallProgress,
  MCPCallToolResponse,
  McpProtocol,
  McpServerLimits,
  McpServerRecord,
  McpServerState,
} from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../ports/errors.ts';
import type { Clock } from '../../../ports/infrastructure.ts';
import { callAnswerOf, explainCallFailure } from './call-errors.ts';
import { explainConnectFailure, isRefused, meansLostSession } from './connection-errors.ts';
import { IdleTimer } from './idle-timer.ts';
import { readCallResult } from './lenient-result.ts';
import type { McpConnection } from './mcp-connection.ts';
import type { Era } from './negotiation.ts';
import { redactor } from './redact.ts';
import { explainRequestFailure } from './request-errors.ts';
import { RetryPolicy, type RetryTimes } from './retry-policy.ts';
import type { ServerLog } from './server-log.ts';
import { StartFailure } from './start-failure.ts';
import { ToolListing } from './tool-listing.ts';
import { ConnectionLost } from './transports/errors.ts';

type TimeLimits = 'startMs' | 'idleMs' | 'totalMs';
export const DEFAULT_LIMITS: Required<Pick<McpServerLimits, TimeLimits>> = {
  startMs: 60_000,
  idleMs: 120_000,
  totalMs: 600_000,
};
/** How long a request waits for a connection in all, whatever keeps it from coming about. */
const WAIT_FOR_CONNECTION_MS = 60_000;
/** How long a remote server has to answer after the machine slept or had no network. */
const ANSWER_AFTER_WAKE_MS = 10_000;
const NOTE_INTERVAL_MS = 500;
const LONGEST_NOTE = 300;
/** How long a request waits for a server that is about to be tried again. */
const WAIT_FOR_RETRY_MS = 10_000;
/** How long calls on a lost session have to be refused too. */
const RETIRED_MS = 10_000;

export interface SlotDependencies {
  /** The server with its secrets, ready to be started. Throws AppError when it must not or can't be. */
  resolve(serverId: string): Promise<McpServerRecord>;
  connect(
    server: McpServerRecord,
    options: {
      era: Era;
      signal: AbortSignal;
      /** Asked before the server is started or asked a second time within the attempt. */
      mayRepeat: () => boolean;
      onToolsChanged: () => void;
      onLost: (error: unknown) => void;
      /** Called with each line of a program that may be installing itself. */
      onInstalling: (line: string) => void;
    },
  ): Promise<McpConnection>;
  /** What the server speaks turned out to be something else than was known. */
  onEra(era: Era): void;
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
  /** What the person chose; `auto` lets {@link #era} follow what the server turns out to bear. */
  #protocol: McpProtocol;
  #era: Era;
  readonly #idle = new IdleTimer(() => this.#sleep());
  #proving: Promise<void> | undefined;
  #notedAt = 0;
  /** Stopped trying after too many failures; a change of circumstances is worth another try. */
  #gaveUp = false;
  /** Whatever is still being ended; the next start waits for it, so that a server never runs twice. */
  #ending: Promise<void> = Promise.resolve();

  constructor(
    server: { id: string; name: string; limits?: McpServerLimits; protocol?: McpProtocol; era: Era },
    deps: SlotDependencies,
  ) {
    this.id = server.id;
    this.#protocol = server.protocol ?? 'auto';
    this.#era = server.era;
    this.#idle.limitMs = server.limits?.idleCloseMs;
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

  /** Closed because nobody used it; its tools are still listed, and the next use starts it again. */
  get isAsleep(): boolean {
    return this.#state.status === 'ready' && this.#state.asleep === true;
  }

  get log(): ServerLog {
    return this.#deps.log;
  }

  /** Takes a new name and new limits, which need no new connection, and a protocol, which counts from the next one on. */
  adopt(server: { name: string; limits?: McpServerLimits; protocol?: McpProtocol }): void {
    this.#limits = server.limits ?? {};
    this.#protocol = server.protocol ?? 'auto';
    this.#idle.limitMs = this.#limits.idleCloseMs;
    if (this.#connection) this.#idle.start();
    if (server.name === this.#name) return;
    this.#name = server.name;
    this.listing.rename(server.name);
  }

  /** Starts connecting unless that is done, being done, or has been given up. */
  begin(): void {
    if (this.#state.status === 'off') this.#start();
  }

  /**
   * The connection, made when there is none. Waits a while for an attempt that is running, and a shorter one for one that is due.
   * @throws AppError `connect-failed` and what else may keep a server from starting; the signal's reason
   */
  async connection(signal?: AbortSignal): Promise<McpConnection> {
    this.begin();
    if (this.isAsleep) this.#start();
    const startedAt = performance.now();
    const patience = startedAt + WAIT_FOR_RETRY_MS;
    // A start that is allowed to take longer is waited for.
    const end = startedAt + Math.max(WAIT_FOR_CONNECTION_MS, this.#limits.startMs ?? 0);
    for (;;) {
      signal?.throwIfAborted();
      const state = this.#state;
      if (state.status === 'ready' && this.#connection) return this.#connection;
      if (state.status === 'off') throw new AppError('connect-failed', `The server “${this.#name}” is switched off.`);
      if (state.status === 'failed' || state.status === 'needs-sign-in') throw toAppError(state.error);
      const left = (state.status === 'waiting-to-retry' ? patience : end) - performance.now();
      if (left <= 0 && state.status === 'waiting-to-retry') throw toAppError(state.error);
      if (left <= 0)
        throw new AppError('connect-failed', `The server “${this.#name}” is still starting.`, {
          hint: 'Try again when it is ready.',
        });
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
      this.#judge(error, used, signal);
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
      this.#judge(error, used, signal);
      throw explainRequestFailure(error, {
        serverName: this.#name,
        what,
        signal,
        end: used?.describeEnd(),
        redact: this.log.redact,
      });
    }
  }

  /** Gives the connection up when what a request threw says that it is of no use any more. */
  #judge(error: unknown, used: McpConnection | undefined, signal: AbortSignal): void {
    if (used === undefined || used !== this.#connection) return;
    if ((!signal.aborted && used.isBroken(error)) || isRefused(error)) this.#lost(error);
  }

  /** Does something on the connection. Once more, on a new session, when it was refused because the old one is lost. */
  async #inSession<T>(signal: AbortSignal | undefined, work: (connection: McpConnection) => Promise<T>): Promise<T> {
    const endUse = this.#idle.use();
    try {
      const connection = await this.connection(signal);
      try {
        return await work(connection);
      } catch (error) {
        if (!connection.hasSession || !meansLostSession(error)) throw error;
        return await work(await this.#renew(connection, signal));
      }
    } finally {
      endUse();
    }
  }

  /**
   * The machine woke up, or the network is back: what waits for another try has it now, as far as the number of attempts a
   * minute allows, and a remote server has to answer. A program of this machine is known to live as long as it hasn't ended.
   */
  wake(): void {
    const { status } = this.#state;
    if (status === 'ready' && this.#connection?.isRemote) this.#proving ??= this.#prove(this.#connection);
    const mayTry = status === 'waiting-to-retry' || (status === 'failed' && this.#gaveUp);
    if (!mayTry || !this.#retry.allows(performance.now())) return;
    clearTimeout(this.#timer);
    this.#start();
  }

  /** Never rejects. */
  async #prove(connection: McpConnection): Promise<void> {
    try {
      const answers = await connection.answers(ANSWER_AFTER_WAKE_MS);
      if (!answers && connection === this.#connection) this.#lost(new ConnectionLost('It does not answer any more'));
    } catch (error) {
      if (connection !== this.#connection) return;
      if (connection.hasSession && meansLostSession(error)) await this.#renew(connection, undefined).catch(() => {});
      else if (connection.isBroken(error) || isRefused(error)) this.#lost(error);
    } finally {
      this.#proving = undefined;
    }
  }

  #sleep(): void {
    const connection = this.#connection;
    if (!connection || connection.isRemote || this.#state.status !== 'ready') return;
    // One that could not be started again at once stays, and so does one that somebody waits to hear from.
    if (connection.isFollowed || !this.#retry.allows(performance.now()) || !this.listing.isSettled) {
      this.#idle.start();
      return;
    }
    const state = this.#readyState(connection);
    this.log.add('lifecycle', 'info', 'Closed, since nobody used it. It starts again when it is needed.');
    this.#end();
    this.#setState({ ...state, asleep: true });
  }

  /**
   * Connects again, whatever the state; earlier failures don't count any more. Where there were too many attempts within the
   * last minute, it is `waiting-to-retry`, with an error that says so.
   */
  restart(): void {
    this.#end();
    this.#retry.reset();
    this.#era = this.#protocol;
    this.#start();
  }

  /** Ends the connection and forgets the tools. Resolves when nothing is left of it. */
  async stop(): Promise<void> {
    this.#end();
    this.#retry.reset();
    this.#era = this.#protocol;
    this.listing.clear();
    if (this.#state.status !== 'off') this.#setState({ status: 'off' });
    await this.#ending;
  }

  /** Begins an attempt; later, when there were as many as there may be within the last minute, whoever asks for it. */
  #start(): void {
    const waitMs = this.#retry.untilAllowed(performance.now());
    if (waitMs > 0) {
      const state = this.#state;
      this.#startIn(waitMs, state.status === 'waiting-to-retry' ? state.error : this.#startedTooOften().toInfo());
      return;
    }
    const generation = ++this.#generation;
    this.#gaveUp = false;
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
        mayRepeat: () => this.#mayRepeat(),
        onToolsChanged: () => isCurrent() && this.listing.changed(),
        onLost: (error) => isCurrent() && this.#lost(error),
        onInstalling: (line) => isCurrent() && this.#noteOutput(line),
      });
      await this.listing.load(connection, signal);
      signal.throwIfAborted();
    } catch (error) {
      const end = connection?.describeEnd();
      await connection?.close().catch(() => {});
      if (!isCurrent()) return;
      // A process that ended was started twice, since it may have been the question that ended it. Once is enough from now on.
      if (this.#protocol === 'auto') this.#era = error instanceof StartFailure ? 'legacy' : 'auto';
      this.#failed(end ? new StartFailure(end.reason, end.details, error) : error);
      return;
    }
    this.#era = connection.era;
    this.#deps.onEra(connection.era);
    this.#connection = connection;
    this.#idle.start();
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
      const lost = end
        ? new AppError('connect-failed', `The server “${this.#name}” stopped. ${end.reason}`, {
            hint: 'Its log may say why.',
            details: end.details && this.log.redact(end.details),
          })
        : new AppError('connect-failed', message, { hint, details });
      this.#failed(lost, true);
    }
  }

  #failed(thrown: unknown, mayRetry = false): void {
    const { error, next } = explainConnectFailure(thrown, this.#name, this.log.redact);
    this.log.add('lifecycle', 'error', [error.message, error.details].filter(Boolean).join('\n'));
    if (next === 'sign-in') {
      this.#setState({ status: 'needs-sign-in', error: error.toInfo() });
      return;
    }
    const isTemporary = next === 'retry' || mayRetry;
    const delay = isTemporary ? this.#retry.next(performance.now()) : undefined;
    if (delay === undefined) {
      this.#gaveUp = isTemporary;
      this.#setState({ status: 'failed', error: error.toInfo() });
      return;
    }
    this.#startIn(delay, error.toInfo());
  }

  #startIn(ms: number, error: ErrorInfo): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), Math.ceil(ms));
    this.#setState({ status: 'waiting-to-retry', retryAt: this.#deps.clock.now() + ms, error });
  }

  #startedTooOften(): AppError {
    const times = this.#deps.retryTimes.perMinute;
    return new AppError('connect-failed', `The server “${this.#name}” was started ${times} times within a minute.`, {
      hint: 'It is started again by itself when that minute is over.',
    });
  }

  #mayRepeat(): boolean {
    const now = performance.now();
    if (!this.#retry.allows(now)) return false;
    this.#retry.attempted(now);
    return true;
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
    this.#idle.stop();
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

  /** Shows what a program writes while it isn't ready, not more often than one can read. */
  #noteOutput(line: string): void {
    const state = this.#state;
    const now = this.#deps.clock.now();
    if (state.status !== 'connecting') return;
    if (state.note !== undefined && now - this.#notedAt < NOTE_INTERVAL_MS) return;
    this.#notedAt = now;
    this.#setState({ ...state, note: this.log.redact(line).trim().slice(0, LONGEST_NOTE) });
  }

  #readyState(connection: McpConnection): Extract<McpServerState, { status: 'ready' }> {
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
