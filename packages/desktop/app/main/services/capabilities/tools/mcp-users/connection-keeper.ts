import type { ErrorInfo } from '@shared/contracts/contract.ts';
import type { McpProtocol, McpServerLimits, McpServerRecord, McpServerState } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../ports/errors.ts';
import type { Clock } from '../../../ports/infrastructure.ts';
import { awaitConnection } from './await-connection.ts';
import { explainConnectFailure, explainLoss, isRefused, meansLostSession } from './connection-errors.ts';
import { IdleTimer } from './idle-timer.ts';
import type { McpConnection } from './mcp-connection.ts';
import type { Era } from './negotiation.ts';
import { ObservedState } from './observed-state.ts';
import { redactor } from './redact.ts';
import { type AttemptLimit, RetryPolicy, type RetryTimes } from './retry-policy.ts';
import type { ServerLog } from './server-log.ts';
import { StartFailure } from './start-failure.ts';
import type { ToolListing } from './tool-listing.ts';
import { ConnectionLost } from './transports/errors.ts';

/** How long a remote server has to answer after the machine slept or had no network. */
const ANSWER_AFTER_WAKE_MS = 10_000;
const NOTE_INTERVAL_MS = 500;
const LONGEST_NOTE = 300;
/** How long calls on a lost session have to be refused too. */
const RETIRED_MS = 10_000;

/** What of a server counts for keeping it connected. */
export interface KeptServer {
  name: string;
  limits?: McpServerLimits;
  /** What the person chose. Default: `auto`, which follows what the server turns out to bear. */
  protocol?: McpProtocol;
}

