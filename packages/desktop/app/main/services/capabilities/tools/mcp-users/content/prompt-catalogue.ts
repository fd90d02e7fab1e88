import type { CallOutput } from '@shared/contracts/contract.ts';
import type { McpContentContract } from '@shared/contracts/mcp-content.contract.ts';
import type { McpPrompt } from '@shared/contracts/mcp-content-types.ts';
import { AppError } from '../../../../ports/errors.ts';
import { isNotSupported } from '../connection-errors.ts';
import { readListPages } from '../list-pages.ts';
import { CachedListing } from './cached-listing.ts';
import { answerOf, type ContentServers, requestLimits } from './content-servers.ts';
import { readPrompt } from './lenient-content.ts';
import { readPromptResult } from './prompt-text.ts';

type Listing = CallOutput<McpContentContract, 'prompts'>;
type FilledPrompt = CallOutput<McpContentContract, 'prompt'>;

const NONE: Listing = { supported: false, prompts: [], rejected: [] };

/** The prompts of one server. */
export class PromptCatalogue {
  readonly #serverId: string;
  readonly #servers: ContentServers;
  readonly #listing: CachedListing<Listing>;

  constructor(serverId: string, servers: ContentServers) {
    this.#serverId = serverId;
    this.#servers = servers;
    this.#listing = new CachedListing(() => this.#load());
  }

  /** @throws AppError when the server can't be asked */
  list(refresh?: boolean): Promise<Listing> {
    return this.#listing.get(refresh);
  }

  invalidate(): void {
    this.#listing.invalidate();
  }

  /** A prompt filled in, as text with attachments. @throws AppError when the server gives none */
  async fill(prompt: { name: string; serverName: string; values: Record<string, string> }): Promise<FilledPrompt> {
    const { name, serverName, values } = prompt;
    const { signal } = new AbortController();
    const result = await this.#servers.request(this.#serverId, `the prompt “${name}”`, (connection, limits) => {
      if (!connection.offers.prompts) {
        throw new AppError('not-supported', `The server “${serverName}” does not offer prompts.`);
      }
      return connection.requestAsking('prompts/get', { name, arguments: values }, { ...requestLimits(limits), signal });
    });
    const filled = readPromptResult(answerOf(result), { serverId: this.#serverId, serverName });
    if (filled.text === '' && filled.attachments.length === 0) {
      throw new AppError('refused', `There is nothing in the prompt “${name}” of “${serverName}”.`);
    }
    return filled;
  }

  #load(): Promise<{ value: Listing; ttlMs?: number }> {
    return this.#servers.request(this.#serverId, 'to list its prompts', async (connection, limits) => {
      if (!connection.offers.prompts) return { value: NONE };
      try {
        const { entries, rejected, warnings, ttlMs } = await readListPages<McpPrompt>(
          (cursor) => connection.request('prompts/list', cursor === undefined ? {} : { cursor }, requestLimits(limits)),
          { field: 'prompts', things: 'prompts', read: readPrompt, keyOf: ({ name }) => name },
        );
        const odd = warnings.map((reason) => ({ name: '(list)', reason }));
        return { value: { supported: true, prompts: entries, rejected: [...rejected, ...odd] }, ttlMs };
      } catch (error) {
        if (isNotSupported(error)) return { value: NONE };
        throw error;
      }
    });
  }
}
