import type { McpLogEntry } from '@shared/contracts/mcp-types.ts';
import type { ServerLog } from '../server-log.ts';

/** How long a reader waits for something to read. */
const LONGEST_WAIT_MS = 10_000;
/** What comes within this time of the first entry comes with it. */
const BATCH_MS = 100;
/** A reader that doesn't come back within this time is gone. */
const GRACE_MS = 5000;

export interface McpLogOptions {
  /** The log of a server. Throws AppError `not-found`. */
  logOf: (serverId: string) => ServerLog;
  times?: { longestWaitMs: number; batchMs: number; graceMs: number };
}

interface Watch {
  readers: number;
  /** Somebody wants messages to be recorded, whether or not they are read. */
  recording: boolean;
  leaving: NodeJS.Timeout | undefined;
}

/**
 * Hands out the logs of the servers. Readers ask, and ask again: a reader that is slow, or gone, costs nothing, and a server
 * that writes a lot comes in batches that have a largest size. Messages are recorded only while somebody reads, or wants it.
 */
export class McpLog {
  readonly #logOf: McpLogOptions['logOf'];
  readonly #times: NonNullable<McpLogOptions['times']>;
  readonly #watches = new WeakMap<ServerLog, Watch>();

  constructor({ logOf, times }: McpLogOptions) {
    this.#logOf = logOf;
    this.#times = times ?? { longestWaitMs: LONGEST_WAIT_MS, batchMs: BATCH_MS, graceMs: GRACE_MS };
  }

  /**
   * All entries that are kept, oldest first; or those after number `after`, as soon as there are some, and none after a while.
   * @throws AppError `not-found`
   */
  async read(
    serverId: string,
    after?: number,
  ): Promise<{ entries: McpLogEntry[]; latest: number; recording: boolean }> {
    const log = this.#logOf(serverId);
    const watch = this.#watchOf(log);
    clearTimeout(watch.leaving);
    watch.readers += 1;
    log.messages.active = true;
    try {
      if (after !== undefined) {
        if (log.latest <= after) await log.grown(this.#times.longestWaitMs);
        await new Promise((resolve) => setTimeout(resolve, this.#times.batchMs));
      }
      return { entries: log.entries(after), latest: log.latest, recording: watch.recording };
    } finally {
      watch.readers -= 1;
      this.#leave(log, watch);
    }
  }

  /** @throws AppError `not-found` */
  setRecording(serverId: string, recording: boolean): void {
    const log = this.#logOf(serverId);
    const watch = this.#watchOf(log);
    watch.recording = recording;
    if (recording) log.messages.active = true;
    else this.#leave(log, watch);
  }

  /** @throws AppError `not-found` */
  clear(serverId: string): void {
    this.#logOf(serverId).clear();
  }

  #leave(log: ServerLog, watch: Watch): void {
    clearTimeout(watch.leaving);
    watch.leaving = setTimeout(() => {
      if (watch.readers === 0 && !watch.recording) log.messages.active = false;
    }, this.#times.graceMs);
    watch.leaving.unref();
  }

  #watchOf(log: ServerLog): Watch {
    const known = this.#watches.get(log);
    if (known) return known;
    const watch: Watch = { readers: 0, recording: false, leaving: undefined };
    this.#watches.set(log, watch);
    return watch;
  }
}