export interface KeeperDependencies {
  /** The server with its secrets, ready to be started. Throws AppError when it must not or can't be. */
  resolve(): Promise<McpServerRecord>;
  connect(
    server: McpServerRecord,
    options: {
      era: Era;
      signal: AbortSignal;
      /** Asked before the server is started or asked a second time within the attempt. */
      mayRepeat: () => boolean;
      onToolsChanged: () => void;
      onLost: (error: unknown) => void;
      /** The server may have lost the session. */
      onDoubt: () => void;
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
}

/**
 * Keeps one server connected: makes the connection, makes it anew when it is lost, and gives up on one that keeps dying. Every
 * start has a generation; whatever an older one still brings is dropped, and what it started is ended.
 */
export class ConnectionKeeper {
  readonly #deps: KeeperDependencies;
  readonly #listing: ToolListing;
  readonly #retry: RetryPolicy;
  readonly #state: ObservedState<McpServerState>;
  readonly #idle = new IdleTimer(() => this.#sleep());
  #server: KeptServer;
  #era: Era;
  #generation = 0;
  #abort = new AbortController();
  #connection: McpConnection | undefined;
  /** Connections whose session is lost, with calls on them that don't know it yet. */
  readonly #retired = new Set<McpConnection>();
  #timer: NodeJS.Timeout | undefined;
  #proving: Promise<void> | undefined;
  #notedAt = 0;
  /** The last attempt is, or was, one to reach a server elsewhere. */
  #triesRemote = false;
  /** Stopped trying after too many failures; a change of circumstances is worth another try. */
  #gaveUp = false;
  /** Whatever is still being ended; the next start waits for it, so that a server never runs twice. */
  #ending: Promise<void> = Promise.resolve();

  /**
   * @param era what is known of the server from before
   * @param listing its tools, which belong to whichever connection there is
   */
  constructor(server: KeptServer & { era: Era }, listing: ToolListing, deps: KeeperDependencies) {
    this.#server = server;
    this.#era = server.era;
    this.#idle.limitMs = server.limits?.idleCloseMs;
    this.#listing = listing;
    this.#deps = deps;
    this.#retry = new RetryPolicy(deps.retryTimes);
    this.#state = new ObservedState<McpServerState>({ status: 'off' }, (state) => deps.onState(state));
  }

  /** How often it was tried within the last minute; whoever else starts the server counts here too. */
  get attempts(): AttemptLimit {
    return this.#retry.attempts;
  }

  get state(): McpServerState {
    return this.#state.value;
  }

  /** Closed because nobody used it; its tools are still listed, and the next use starts it again. */
  get isAsleep(): boolean {
    return this.state.status === 'ready' && this.state.asleep === true;
  }

  /** Takes a new name and new limits, which need no new connection, and a protocol, which counts from the next one on. */
  adopt(server: KeptServer): void {
    this.#server = server;
    this.#idle.limitMs = server.limits?.idleCloseMs;
    if (this.#connection) this.#idle.start();
  }

  /** Somebody uses the server, which is not closed for want of use meanwhile. @returns what ends that; call it once */
  use(): () => void {
    return this.#idle.use();
  }

  /** Starts connecting unless that is done, being done, or has been given up. */
  begin(): void {
    if (this.state.status === 'off') this.#start();
  }

  /**
   * The connection, made when there is none. Waits a while for an attempt that is running, and a shorter one for one that is due.
   * @throws AppError `connect-failed` and what else may keep a server from starting; the signal's reason
   */
  async connection(signal?: AbortSignal): Promise<McpConnection> {
    this.begin();
    if (this.isAsleep) this.#start();
    const { name, limits } = this.#server;
    return awaitConnection(this.#state, () => this.#connection, { name, startMs: limits?.startMs, signal });
  }

  /** Resolves at the next change of state, or after `ms`. Rejects with the signal's reason. */
  nextState(signal?: AbortSignal, ms?: number): Promise<void> {
    return this.#state.next(signal, ms);
  }

  /** Gives the connection up when what a request on it threw says that it is of no use any more. */
  judge(error: unknown, used: McpConnection | undefined, signal?: AbortSignal): void {
    if (used === undefined || used !== this.#connection) return;
    if ((!signal?.aborted && used.isBroken(error)) || isRefused(error)) this.#lost(error);
  }

  /**
   * The machine woke up, or the network is back: what waits for another try has it now, as far as the number of attempts a
   * minute allows, and a remote server has to answer, and to be listened to anew. A program of this machine is known to live as
   * long as it hasn't ended.
   */
  wake(): void {
    const { status } = this.state;
    const connection = this.#connection;
    if (status === 'ready' && connection?.isRemote) {
      this.#doubt();
      // Streams may be dead although the server answers.
      void this.#proving?.then(() => connection === this.#connection && connection.renewStreams());
    }
    const mayTry = status === 'waiting-to-retry' || (status === 'failed' && this.#gaveUp) || this.#isOldRemoteAttempt();
    if (!mayTry || !this.#retry.allows(performance.now())) return;
    this.#end();
    this.#start();
  }

  /** One that began before the machine slept, or while there was no network, may wait for what never comes. */
  #isOldRemoteAttempt(): boolean {
    const { state } = this;
    return (
      state.status === 'connecting' && this.#triesRemote && this.#deps.clock.now() - state.since > ANSWER_AFTER_WAKE_MS
    );
  }

  #doubt(): void {
    if (this.#connection) this.#proving ??= this.#prove(this.#connection);
  }

  /** Asks the server whether it is there, and draws the conclusions. Never rejects. */
  async #prove(connection: McpConnection): Promise<void> {
    try {
      const answers = await connection.answers(ANSWER_AFTER_WAKE_MS);
      if (!answers && connection === this.#connection) this.#lost(new ConnectionLost('It does not answer any more'));
    } catch (error) {
      if (connection !== this.#connection) return;
      if (connection.hasSession && meansLostSession(error)) this.renew(connection);
      else if (connection.isBroken(error) || isRefused(error)) this.#lost(error);
    } finally {
      this.#proving = undefined;
    }
  }

  #sleep(): void {
    const connection = this.#connection;
    if (!connection || connection.isRemote || this.state.status !== 'ready') return;
    // One that could not be started again at once stays, and so does one that somebody waits to hear from.
    if (connection.isFollowed || !this.#retry.allows(performance.now()) || !this.#listing.isSettled) {
      this.#idle.start();
      return;
    }
    const state = this.#readyState(connection);
    this.#deps.log.add('lifecycle', 'info', 'Closed, since nobody used it. It starts again when it is needed.');
    this.#end();
    this.#state.set({ ...state, asleep: true });
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
    this.#listing.clear();
    if (this.state.status !== 'off') this.#state.set({ status: 'off' });
    await this.#ending;
  }

  /** Begins an attempt; later, when there were as many as there may be within the last minute, whoever asks for it. */
  #start(): void {
    const waitMs = this.#retry.untilAllowed(performance.now());
    if (waitMs > 0) {
      const { state } = this;
      this.#startIn(waitMs, state.status === 'waiting-to-retry' ? state.error : this.#startedTooOften().toInfo());
      return;
    }
    const generation = ++this.#generation;
    this.#gaveUp = false;
    this.#abort = new AbortController();
    this.#state.set({ status: 'connecting', since: this.#deps.clock.now() });
    this.#endingToo([this.#run(generation, this.#abort.signal)]);
  }

  /** One attempt. Never rejects; resolves when it stands, or nothing is left of it. */
  async #run(generation: number, signal: AbortSignal): Promise<void> {
    const isCurrent = () => generation === this.#generation;
    let connection: McpConnection | undefined;
    let missesTurn = false;
    await this.#ending;
    if (!isCurrent()) return;
    this.#retry.attempted(performance.now());
    try {
      const server = await this.#deps.resolve();
      this.#deps.log.redact = redactor(server.config);
      this.#triesRemote = server.type !== 'stdio';
      signal.throwIfAborted();
      this.#deps.log.add('lifecycle', 'info', 'Connecting');
      connection = await this.#deps.connect(server, {
        era: this.#era,
        signal,
        mayRepeat: () => {
          missesTurn = !this.#mayRepeat();
          return !missesTurn;
        },
        onToolsChanged: () => isCurrent() && this.#listing.changed(),
        onLost: (error) => isCurrent() && this.#lost(error),
        onDoubt: () => isCurrent() && this.#doubt(),
        onInstalling: (line) => isCurrent() && this.#noteOutput(line),
      });
      await this.#listing.load(connection, signal);
      signal.throwIfAborted();
    } catch (error) {
      const end = connection?.describeEnd();
      // Of a session as new as that, it is no matter of the address.
      const isSessionLost = connection?.hasSession && meansLostSession(error);
      await connection?.close().catch(() => {});
      if (!isCurrent()) return;
      // A process that ended was started twice, since it may have been the question that ended it. Once is enough from now on.
      if (this.#protocol === 'auto') this.#era = error instanceof StartFailure ? 'legacy' : 'auto';
      if (missesTurn) {
        // What there is to say of the server isn't known before its second half of the attempt.
        this.#startIn(this.#retry.untilAllowed(performance.now(), 2), this.#startedTooOften().toInfo());
        return;
      }
      this.#failed(end ? new StartFailure(end.reason, end.details, error) : error, isSessionLost);
      return;
    }
    this.#era = connection.era;
    this.#deps.onEra(connection.era);
    this.#connection = connection;
    this.#idle.start();
    this.#retry.succeeded(performance.now());
    this.#deps.log.add('lifecycle', 'info', `Connected, ${this.#listing.tools.length} tools`);
    this.#state.set(this.#readyState(connection));
  }

  /** The connection stood and is gone. */
  #lost(error: unknown): void {
    const connection = this.#connection;
    // Lost before it was ready: the attempt itself finds out, and says why.
    if (!connection) return;
    const end = connection.describeEnd();
    this.#end();
    if (isRefused(error)) this.#failed(error);
    else this.#failed(explainLoss(error, end, this.#server.name, this.#deps.log.redact), true);
  }

  #failed(thrown: unknown, mayRetry = false): void {
    const { error, next } = explainConnectFailure(thrown, this.#server.name, this.#deps.log.redact);
    this.#deps.log.add('lifecycle', 'error', [error.message, error.details].filter(Boolean).join('\n'));
    if (next === 'sign-in') {
      this.#state.set({ status: 'needs-sign-in', error: error.toInfo() });
      return;
    }
    const isTemporary = next === 'retry' || mayRetry;
    const delay = isTemporary ? this.#retry.next(performance.now()) : undefined;
    if (delay === undefined) {
      this.#gaveUp = isTemporary;
      this.#state.set({ status: 'failed', error: error.toInfo() });
      return;
    }
    this.#startIn(delay, error.toInfo());
  }

  #startIn(ms: number, error: ErrorInfo): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), Math.ceil(ms));
    this.#state.set({ status: 'waiting-to-retry', retryAt: this.#deps.clock.now() + ms, error });
  }

  #startedTooOften(): AppError {
    const times = this.#deps.retryTimes.perMinute;
    return new AppError(
      'connect-failed',
      `The server “${this.#server.name}” was started ${times} times within a minute.`,
      {
        hint: 'It is started again by itself when that minute is over.',
      },
    );
  }

