import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../ports/errors.ts';
import type { Clock, Logger } from '../../../ports/infrastructure.ts';
import type { Emitter } from './emitter.ts';
import type { McpServiceEvents } from './McpService.ts';
import type { RetryTimes } from './retry-policy.ts';
import type { ServerConnector } from './server-connector.ts';
import { ServerLog } from './server-log.ts';
import type { ServerRecords } from './server-records.ts';
import { ServerSlot } from './server-slot.ts';
import { eraOf, type StoredServer } from './stored-server.ts';

/** How long a listing of all servers waits for those that are still connecting. */
const DEFAULT_WAIT_MS = 5000;

export interface ServerSlotsOptions {
  records: ServerRecords;
  connector: ServerConnector;
  events: Emitter<McpServiceEvents>;
  clock: Clock;
  retryTimes: RetryTimes;
  logger: Logger;
}

/** One slot for each stored server, and what is asked of all of them. */
export class ServerSlots {
  readonly #options: ServerSlotsOptions;
  readonly #slots = new Map<string, ServerSlot>();
  #isClosed = false;

  constructor(options: ServerSlotsOptions) {
    this.#options = options;
    for (const server of options.records.list()) this.add(server);
  }

  add(server: StoredServer): void {
    const { records, connector, events, clock, retryTimes, logger } = this.#options;
    const { id } = server;
    const log = new ServerLog(clock);
    const slot = new ServerSlot(
      { ...server, era: eraOf(server) },
      {
        resolve: (serverId) => connector.resolve(serverId),
        connect: (record, options) =>
          connector.connect(record, log, {
            ...options,
            onContentChanged: (change) => events.emit('content', { serverId: id, change }),
          }),
        log,
        clock,
        retryTimes,
        onState: (state) => events.emit('state', { serverId: id, state }),
        onTools: () => events.emit('tools', { serverId: id }),
        onEra: (era) => {
          const failed = (error: unknown) =>
            logger.warn('What a server speaks could not be stored', { error: String(error) });
          void records.rememberEra(id, era).catch(failed);
        },
      },
    );
    this.#slots.set(id, slot);
  }

  /** @throws AppError `not-found` */
  get(serverId: string): ServerSlot {
    const slot = this.#slots.get(serverId);
    if (!slot) throw new AppError('not-found', 'This server does not exist any more.');
    return slot;
  }

  find(serverId: string): ServerSlot | undefined {
    return this.#slots.get(serverId);
  }

  /** Takes a slot out, without ending it. */
  delete(serverId: string): ServerSlot | undefined {
    const slot = this.#slots.get(serverId);
    this.#slots.delete(serverId);
    return slot;
  }

  /** The slot of a server that may be connected. @throws AppError `not-found`, `connect-failed` */
  enabled(serverId: string): ServerSlot {
    const server = this.#options.records.get(serverId);
    if (this.#isClosed) throw new AppError('connect-failed', 'The app is closing.');
    if (!server.enabled) {
      throw new AppError('connect-failed', `The server “${server.name}” is switched off.`, {
        hint: 'Switch it on in the settings.',
      });
    }
    return this.get(serverId);
  }

  /** Those of all servers that are switched on. */
  allEnabled(): ServerSlot[] {
    if (this.#isClosed) return [];
    return this.#options.records.list().flatMap(({ id, enabled }) => (enabled ? [this.get(id)] : []));
  }

  /** A new list of those of its tools that are switched on. */
  offered({ id, listing }: ServerSlot): MCPTool[] {
    const off = this.#options.records.find(id)?.toolsOff ?? [];
    return off.length === 0 ? [...listing.tools] : listing.tools.filter(({ name }) => !off.includes(name));
  }

  /** One tool as it is offered now; see McpPool. */
  offeredTool(serverId: string, toolName: string): MCPTool | 'off' | undefined {
    if (this.#options.records.find(serverId)?.toolsOff?.includes(toolName)) return 'off';
    const slot = this.find(serverId);
    return slot?.state.status === 'ready' ? slot.listing.find(toolName) : undefined;
  }

  /** The tools of all servers that are switched on, after a wait for those that are still connecting. */
  async tools(options: { waitMs?: number; signal?: AbortSignal } = {}): Promise<MCPTool[]> {
    const { signal } = options;
    signal?.throwIfAborted();
    const slots = this.allEnabled();
    for (const slot of slots) {
      slot.begin();
      slot.listing.renewStale();
    }
    await this.untilListed(slots, options);
    signal?.throwIfAborted();
    const byWireName = new Map<string, MCPTool>();
    for (const slot of slots.filter(({ state }) => state.status === 'ready')) {
      for (const tool of this.offered(slot)) {
        if (!byWireName.has(tool.id)) byWireName.set(tool.id, tool);
        else
          slot.log.add('protocol', 'warning', `Tool “${tool.name}”: its name towards the model (${tool.id}) is taken.`);
      }
    }
    return [...byWireName.values()];
  }

  /** Waits for those that are still connecting or being listed, but not longer than `waitMs`. Never rejects. */
  async untilListed(slots: ServerSlot[], options: { waitMs?: number; signal?: AbortSignal }): Promise<void> {
    const { waitMs = DEFAULT_WAIT_MS, signal } = options;
    const waiting = slots.map((slot) => whenDone(slot, signal)).filter((done) => done !== undefined);
    if (waiting.length > 0) await within(Promise.all(waiting), waitMs);
  }

  /** The names of those that are still connecting. */
  late(): string[] {
    return this.allEnabled()
      .filter(({ state }) => state.status === 'connecting')
      .map(({ name }) => name);
  }

  /** Ends every connection, in parallel, and gives no slot for another. Resolves when nothing is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#slots.values()].map((slot) => slot.stop()));
  }
}

/** Resolves when a server is no longer connecting or listing; undefined when it isn't. */
function whenDone(slot: ServerSlot, signal: AbortSignal | undefined): Promise<void> | undefined {
  const isConnecting = () => slot.state.status === 'connecting';
  const isDone = () => !isConnecting() && slot.listing.isSettled;
  if (isDone()) return undefined;
  const wait = async (): Promise<void> => {
    // Listing may find out that there has to be a new connection.
    while (!isDone() && !signal?.aborted) {
      await (isConnecting() ? slot.nextState(signal) : slot.listing.settled());
    }
  };
  // Whoever aborts is told by the caller.
  return wait().catch(() => {});
}

/** Waits for the work, but not longer. */
const within = (work: Promise<unknown>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void work.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
