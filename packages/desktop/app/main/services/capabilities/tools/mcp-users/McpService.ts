import type { Transport } from '@modelcontextprotocol/client';
import type { McpServerDraft, McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import type {
  CallProgress,
  MCPCallToolResponse,
  MCPTool,
  McpLogEntry,
  McpServerRecord,
  McpServerState,
  McpServerView,
  RejectedTool,
} from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../ports/errors.ts';
import type { Clock, DocumentStore, Logger, SecretBox } from '../../../ports/infrastructure.ts';
import type { McpPool } from '../../../ports/tools.ts';
import { callInTurn } from './builtin/one-at-a-time.ts';
import { CallTracker } from './call-tracker.ts';
import { Emitter } from './emitter.ts';
import type { Imported } from './import/McpImport.ts';
import { afterSignIn } from './oauth/after-sign-in.ts';
import { DEFAULT_RETRY_TIMES } from './retry-policy.ts';
import type { ContentChange } from './server-changes.ts';
import type { ServerInput } from './server-config.ts';
import { type ConnectorOptions, ServerConnector, type TestedServer, type TestOptions } from './server-connector.ts';
import type { ServerLog } from './server-log.ts';
import { type BuiltinEdit, type ChosenBuiltin, type RecordProblem, ServerRecords } from './server-records.ts';
import type { ServerSlot } from './server-slot.ts';
import { ServerSlots } from './server-slots.ts';
import { type StoredServer, viewOf } from './stored-server.ts';
import { targetOf } from './test-limit.ts';
import { withOutputWarnings } from './tool-schemas.ts';

export interface McpServiceOptions extends ConnectorOptions {
  store: DocumentStore;
  secrets: SecretBox;
  logger: Logger;
  clock?: Clock;
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
  readonly #connector: ServerConnector;
  readonly #slots: ServerSlots;
  readonly #calls = new CallTracker();
  #closed: Promise<void> | undefined;

  constructor(options: McpServiceOptions) {
    this.#options = options;
    this.events = new Emitter((error) =>
      options.logger.error('A listener of the MCP service failed', { error: String(error) }),
    );
    this.#records = new ServerRecords(options.store, options.secrets);
    const { clock = Date, logger, retryTimes = DEFAULT_RETRY_TIMES } = options;
    const records = this.#records;
    const connector = new ServerConnector(records, clock, options);
    this.#connector = connector;
    this.#slots = new ServerSlots({ records, connector, events: this.events, clock, retryTimes, logger });
    for (const problem of this.#records.problems)
      options.logger.warn('A stored MCP server can not be read', { ...problem });
  }

  /** For what is loaded from the pool: `setupMcpTools` writes into it. */
  get logger(): Logger {
    return this.#options.logger;
  }

  /** Stored servers that can't be read. They are left in the store as they are. */
  get recordProblems(): readonly RecordProblem[] {
    return this.#records.problems;
  }

  listServers(): McpServerStatus[] {
    return this.#records.list().map((server) => ({ server: viewOf(server), state: this.#slots.get(server.id).state }));
  }

  /**
   * Adds a server that the person typed in, which is the consent for it.
   * @throws AppError `name-taken`, `invalid-config`, `store-failed`
   */
  async add(draft: McpServerDraft, options: { enabled?: boolean } = {}): Promise<McpServerView> {
    const { enabled = true } = options;
    const server = await this.#records.add(draft, enabled);
    this.#slots.add(server);
    const slot = this.#slots.get(server.id);
    const tests = this.#connector.testsOf(draft.config);
    if (tests) slot.attempts.include(tests);
    if (enabled) slot.begin();
    return this.#changed(server);
  }

  /**
   * Adds servers that came from elsewhere, all or none: switched off, without consent, and with another name where it is taken.
   * @throws AppError `invalid-config`, `weak-secrets`, `store-failed`
   */
  async importServers(drafts: McpServerDraft[]): Promise<McpServerView[]> {
    const servers = await this.#records.import(drafts);
    for (const server of servers) this.#slots.add(server);
    this.#emitServers();
    return servers.map(viewOf);
  }

  /** As {@link importServers}, for one, which can be taken back as long as it is as it was added. */
  async addImported(draft: McpServerDraft): Promise<Imported> {
    const [added] = await this.#records.import([draft]);
    if (!added) throw new Error('Nothing was added.');
    this.#slots.add(added);
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
    this.#slots.get(serverId).adopt(after);
    await this.#slots.get(serverId).stop();
    const undo = async () => {
      if (!(await this.#records.putBack(before, after))) return false;
      this.#slots.get(serverId).adopt(before);
      if (before.enabled) this.#slots.get(serverId).begin();
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
    this.#slots.add(server);
    this.#changed(server);
  }

  /**
   * Adds a server that comes with the app and that the person chose, switched on.
   * @throws AppError `name-taken`, `invalid-config` when it is there already, `store-failed`
   */
  async addChosenBuiltin(chosen: ChosenBuiltin): Promise<McpServerView> {
    const server = await this.#records.addChosenBuiltin(chosen);
    this.#slots.add(server);
    this.#slots.get(server.id).begin();
    return this.#changed(server);
  }

  /**
   * Replaces name, type, config, limits and protocol. In `env` and `headers` null keeps the stored secret. Connects anew only when
   * something changed that a connection depends on.
   * @throws AppError `not-found`, `name-taken`, `invalid-config` (a kept secret belongs elsewhere; a built-in), `store-failed`
   */
  async update(serverId: string, input: ServerInput): Promise<McpServerView> {
    return this.#updated(this.#records.get(serverId), await this.#records.update(serverId, input));
  }

  /** Replaces name and options of a server that comes with the app; see {@link update}. @throws as ServerRecords.updateBuiltin */
  async updateBuiltin(serverId: string, edit: BuiltinEdit): Promise<McpServerView> {
    return this.#updated(this.#records.get(serverId), await this.#records.updateBuiltin(serverId, edit));
  }

  async #updated(before: StoredServer, server: StoredServer): Promise<McpServerView> {
    const slot = this.#slots.get(server.id);
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
    const slot = this.#slots.delete(serverId);
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
      await this.#slots.get(serverId).stop();
      throw new AppError('store-failed', error.message, {
        hint: 'The server is off now, but will be on again when the app is started again.',
        cause: error,
      });
    });
    if (enabled) this.#slots.get(serverId).begin();
    else await this.#slots.get(serverId).stop();
    return this.#changed(server);
  }

  /** Starts connecting every server that is switched on. Returns at once; what becomes of it comes as events. */
  connectEnabled(): void {
    for (const slot of this.#slots.allEnabled()) slot.begin();
  }

  /** Connects a server, if it isn't. @throws AppError `connect-failed` and others that say why not */
  async connect(serverId: string, options: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#slots.enabled(serverId).connection(options.signal);
  }

  /** Ends the connection of a server until it is needed again. */
  async disconnect(serverId: string): Promise<void> {
    this.#records.get(serverId);
    await this.#slots.get(serverId).stop();
  }

  /** The machine woke up, or the network is back: connections are looked after at once instead of when their time comes. */
  wake(): void {
    for (const slot of this.#slots.allEnabled()) slot.wake();
  }

  /**
   * Connects again now, whatever the state; see {@link ServerSlot.restart}. Returns at once.
   * @throws AppError `not-found`, `connect-failed` when it is off
   */
  restart(serverId: string): void {
    this.#slots.enabled(serverId).restart();
  }

  /** The cached tools, and those that can't be used. A server that is off has none. */
  async tools(
    serverId: string,
    options: { refresh?: boolean } = {},
  ): Promise<{ tools: MCPTool[]; rejected: RejectedTool[] }> {
    const { enabled } = this.#records.get(serverId);
    const slot = this.#slots.get(serverId);
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
    return this.#slots.get(serverId).log;
  }

  async listServerTools(serverId: string, options: { signal?: AbortSignal } = {}): Promise<MCPTool[]> {
    const slot = this.#slots.enabled(serverId);
    if (slot.isAsleep) return [...slot.listing.tools];
    await this.#afterSignIn(serverId, () => slot.connection(options.signal), { ...options, onlyUnderWay: true });
    slot.listing.renewStale();
    await this.#slots.untilListed([slot], options);
    return this.#slots.offered(slot);
  }

  listAllActiveServerTools(options: { waitMs?: number; signal?: AbortSignal } = {}): Promise<MCPTool[]> {
    return this.#slots.tools(options);
  }

  offeredTool(serverId: string, toolName: string): MCPTool | 'off' | undefined {
    return this.#slots.offeredTool(serverId, toolName);
  }

  lateServers(): string[] {
    return this.#slots.late();
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
        const slot = this.#slots.enabled(serverId);
        const response = await callInTurn(this.#records.find(serverId)?.builtin, signal, () =>
          slot.call(toolName, args, { signal, callId, onProgress, onWaiting }),
        );
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
    return this.#slots.enabled(serverId).request(what, work, signal);
  }

  cancelCall(callId: string): boolean {
    return this.#calls.cancel(callId);
  }

  /**
   * Starts a server apart from the pool, lists its tools and ends it. The person typed it in: that is the consent.
   * @throws as {@link ServerConnector.test}
   */
  testConnection(draft: ServerInput, options: TestOptions = {}): Promise<TestedServer> {
    const stored = options.serverId === undefined ? undefined : this.#records.find(options.serverId);
    const isStored = stored && targetOf(stored.config) === targetOf(draft.config);
    return this.#connector.test(draft, options, isStored ? this.#slots.get(stored.id).attempts : undefined);
  }

  /** Ends a running test. Does nothing when there is none of this id. */
  stopTest(testId: string): void {
    this.#connector.stopTest(testId);
  }

  /** The transport that a server's type asks for. @throws AppError `invalid-config`, which names what is wrong */
  createTransport(server: McpServerRecord): Transport {
    return this.#connector.createTransport(server);
  }

  /** Ends every call and every connection, in parallel, and refuses new ones. Resolves when nothing is left. */
  closeAll(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#calls.cancelAll();
    await Promise.all([this.#connector.close(), this.#slots.close()]);
  }

  #afterSignIn<T>(
    serverId: string,
    work: () => Promise<T>,
    options: Omit<Parameters<typeof afterSignIn<T>>[3], 'needsSignIn'>,
  ): Promise<T> {
    const needsSignIn = () => this.#slots.find(serverId)?.state.status === 'needs-sign-in';
    return afterSignIn(this.#options.oauth, serverId, work, { ...options, needsSignIn });
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
const connectionKey = ({ type, config, env, headers, limits, protocol, builtinOptions }: StoredServer): string =>
  JSON.stringify([type, config, env, headers, limits?.maxFrameBytes, protocol ?? 'auto', builtinOptions]);
