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
/** All of them are in the list of rejected tools. */
const REJECTED_LOGGED = 50;

/** The tools of one server as last listed, and when to list them again. */
export class ToolListing {
  readonly #serverId: string;
  readonly #log: LogSink;
  readonly #onChange: () => void;
  #serverName: string;
  #definitions: ToolDefinition[] = [];
  #listedAsRejected: RejectedTool[] = [];
  #tools: MCPTool[] = [];
  #rejected: RejectedTool[] = [];
  #connection: McpConnection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #firstChangeAt = 0;
  #running: Promise<void> | undefined;
  #changedMeanwhile = false;
  #settled: { promise: Promise<void>; resolve: () => void } | undefined;

  constructor(options: { serverId: string; serverName: string; log: LogSink; onChange: () => void }) {
    this.#serverId = options.serverId;
    this.#serverName = options.serverName;
    this.#log = options.log;
    this.#onChange = options.onChange;
  }

  get tools(): MCPTool[] {
    return this.#tools;
  }

  get rejected(): RejectedTool[] {
    return this.#rejected;
  }

  /** Wire names are made from the server's name. */
  rename(serverName: string): void {
    this.#serverName = serverName;
    this.#derive();
  }

  /** Lists the tools of a new connection. Throws what listing throws; the old list stays then. */
  async load(connection: McpConnection, signal?: AbortSignal): Promise<void> {
    this.#connection = connection;
    const listed = await connection.listTools({ idleMs: LIST_IDLE_MS, signal });
    if (this.#connection !== connection) return;
    for (const warning of listed.warnings) this.#log('protocol', 'warning', warning);
    for (const { name, reason } of listed.rejected.slice(0, REJECTED_LOGGED)) {
      this.#log('protocol', 'warning', `Tool “${name}”: ${reason}`);
    }
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
    if (this.#running) {
      this.#changedMeanwhile = true;
      return;
    }
    const now = performance.now();
    if (this.#timer) clearTimeout(this.#timer);
    else this.#firstChangeAt = now;
    const wait = Math.min(DEBOUNCE_MS, Math.max(0, this.#firstChangeAt + MAX_DEBOUNCE_MS - now));
    this.#timer = setTimeout(() => this.#refresh(true), wait);
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
    this.#running = this.load(connection).then(
      () => this.#refreshed(false),
      (error) => {
        if (this.#connection !== connection) return this.#refreshed(false);
        this.#log('protocol', 'warning', `The changed list of tools could not be read: ${String(error)}`);
        this.#refreshed(mayRetry);
      },
    );
  }

  #refreshed(retry: boolean): void {
    this.#running = undefined;
    const again = this.#changedMeanwhile;
    this.#changedMeanwhile = false;
    if (again) this.changed();
    else this.#settle();
    if (retry && !this.#timer && this.#connection) this.#timer = setTimeout(() => this.#refresh(false), RETRY_MS);
  }

  #settle(): void {
    this.#settled?.resolve();
    this.#settled = undefined;
  }

  #derive(): void {
    const byId = new Map<string, MCPTool>();
    const doubles: RejectedTool[] = [];
    for (const { name, title, description, inputSchema, annotations } of this.#definitions) {
      const id = wireName(this.#serverName, name);
      const tool = {
        id,
        serverId: this.#serverId,
        serverName: this.#serverName,
        name,
        title,
        description,
        inputSchema,
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