  #mayRepeat(): boolean {
    const now = performance.now();
    if (!this.#retry.allows(now)) return false;
    this.#retry.attempted(now);
    return true;
  }

  /** The server forgot the session of `old`: one new connection for all who find that out. Returns at once. */
  renew(old: McpConnection): void {
    if (old !== this.#connection) return;
    if (!this.#retry.allows(performance.now())) {
      this.#lost(new AppError('connect-failed', `The server “${this.#server.name}” keeps losing its session.`));
      return;
    }
    this.#deps.log.add('lifecycle', 'info', 'The server lost the session; starting a new one');
    this.#connection = undefined;
    this.#end();
    this.#retire(old);
    this.#start();
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
    this.#listing.detach();
    const connections = [...this.#retired, ...(this.#connection ? [this.#connection] : [])];
    this.#retired.clear();
    this.#connection = undefined;
    this.#endingToo(connections.map((connection) => connection.close().catch(() => {})));
  }

  get #protocol(): McpProtocol {
    return this.#server.protocol ?? 'auto';
  }

  #endingToo(work: Promise<void>[]): void {
    this.#ending = Promise.all([this.#ending, ...work]).then(() => {});
  }

  /** Shows what a program writes while it isn't ready, not more often than one can read. */
  #noteOutput(line: string): void {
    const { state } = this;
    const now = this.#deps.clock.now();
    if (state.status !== 'connecting') return;
    if (state.note !== undefined && now - this.#notedAt < NOTE_INTERVAL_MS) return;
    this.#notedAt = now;
    this.#state.set({ ...state, note: this.#deps.log.redact(line).trim().slice(0, LONGEST_NOTE) });
  }

  #readyState(connection: McpConnection): Extract<McpServerState, { status: 'ready' }> {
    const { serverVersion, protocolVersion } = connection;
    return { status: 'ready', toolCount: this.#listing.tools.length, serverVersion, protocolVersion };
  }

  /** The list of tools is another one. */
  toolsChanged(): void {
    if (this.state.status === 'ready' && this.#connection && this.state.toolCount !== this.#listing.tools.length) {
      this.#state.set(this.#readyState(this.#connection));
    }
  }
}
