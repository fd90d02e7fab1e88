import type { McpLogEntry, McpMessageFacts } from '@shared/contracts/mcp-types.ts';
import type { Clock } from '../../../ports/infrastructure.ts';
import { cut } from './log/cut.ts';
import { MessageRecorder } from './log/message-recorder.ts';
import { LONGEST_SECRET } from './redact.ts';

const KEPT_ENTRIES = 1000;
/** Names and messages come from servers: an entry is cut here, whatever it is about. */
const LONGEST_ENTRY = 4096;
/** What is read of an entry to be redacted: redaction may take long for a long text. */
const LONGEST_RAW = LONGEST_ENTRY * 2;
/** All kept texts together, in characters. */
const KEPT_CHARS = 4 * 1024 * 1024;

type Redact = (text: string) => string;

interface Kept {
  readonly number: number;
  readonly at: number;
  readonly source: McpLogEntry['source'];
  readonly level: McpLogEntry['level'];
  readonly raw: string;
  /** As it was when the entry came: secrets that are changed later are still hidden in it. */
  readonly redact: Redact;
  readonly message: McpMessageFacts | undefined;
  /** The raw text with its secrets hidden; made when somebody reads it, since most lines are never read. */
  entry?: McpLogEntry;
}

/** The last entries of one server's log. Adding to it is cheap: servers may write thousands of lines a second. */
export class ServerLog {
  /** The JSON-RPC messages of this server. */
  readonly messages: MessageRecorder;
  readonly #clock: Clock;
  #entries: Kept[] = [];
  #chars = 0;
  #latest = 0;
  #onGrowth: (() => void)[] = [];
  /** Hides the server's secrets; set when they are known. */
  redact: Redact = (text) => text;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.messages = new MessageRecorder((level, json, facts) => this.#keep('message', level, json, facts));
  }

  readonly add = (source: McpLogEntry['source'], level: McpLogEntry['level'], text: string): void =>
    this.#keep(source, level, text, undefined);

  /** The number of the newest entry that there ever was; 0 before the first. */
  get latest(): number {
    return this.#latest;
  }

  /** Oldest first; those after number `after`, where it is given. */
  entries(after = 0): McpLogEntry[] {
    const first = this.#latest - this.#entries.length + 1;
    return this.#entries
      .slice(Math.max(0, after + 1 - first))
      .slice(-KEPT_ENTRIES)
      .map(shown);
  }

  /** Drops all entries. Their numbers are not used again. */
  clear(): void {
    this.#entries = [];
    this.#chars = 0;
  }

  /** Resolves when the next entry comes, at the latest after `ms`. */
  grown(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#onGrowth = this.#onGrowth.filter((other) => other !== done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      timer.unref();
      this.#onGrowth.push(done);
    });
  }

  #keep(source: McpLogEntry['source'], level: McpLogEntry['level'], text: string, message?: McpMessageFacts): void {
    const raw = cut(text, LONGEST_RAW);
    this.#latest += 1;
    this.#chars += raw.length;
    this.#entries.push({
      number: this.#latest,
      at: this.#clock.now(),
      source,
      level,
      raw,
      redact: this.redact,
      message,
    });
    // Cut now and then, not at each entry.
    if (this.#entries.length > KEPT_ENTRIES * 2 || this.#chars > KEPT_CHARS) this.#trim();
    if (this.#onGrowth.length > 0) for (const tell of this.#onGrowth) tell();
  }

  #trim(): void {
    let start = Math.max(0, this.#entries.length - KEPT_ENTRIES);
    this.#entries = this.#entries.slice(start);
    this.#chars = this.#entries.reduce((sum, { raw }) => sum + raw.length, 0);
    for (start = 0; this.#chars > KEPT_CHARS / 2 && start < this.#entries.length - 1; start += 1) {
      this.#chars -= this.#entries[start]?.raw.length ?? 0;
    }
    this.#entries = this.#entries.slice(start);
  }
}

function shown(kept: Kept): McpLogEntry {
  if (kept.entry) return kept.entry;
  const { number, at, source, level, raw, redact, message } = kept;
  const redacted = redact(raw);
  // Redaction makes texts shorter: the end may have come into sight, where a part of a secret may stand.
  const end = raw.length < LONGEST_RAW ? redacted.length : Math.max(0, redacted.length - LONGEST_SECRET);
  const text = redacted.slice(0, Math.min(end, LONGEST_ENTRY));
  // A method and an id are texts of the server's too.
  const facts = message && {
    ...message,
    method: message.method && redact(message.method),
    id: message.id && redact(message.id),
  };
  kept.entry = { number, at, source, level, text, ...(facts && { message: facts }) };
  return kept.entry;
}
