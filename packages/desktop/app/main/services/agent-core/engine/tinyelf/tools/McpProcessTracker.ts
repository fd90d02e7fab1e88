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
 * Tracks the processes of the engine's direct connections, so that they end even when the app doesn't end as it should. Whole
 * process trees are ended, by their owner in `platform/process`.
 */
export class McpProcessTracker {
  static #instance: McpProcessTracker | undefined;
  readonly #connections = new Map<TrackedConnection, Promise<void> | undefined>();

  private constructor() {
    process.on('exit', () => this.#killAll());
  }

  static getInstance(): McpProcessTracker {
    McpProcessTracker.#instance ??= new McpProcessTracker();
    return McpProcessTracker.#instance;
  }

  track(connection: TrackedConnection): void {
    if (!this.#connections.has(connection)) this.#connections.set(connection, undefined);
  }

  /** Closes in good order within 3 seconds, otherwise by force. Resolves when the process is gone; never rejects. */
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
    await Promise.race([connection.close().catch(() => {}), late]);
    clearTimeout(timer);
    await connection.process.kill().catch(() => connection.process.killSync());
    this.#connections.delete(connection);
  }

  #killAll(): void {
    for (const connection of this.#connections.keys()) connection.process.killSync();
  }
}
