import type { Transport } from '@modelcontextprotocol/client';
import type { McpServerDraft, McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import type {
  BuiltinOptions,
  CallProgress,
  MCPCallToolResponse,
  MCPTool,
  McpLogEntry,
  McpServerConfig,
  McpServerRecord,
  McpServerState,
  McpServerView,
  RejectedTool,
} from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../ports/errors.ts';
import type { Clock, DocumentStore, Fetch, Logger, SecretBox } from '../../../ports/infrastructure.ts';
import type { ProcessPort } from '../../../ports/processes.ts';
import type { McpPool } from '../../../ports/tools.ts';
import { CallTracker } from './call-tracker.ts';
import { explainConnectFailure } from './connection-errors.ts';
import { Emitter } from './emitter.ts';
import { expandConfig } from './expand-config.ts';
import type { Imported } from './import/McpImport.ts';
import { mayInstall } from './installers.ts';
import { type ContentChange, McpConnection } from './mcp-connection.ts';
import type { Era } from './negotiation.ts';
import { afterSignIn } from './oauth/after-sign-in.ts';
import type { OAuthService } from './oauth/OAuthService.ts';
import { redactor } from './redact.ts';
import { DEFAULT_RETRY_TIMES, type RetryTimes } from './retry-policy.ts';
import { checkConfig, type ServerInput } from './server-config.ts';
import { ServerLog } from './server-log.ts';
import {
  type ChosenBuiltin,
  eraOf,
  isConsented,
  noConsent,
  type RecordProblem,
  ServerRecords,
  type StoredServer,
  viewOf,
} from './server-records.ts';
import type { ServerGrants } from './server-requests/ServerGrants.ts';
import type { ServerRequests } from './server-requests/ServerRequests.ts';
import { DEFAULT_LIMITS, ServerSlot } from './server-slot.ts';
import { withOutputWarnings } from './tool-schemas.ts';
import { createTransport } from './transports/create-transport.ts';

/** How long a listing of all servers waits for those that are still connecting. */
const DEFAULT_WAIT_MS = 5000;
/** A program that may have to be downloaded first: its longest silence and its longest start, in milliseconds. */
const INSTALL_SILENCE_MS = 180_000;
const INSTALL_MS = 600_000;

export interface McpServiceOptions {
  store: DocumentStore;
  secrets: SecretBox;
  processes: ProcessPort;
  fetch: Fetch;
  logger: Logger;
  clientInfo: { name: string; version: string };
  clock?: Clock;
  /** How a server that comes with the app is started. Throws, or gives undefined, for one that it doesn't know. */
  resolveBuiltin?: (builtin: string, options: BuiltinOptions) => McpServerConfig | undefined;
  retryTimes?: RetryTimes;
  /** Who answers what servers ask of the person. Without it they are told that nobody does. */
  person?: { requests: ServerRequests; grants: ServerGrants };
  /** Signing in to servers at an address. Default: none; those that want it are `needs-sign-in`. */
  oauth?: OAuthService;
}

export type McpServiceEvents = {
  state: { serverId: string; state: McpServerState };
  tools: { serverId: string };
  content: { serverId: string; change: ContentChange };
  servers: { servers: McpServerStatus[] };
};

/**
 * The pool: which servers there are, their connections, and their tools. Servers are independent of each other: a slow or
 * broken one delays nobody. Connections are made on first need, or by {@link connectEnabled}.
 */
export class McpService implements McpPool {
  readonly events: Emitter<McpServiceEvents>;
  readonly #records: ServerRecords;
  readonly #options: McpServiceOptions;
  readonly #clock: Clock;
  readonly #slots = new Map<string, ServerSlot>();
  readonly #calls = new CallTracker();
  /** Running tests of connections, and what ends them. */
  readonly #tests = new Map<AbortController, Promise<void>>();
  #closed: Promise<void> | undefined;

  constructor(options: McpServiceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date;
    this.events = new Emitter((error) =>
      options.logger.error('A listener of the MCP service failed', { error: String(error) }),
    );
    this.#records = new ServerRecords(options.store, options.secrets);
    for (const server of this.#records.list()) this.#addSlot(server);
    for (const problem of this.#records.problems)
      options.logger.warn('A stored MCP server can not be read', { ...problem });
  }

  /** Stored servers that can't be read. They are left in the store as they are. */
  get recordProblems(): readonly RecordProblem[] {
    return this.#records.problems;
  }

  listServers(): McpServerStatus[] {
    return this.#records.list().map((server) => ({ server: viewOf(server), state: this.#slot(server.id).state }));
  }

  /**
   * Adds a server that the person typed in, which is the consent for it.
   * @throws AppError `name-taken`, `invalid-config`, `store-failed`
   */
  async add(draft: McpServerDraft, options: { enabled?: boolean } = {}): Promise<McpServerView> {
    const { enabled = true } = options;
    const server = await this.#records.add(draft, enabled);
    this.#addSlot(server);
    if (enabled) this.#slot(server.id).begin();
    return this.#changed(server);
  }

  /**
   * Adds servers that came from elsewhere, all or none: switched off, without consent, and with another name where it is taken.
   * @throws AppError `invalid-config`, `weak-secrets`, `store-failed`
   */
  async importServers(drafts: McpServerDraft[]): Promise<McpServerView[]> {
    const servers = await this.#records.import(drafts);
    for (const server of servers) this.#addSlot(server);
    this.#emitServers();
    return servers.map(viewOf);
  }

  /** As {@link importServers}, for one, which can be taken back as long as it is as it was added. */
  async addImported(draft: McpServerDraft): Promise<Imported> {
    const [added] = await this.#records.import([draft]);
    if (!added) throw new Error('Nothing was added.');
    this.#addSlot(added);
    const undo = async () => {
      if (this.#records.find(added.id) !== added) return false;
      await this.remove(added.id);
      return true;
    };
    return { server: this.#changed(added), undo };
  }

  /**
   * Replaces a server by one that came from elsewhere: switched off, without consent. `undo` brings back what was there.
   * @throws AppError `not-found`, `invalid-config`, `store-failed`
   */
  async replaceImported(serverId: string, draft: McpServerDraft): Promise<Imported> {
    const { before, after } = await this.#records.replaceImported(serverId, draft);
    this.#slot(serverId).adopt(after);
    await this.#slot(serverId).stop();
    const undo = async () => {
      if (!(await this.#records.putBack(before, after))) return false;
      this.#slot(serverId).adopt(before);
      if (before.enabled) this.#slot(serverId).begin();
      this.#emitServers();
      return true;
    };
    return { server: this.#changed(after), undo };
  }

  /** A server with its secrets in plain, for comparing and exporting. @throws AppError `not-found`, `secret-unreadable` */
  openServer(serverId: string): Promise<McpServerRecord> {
    return this.#records.open(serverId);
  }

  /** Adds a server that comes with the app, switched on, unless it was ever added before. */
  async addBuiltin(builtin: string, name: string): Promise<void> {
    const server = await this.#records.addBuiltin(builtin, name);
    if (!server) return;
    this.#addSlot(server);
    this.#changed(server);
  }

  /**
   * Adds a server that comes with the app and that the person chose, switched on.
   * @throws AppError `name-taken`, `invalid-config` when it is there already, `store-failed`
   */
  async addChosenBuiltin(chosen: ChosenBuiltin): Promise<McpServerView> {
    const server = await this.#records.addChosenBuiltin(chosen);
    this.#addSlot(server);
    this.#slot(server.id).begin();
    return this.#changed(server);
  }

  /**
   * Replaces name, type, config and limits. In `env` and `headers` null keeps the stored secret. Connects anew only when
   * something changed that a connection depends on.
   * @throws AppError `not-found`, `name-taken`, `invalid-config` (a kept secret belongs elsewhere; a built-in), `store-failed`
   */
  async update(serverId: string, input: ServerInput): Promise<McpServerView> {
    const before = this.#records.get(serverId);
    const server = await this.#records.update(serverId, input);
    const slot = this.#slot(serverId);
    slot.adopt(server);
    if (connectionKey(before) !== connectionKey(server)) {
      // What was listed before belongs to what ran before.
      const stopped = slot.stop();
      if (server.enabled) slot.begin();
      else await stopped;
    }
    return this.#changed(server);
  }

  /** @throws AppError `not-found`, `store-failed` */
  async remove(serverId: string): Promise<void> {
    await this.#records.remove(serverId);
    const slot = this.#slots.get(serverId);
    this.#slots.delete(serverId);
    this.#emitServers();
    await slot?.stop();
  }

  /**
   * @param options.consent the person saw what would be started and agreed
   * @throws AppError `not-found`, `no-consent`, `store-failed`; a server that can't be stored as off is off until the app ends
   */
  async setEnabled(serverId: string, enabled: boolean, options: { consent?: boolean } = {}): Promise<McpServerView> {
    const server = await this.#records.setEnabled(serverId, enabled, options.consent ?? false).catch(async (error) => {
      if (enabled || !(error instanceof AppError) || error.code !== 'store-failed') throw error;
      this.#changed(this.#records.switchOffForNow(serverId));
      await this.#slot(serverId).stop();
      throw new AppError('store-failed', error.message, {
        hint: 'The server is off now, but will be on again when the app is started again.',
        cause: error,
      });
    });
    if (enabled) this.#slot(serverId).begin();
    else await this.#slot(serverId).stop();
    return this.#changed(server);
  }

  /** Starts connecting every server that is switched on. Returns at once; what becomes of it comes as events. */
  connectEnabled(): void {
    for (const slot of this.#enabledSlots()) slot.begin();
  }

  /** Connects a server, if it isn't. @throws AppError `connect-failed` and others that say why not */
  async connect(serverId: string, options: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#enabledSlot(serverId).connection(options.signal);
  }

  /** Ends the connection of a server until it is needed again. */
  async disconnect(serverId: string): Promise<void> {
    this.#records.get(serverId);
    await this.#slot(serverId).stop();
  }

  /** The machine woke up, or the network is back: connections are looked after at once instead of when their time comes. */
  wake(): void {
    for (const slot of this.#enabledSlots()) slot.wake();
  }

  /** Connects again now, whatever the state. Returns at once. @throws AppError `not-found`, `connect-failed` when it is off */
  restart(serverId: string): void {
    this.#enabledSlot(serverId).restart();
  }

  /** The cached tools, and those that can't be used. A server that is off has none. */
  async tools(
    serverId: string,
    options: { refresh?: boolean } = {},
  ): Promise<{ tools: MCPTool[]; rejected: RejectedTool[] }> {
    const { enabled } = this.#records.get(serverId);
    const slot = this.#slot(serverId);
    if (options.refresh && enabled) await slot.refresh();
    return { tools: slot.listing.tools, rejected: slot.listing.rejected };
  }

  /** The names of a server's tools that no model is offered. @throws AppError `not-found` */
  toolsOff(serverId: string): ReadonlySet<string> {
    return new Set(this.#records.get(serverId).toolsOff);
  }

  /** Holds for the tool of this name whenever it is listed. @throws AppError `not-found`, `store-failed` */
  setToolEnabled(serverId: string, toolName: string, enabled: boolean): Promise<void> {
    return this.#records.setToolEnabled(serverId, toolName, enabled);
  }

  /** The last lines of a server's log, oldest first. */
  log(serverId: string): McpLogEntry[] {
    return this.logOf(serverId).entries();
  }

  /** The log of a server, which goes on growing. @throws AppError `not-found` */
  logOf(serverId: string): ServerLog {
    return this.#slot(serverId).log;
  }

  async listServerTools(serverId: string, options: { signal?: AbortSignal } = {}): Promise<MCPTool[]> {
    const slot = this.#enabledSlot(serverId);
    if (slot.isAsleep) return [...slot.listing.tools];
    await this.#afterSignIn(serverId, () => slot.connection(options.signal), { ...options, onlyUnderWay: true });
    if (!slot.listing.isSettled) await within(slot.listing.settled(), DEFAULT_WAIT_MS);
    return this.#offered(slot);
  }

  async listAllActiveServerTools(options: { waitMs?: number; signal?: AbortSignal } = {}): Promise<MCPTool[]> {
    const { waitMs = DEFAULT_WAIT_MS, signal } = options;
    signal?.throwIfAborted();
    const slots = this.#enabledSlots();
    for (const slot of slots) slot.begin();
    const waiting = slots.map((slot) => whenDone(slot, signal)).filter((done) => done !== undefined);
    if (waiting.length > 0) await within(Promise.all(waiting), waitMs);
    signal?.throwIfAborted();
    const byWireName = new Map<string, MCPTool>();
    for (const slot of slots.filter(({ state }) => state.status === 'ready')) {
      for (const tool of this.#offered(slot)) {
        if (!byWireName.has(tool.id)) byWireName.set(tool.id, tool);
        else
          slot.log.add('protocol', 'warning', `Tool “${tool.name}”: its name towards the model (${tool.id}) is taken.`);
      }
    }
    return [...byWireName.values()];
  }

  lateServers(): string[] {
    return this.#enabledSlots()
      .filter(({ state }) => state.status === 'connecting')
      .map(({ name }) => name);
  }

  callTool(
    serverId: string,
    toolName: string,
    args: Record<string, unknown>,
    callId: string,
    options: {
      signal?: AbortSignal;
      onProgress?: (progress: CallProgress) => void;
      onWaiting?: (isWaiting: boolean) => void;
    } = {},
  ): Promise<MCPCallToolResponse> {
    const { onProgress, onWaiting } = options;
    return this.#calls.run(callId, options.signal, async (signal) => {
      const call = async () => {
        const slot = this.#enabledSlot(serverId);
        const response = await slot.call(toolName, args, { signal, callId, onProgress, onWaiting });
        return withOutputWarnings(slot.listing.find(toolName), response);
      };
      return this.#afterSignIn(serverId, call, { signal, onProgress, onWaiting });
    });
  }

  /** Asks a server for what is no call of a tool; see {@link ServerSlot.request}. Connects it when needed. */
  async request<T>(
    serverId: string,
    what: string,
    work: Parameters<typeof ServerSlot.prototype.request<T>>[1],
    signal: AbortSignal = new AbortController().signal,
  ): Promise<T> {
    return this.#enabledSlot(serverId).request(what, work, signal);
  }

  cancelCall(callId: string): boolean {
    return this.#calls.cancel(callId);
  }

  /**
   * Starts a server apart from the pool, lists its tools and ends it. The person typed it in: that is the consent.
   * @param serverId the stored server whose secrets stand in for null values
   * @throws AppError `invalid-config`, `connect-failed`, `secret-unreadable`
   */
  async testConnection(
    draft: ServerInput,
    serverId?: string,
  ): Promise<{ toolNames: string[]; rejected: RejectedTool[]; ms: number }> {
    const server = expanded(await this.#records.completeDraft(draft, serverId));
    if (this.#closed) throw new AppError('connect-failed', 'The app is closing.');
    const log = new ServerLog(this.#clock);
    const redact = redactor(server.config);
    log.redact = redact;
    const test = new AbortController();
    const done = Promise.withResolvers<void>();
    this.#tests.set(test, done.promise);
    const startedAt = performance.now();
    let connection: McpConnection | undefined;
    try {
      const options = { era: 'auto' as const, signal: test.signal, onToolsChanged: () => {}, onLost: () => {} };
      connection = await this.#connect(server, log, options);
      const { tools, rejected } = await connection.listTools({ idleMs: DEFAULT_LIMITS.startMs, signal: test.signal });
      return { toolNames: tools.map(({ name }) => name), rejected, ms: Math.round(performance.now() - startedAt) };
    } catch (error) {
      throw explainConnectFailure(error, server.name, redact).error;
    } finally {
      await connection?.close().catch(() => {});
      this.#tests.delete(test);
      done.resolve();
    }
  }

  /** The transport that a server's type asks for. @throws AppError `invalid-config`, which names what is wrong */
  createTransport(server: McpServerRecord, log: ServerLog['add'] = () => {}, as = server.type): Transport {
    const fetch = this.#options.oauth?.fetchFor(server) ?? this.#options.fetch;
    return createTransport(server, { processes: this.#options.processes, fetch, log }, as);
  }

  /** Ends every call and every connection, in parallel, and refuses new ones. Resolves when nothing is left. */
  closeAll(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#calls.cancelAll();
    for (const test of this.#tests.keys()) test.abort();
    await Promise.all([...this.#tests.values(), ...[...this.#slots.values()].map((slot) => slot.stop())]);
  }

  #addSlot(server: StoredServer): void {
    const { id } = server;
    const log = new ServerLog(this.#clock);
    const slot = new ServerSlot(
      { ...server, era: eraOf(server) },
      {
        resolve: (serverId) => this.#resolve(serverId),
        connect: (record, options) =>
          this.#connect(record, log, {
            ...options,
            onContentChanged: (change) => this.events.emit('content', { serverId: id, change }),
          }),
        log,
        clock: this.#clock,
        retryTimes: this.#options.retryTimes ?? DEFAULT_RETRY_TIMES,
        onState: (state) => this.events.emit('state', { serverId: id, state }),
        onTools: () => this.events.emit('tools', { serverId: id }),
        onEra: (era) => {
          const failed = (error: unknown) =>
            this.#options.logger.warn('What a server speaks could not be stored', { error: String(error) });
          void this.#records.rememberEra(id, era).catch(failed);
        },
      },
    );
    this.#slots.set(id, slot);
  }

  /** What is about to be started, after making sure that it may be. */
  async #resolve(serverId: string): Promise<McpServerRecord> {
    if (this.#closed) throw new AppError('connect-failed', 'The app is closing.');
    const stored = this.#records.get(serverId);
    if (!isConsented(stored)) throw noConsent(stored.name);
    const server = await this.#records.open(serverId);
    if (server.builtin === undefined) return expanded(server);
    const config = this.#options.resolveBuiltin?.(server.builtin, server.builtinOptions ?? {});
    if (!config) throw new AppError('invalid-config', `This version of the app has no server “${server.builtin}”.`);
    return { ...server, config };
  }

  #connect(
    server: McpServerRecord,
    log: ServerLog,
    options: {
      era: Era;
      signal: AbortSignal;
      onToolsChanged: () => void;
      onContentChanged?: (change: ContentChange) => void;
      onLost: (error: unknown) => void;
      onInstalling?: (line: string) => void;
    },
  ): Promise<McpConnection> {
    const { person } = this.#options;
    const { onInstalling } = options;
    const installs = server.type === 'stdio' && mayInstall(server.config);
    if (installs) onInstalling?.('');
    return McpConnection.open({
      ...options,
      ...(installs && { installMs: INSTALL_MS, onOutput: onInstalling }),
      link: person && { server, ...person, log: (level, text) => log.add('protocol', level, text) },
      type: server.type,
      createTransport: (as, onOutput) => {
        const add: ServerLog['add'] = (source, level, text) => {
          log.add(source, level, text);
          if (source === 'stderr' || source === 'stdout') onOutput(text);
        };
        return this.createTransport(server, add, as);
      },
      clientInfo: this.#options.clientInfo,
      startMs: server.limits?.startMs ?? (installs ? INSTALL_SILENCE_MS : DEFAULT_LIMITS.startMs),
      log: log.add,
      messages: log.messages,
    });
  }

  #afterSignIn<T>(
    serverId: string,
    work: () => Promise<T>,
    options: Omit<Parameters<typeof afterSignIn<T>>[3], 'needsSignIn'>,
  ): Promise<T> {
    const needsSignIn = () => this.#slots.get(serverId)?.state.status === 'needs-sign-in';
    return afterSignIn(this.#options.oauth, serverId, work, { ...options, needsSignIn });
  }

  #slot(serverId: string): ServerSlot {
    const slot = this.#slots.get(serverId);
    if (!slot) throw new AppError('not-found', 'This server does not exist any more.');
    return slot;
  }

  /** The slot of a server that may be connected. */
  #enabledSlot(serverId: string): ServerSlot {
    const server = this.#records.get(serverId);
    if (this.#closed) throw new AppError('connect-failed', 'The app is closing.');
    if (!server.enabled) {
      throw new AppError('connect-failed', `The server “${server.name}” is switched off.`, {
        hint: 'Switch it on in the settings.',
      });
    }
    return this.#slot(serverId);
  }

  /** A new list of those of its tools that are switched on. */
  #offered({ id, listing }: ServerSlot): MCPTool[] {
    const off = this.#records.find(id)?.toolsOff ?? [];
    return off.length === 0 ? [...listing.tools] : listing.tools.filter(({ name }) => !off.includes(name));
  }

  #enabledSlots(): ServerSlot[] {
    if (this.#closed) return [];
    return this.#records.list().flatMap(({ id, enabled }) => (enabled ? [this.#slot(id)] : []));
  }

  #changed(server: StoredServer): McpServerView {
    this.#emitServers();
    return viewOf(server);
  }

  #emitServers(): void {
    this.events.emit('servers', { servers: this.listServers() });
  }
}

/** Everything that a connection depends on, sealed secrets included. */
const connectionKey = ({ type, config, env, headers, limits }: StoredServer): string =>
  JSON.stringify([type, config, env, headers, limits?.maxFrameBytes]);

/** The server as it is started, with what its placeholders stand for. Throws AppError `invalid-config`. */
function expanded(server: McpServerRecord): McpServerRecord {
  const config = expandConfig(server.config, server.name);
  checkConfig({ ...server, config });
  return { ...server, config };
}

/** Resolves when a server is no longer connecting or listing; undefined when it isn't. */
function whenDone(slot: ServerSlot, signal: AbortSignal | undefined): Promise<void> | undefined {
  if (slot.state.status === 'connecting') {
    const wait = async (): Promise<void> => {
      while (slot.state.status === 'connecting' && !signal?.aborted) await slot.nextState(signal);
    };
    // Whoever aborts is told by the caller.
    return wait().catch(() => {});
  }
  return slot.listing.isSettled ? undefined : slot.listing.settled();
}

const within = (work: Promise<unknown>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void work.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
