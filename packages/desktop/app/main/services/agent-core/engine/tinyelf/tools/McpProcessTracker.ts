import type { ManagedProcess } from '../../../../ports/processes.ts';

/** A connection to a stdio server that the engine holds itself, with the process behind it. */
export interface TrackedConnection {
  /** Closes it in good order. */
  close(): Promise<void>;
  readonly process: Pick<ManagedProcess, 'kill' | 'killSync'>;
}

/** How long closing in good order may take. */
const GRACE_MS = 3000;

/**
 * Tracks the processes of the engine's direct connections, so that they end even when the app doesn't end as it should: one by
 * one in good order, all at once, and within the exit of this process. Whole process trees are ended, by their owner in
 * `platform/process`, which also writes each into the ledger from which the next start removes what survived.
 */
export class McpProcessTracker {
  static #instance: McpProcessTracker | undefined;
  /** With what closes it, once that has begun. */
  readonly #connections = new Map<TrackedConnection, Promise<void> | undefined>();

  private constructor() {
    process.on('exit', () => this.#killAll());
  }

  static getInstance(): McpProcessTracker {
    McpProcessTracker.#instance ??= new McpProcessTracker();
    return McpProcessTracker.#instance;
  }

  /** A connection is tracked until it is closed. */
  track(connection: TrackedConnection): void {
    if (!this.#connections.has(connection)) this.#connections.set(connection, undefined);
  }

  /**
   * Closes in good order within 3 seconds, otherwise by force. Resolves when the whole process tree is gone; never rejects.
   * Closing it again is waiting for the same.
   */
  closeConnection(connection: TrackedConnection): Promise<void> {
    const closing = this.#connections.get(connection) ?? this.#close(connection);
    if (this.#connections.has(connection)) this.#connections.set(connection, closing);
    return closing;
  }

  /** Closes all tracked connections in parallel. Never rejects. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#connections.keys()].map((connection) => this.closeConnection(connection)));
  }

  async #close(connection: TrackedConnection): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GRACE_MS);
    });
    // A connection that fails to close is ended by force like one that doesn't come to an end.
    await Promise.race([closeOf(connection).catch(() => {}), late]);
    clearTimeout(timer);
    await connection.process.kill().catch(() => killNow(connection));
    this.#connections.delete(connection);
  }

  #killAll(): void {
    for (const connection of this.#connections.keys()) killNow(connection);
  }
}

/** As a rejection what it throws at once, too. */
const closeOf = async (connection: TrackedConnection): Promise<void> => connection.close();

/** One that can't be killed must not keep the others alive; the watcher of `platform/process` is what is left for it. */
function killNow(connection: TrackedConnection): void {
  try {
    connection.process.killSync();
  } catch (error) {
    console.error('The process of an MCP server could not be killed', error);
  }
}
