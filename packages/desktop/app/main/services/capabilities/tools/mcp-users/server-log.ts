import type { McpLogEntry } from '@shared/contracts/mcp-types.ts';
import type { Clock } from '../../../ports/infrastructure.ts';

const KEPT_ENTRIES = 1000;

/** The last entries of one server's log. */
export class ServerLog {
  readonly #serverId: string;
  readonly #clock: Clock;
  readonly #onEntry: (entry: McpLogEntry) => void;
  #entries: McpLogEntry[] = [];
  /** Hides the server's secrets; set when they are known. */
  redact: (text: string) => string = (text) => text;

  constructor(serverId: string, clock: Clock, onEntry: (entry: McpLogEntry) => void) {
    this.#serverId = serverId;
    this.#clock = clock;
    this.#onEntry = onEntry;
  }

  readonly add = (source: McpLogEntry['source'], level: McpLogEntry['level'], text: string): void => {
    const entry = { serverId: this.#serverId, at: this.#clock.now(), source, level, text: this.redact(text) };
    this.#entries.push(entry);
    // Cut now and then, not at each entry.
    if (this.#entries.length > KEPT_ENTRIES * 2) this.#entries = this.#entries.slice(-KEPT_ENTRIES);
    this.#onEntry(entry);
  };

  /** Oldest first. */
  entries(): McpLogEntry[] {
    return this.#entries.slice(-KEPT_ENTRIES);
  }
}
