import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { McpPool } from '../../../ports/tools.ts';

/** A wait shorter than this isn't worth a word. */
const ANNOUNCE_AFTER_MS = 300;

/**
 * The pool's tools as the requests of one turn get them. The first request waits a while for servers that are still
 * connecting, and says so; a later one doesn't wait again for the same ones: they join when they are there.
 */
export class WaitingListing {
  readonly #pool: Pick<McpPool, 'listAllActiveServerTools' | 'lateServers'>;
  readonly #onWaiting: (serverNames: string[] | null) => void;
  /** Servers that this turn has already waited for in vain. */
  readonly #waitedFor = new Set<string>();

  /** @param onWaiting called with names while a request waits for servers, and with null when it goes on */
  constructor(
    pool: Pick<McpPool, 'listAllActiveServerTools' | 'lateServers'>,
    onWaiting: (serverNames: string[] | null) => void,
  ) {
    this.#pool = pool;
    this.#onWaiting = onWaiting;
  }

  /** The tools of every server that is ready, and the names of those that are late. */
  async list(signal: AbortSignal): Promise<{ tools: MCPTool[]; lateServers: string[] }> {
    const pool = this.#pool;
    const late = pool.lateServers();
    const waitMs = late.length > 0 && late.every((name) => this.#waitedFor.has(name)) ? 0 : undefined;
    let announced = false;
    const timer = setTimeout(() => {
      const names = pool.lateServers();
      announced = names.length > 0;
      if (announced) this.#onWaiting(names);
    }, ANNOUNCE_AFTER_MS);
    try {
      const tools = await pool.listAllActiveServerTools({ waitMs, signal });
      const lateServers = pool.lateServers();
      for (const name of lateServers) this.#waitedFor.add(name);
      return { tools, lateServers };
    } finally {
      clearTimeout(timer);
      if (announced) this.#onWaiting(null);
    }
  }
}
