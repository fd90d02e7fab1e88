import type { McpLogEntry } from '@shared/contracts/mcp-types.ts';
import type { Clock } from '../../../ports/infrastructure.ts';

const KEPT_ENTRIES = 1000;
/** Names and messages come from servers: an entry is cut here, whatever it is about. */
const LONGEST_ENTRY = 4096;

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
    // Cut twice: redaction may take long for a long text, and what is cut before it may be half a secret.
    const redacted = this.redact(text.slice(0, LONGEST_ENTRY * 2)).slice(0, LONGEST_ENTRY);
    const entry = { serverId: this.#serverId, at: this.#clock.now(), source, level, text: redacted };
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
