import type { McpLogEntry, McpMessageFacts } from '@shared/contracts/mcp-types.ts';
import { cut } from './cut.ts';

/** Names are the server's choice; longer ones are cut. */
const LONGEST_NAME = 200;
/** Requests that are never answered must not pile up. */
const MOST_OPEN = 1000;

type Direction = McpMessageFacts['direction'];
type Keep = (level: McpLogEntry['level'], json: string, facts: McpMessageFacts) => void;

/**
 * Takes note of the JSON-RPC messages of one server, while it is asked to. Whoever has a message looks at {@link active}
 * first: that is all that a message costs when nobody wants to know.
 */
export class MessageRecorder {
  readonly #keep: Keep;
  /** Requests that wait for their answer, by direction and id. */
  readonly #open = new Map<string, { method: string; at: number }>();
  #active = false;

  constructor(keep: Keep) {
    this.#keep = keep;
  }

  get active(): boolean {
    return this.#active;
  }

  set active(active: boolean) {
    this.#active = active;
    if (!active) this.#open.clear();
  }

  /** Never throws, whatever the message is. */
  record(direction: Direction, message: unknown): void {
    const { id, method, error } = message as { id?: unknown; method?: unknown; error?: unknown };
    const json = jsonOf(message);
    const bytes = Buffer.byteLength(json);
    const name = typeof method === 'string' ? cut(method, LONGEST_NAME) : undefined;
    // Some servers send numbers back as text.
    const key = id === undefined || id === null ? undefined : cut(String(id), LONGEST_NAME);
    if (name === undefined) {
      const asked = key === undefined ? undefined : this.#take(`${direction === 'in' ? 'out' : 'in'} ${key}`);
      const kind = error === undefined ? 'response' : 'error';
      const ms = asked && performance.now() - asked.at;
      this.#keep(kind === 'error' ? 'warning' : 'debug', json, {
        direction,
        kind,
        method: asked?.method,
        id: key,
        bytes,
        ms,
      });
      return;
    }
    if (key !== undefined) this.#remember(`${direction} ${key}`, name);
    this.#keep('debug', json, {
      direction,
      kind: key === undefined ? 'notification' : 'request',
      method: name,
      id: key,
      bytes,
    });
  }

  #remember(key: string, method: string): void {
    if (this.#open.size >= MOST_OPEN) {
      for (const oldest of this.#open.keys()) {
        this.#open.delete(oldest);
        break;
      }
    }
    this.#open.set(key, { method, at: performance.now() });
  }

  #take(key: string) {
    const asked = this.#open.get(key);
    this.#open.delete(key);
    return asked;
  }
}

/** A message that is nested too deeply can't be written; it isn't worth more than saying so. */
function jsonOf(message: unknown): string {
  try {
    return JSON.stringify(message) ?? '';
  } catch (error) {
    return `(can’t be shown: ${String(error)})`;
  }
}
