import type { MCPTool, RejectedTool } from '@shared/contracts/mcp-types.ts';
import type { ToolDefinition } from './lenient-tools.ts';
import type { McpConnection } from './mcp-connection.ts';
import { wireName } from './naming.ts';
import type { LogSink } from './transports/stdio-transport.ts';

const DEBOUNCE_MS = 100;
/** A server that never stops telling about changes is asked this often all the same. */
const MAX_DEBOUNCE_MS = 1000;
const RETRY_MS = 2000;
const LIST_IDLE_MS = 60_000;
/** However short a server says that its list holds, it isn't asked more often; and nobody believes a longer time. */
const SHORTEST_TTL_MS = 1000;
const LONGEST_TTL_MS = 24 * 60 * 60 * 1000;
/** A list that could not be read is asked for again by whoever uses it, but not sooner than this. */
const FAILED_TTL_MS = 30_000;
/** All of them are in the list of rejected tools. */
const REJECTED_LOGGED = 50;

/** The tools of one server as last listed, and when to list them again. */
export class ToolListing {
  readonly #serverId: string;
  readonly #log: LogSink;
  readonly #onChange: () => void;
  readonly #onFailure: (error: unknown, connection: McpConnection) => void;
  #serverName: string;
  #definitions: ToolDefinition[] = [];
  #listedAsRejected: RejectedTool[] = [];
  #tools: MCPTool[] = [];
  #rejected: RejectedTool[] = [];
  #connection: McpConnection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #firstChangeAt = 0;
  /** When the list stops holding by the server's own word. */
  #staleAt = Number.POSITIVE_INFINITY;
  #running: Promise<void> | undefined;
  /** Listings that somebody waits for. */
  #loads = 0;
  #changedMeanwhile = false;
  #settled: { promise: Promise<void>; resolve: () => void } | undefined;

  constructor(options: {
    serverId: string;
    serverName: string;
    log: LogSink;
    onChange: () => void;
    /** A list that was announced, or whose time was over, could not be read. */
    onFailure: (error: unknown, connection: McpConnection) => void;
  }) {
    this.#serverId = options.serverId;
    this.#serverName = options.serverName;
    this.#log = options.log;
    this.#onChange = options.onChange;
    this.#onFailure = options.onFailure;
  }

  get tools(): MCPTool[] {
    return this.#tools;
  }

  find(name: string): MCPTool | undefined {
    return this.#tools.find((tool) => tool.name === name);
  }

  get rejected(): RejectedTool[] {
    return this.#rejected;
  }

  /** Wire names are made from the server's name. */
  rename(serverName: string): void {
    this.#serverName = serverName;
    this.#derive();
  }

  /**
   * Lists the tools of a connection. Of a new one, pages that the server has and doesn't hand out are done without. Throws what
   * listing throws; the old list stays then.
   */
  async load(connection: McpConnection, signal?: AbortSignal): Promise<void> {
    const isNew = this.#connection !== connection;
    this.#connection = connection;
    this.#loads += 1;
    try {
      await this.#list(connection, { signal, mayEndEarly: isNew });
    } finally {
      this.#loads -= 1;
      if (this.#loads === 0 && !this.#running) this.#listAgain();
    }
  }

  async #list(connection: McpConnection, options: { signal?: AbortSignal; mayEndEarly: boolean }): Promise<void> {
    const listed = await connection.listTools({ idleMs: LIST_IDLE_MS, ...options });
    if (this.#connection !== connection) return;
    for (const warning of listed.warnings) this.#log('protocol', 'warning', warning);
    for (const { name, reason } of listed.rejected.slice(0, REJECTED_LOGGED)) {
      this.#log('protocol', 'warning', `Tool “${name}”: ${reason}`);
    }
    this.#holds(listed.ttlMs);
    this.#definitions = listed.tools;
    this.#listedAsRejected = listed.rejected;
    this.#derive();
  }

  /** The connection is gone: nothing of what is being listed counts any more. The list itself stays until there is another. */
  detach(): void {
    this.#connection = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changedMeanwhile = false;
    this.#settle();
  }

  clear(): void {
    this.detach();
    this.#definitions = [];
    this.#listedAsRejected = [];
    this.#derive();
  }

  /** The server says that its tools changed. Many such messages make one listing, and one more when some came meanwhile. */
  changed(): void {
    if (!this.#connection) return;
    this.#settled ??= Promise.withResolvers<void>();
    if (this.#running || this.#loads > 0) {
      this.#changedMeanwhile = true;
      return;
    }
    const now = performance.now();
    if (this.#timer) clearTimeout(this.#timer);
    else this.#firstChangeAt = now;
    const wait = Math.min(DEBOUNCE_MS, Math.max(0, this.#firstChangeAt + MAX_DEBOUNCE_MS - now));
    this.#timer = setTimeout(() => this.#refresh(true), wait);
  }

  /** Somebody is about to use the list: it is listed again where its time is over. Ask {@link settled} for the end of that. */
  renewStale(): void {
    if (!this.#connection || this.#running || this.#timer || performance.now() < this.#staleAt) return;
    this.#holds(0);
    this.#settled ??= Promise.withResolvers<void>();
    this.#refresh(false);
  }

  #holds(ttlMs: number | undefined): void {
    const holds = ttlMs === undefined ? ttlMs : Math.min(Math.max(SHORTEST_TTL_MS, ttlMs), LONGEST_TTL_MS);
    this.#staleAt = holds === undefined ? Number.POSITIVE_INFINITY : performance.now() + holds;
  }

  get isSettled(): boolean {
    return this.#settled === undefined;
  }

  /** Resolves when no announced change is waiting to be listed. */
  settled(): Promise<void> {
    return this.#settled?.promise ?? Promise.resolve();
  }

  #refresh(mayRetry: boolean): void {
    this.#timer = undefined;
    const connection = this.#connection;
    if (!connection) return;
    this.#running = this.#list(connection, { mayEndEarly: false }).then(
      () => this.#refreshed(false),
      (error) => {
        if (this.#connection !== connection) return this.#refreshed(false);
        this.#log('protocol', 'warning', `The changed list of tools could not be read: ${String(error)}`);
        this.#holds(FAILED_TTL_MS);
        this.#refreshed(mayRetry);
        this.#onFailure(error, connection);
      },
    );
  }

  #refreshed(retry: boolean): void {
    this.#running = undefined;
    if (!this.#listAgain()) this.#settle();
    if (retry && !this.#timer && this.#connection) this.#timer = setTimeout(() => this.#refresh(false), RETRY_MS);
  }

  /** Whether something changed while it was being listed, which is listed then. */
  #listAgain(): boolean {
    const again = this.#changedMeanwhile;
    this.#changedMeanwhile = false;
    if (again) this.changed();
    return again;
  }

  #settle(): void {
    this.#settled?.resolve();
    this.#settled = undefined;
  }

  #derive(): void {
    const byId = new Map<string, MCPTool>();
    const doubles: RejectedTool[] = [];
    for (const { name, title, description, inputSchema, outputSchema, annotations } of this.#definitions) {
      const id = wireName(this.#serverName, name);
      const tool = {
        id,
        serverId: this.#serverId,
        serverName: this.#serverName,
        name,
        title,
        description,
        inputSchema,
        outputSchema,
        annotations,
      };
      if (byId.has(id))
        doubles.push({ name, reason: `Its name towards the model (${id}) is taken by “${byId.get(id)?.name}”.` });
      else byId.set(id, tool);
    }
    this.#tools = [...byId.values()];
    this.#rejected = [...this.#listedAsRejected, ...doubles];
    this.#onChange();
  }
}
