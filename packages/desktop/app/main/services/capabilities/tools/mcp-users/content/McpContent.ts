import type { CallOutput, ParsedInput } from '@shared/contracts/contract.ts';
import type { McpContentContract } from '@shared/contracts/mcp-content.contract.ts';
import type { AttachmentPart, AttachmentRequest } from '@shared/contracts/mcp-content-types.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { EventSink } from '../../../../ports/events.ts';
import { isNotSupported } from '../connection-errors.ts';
import { type ContentServers, requestLimits } from './content-servers.ts';
import { limitMessageParts, readCompletion } from './lenient-content.ts';
import { PromptCatalogue } from './prompt-catalogue.ts';
import { expandTemplate, ResourceCatalogue } from './resource-catalogue.ts';

type Output<K extends keyof McpContentContract['calls']> = CallOutput<McpContentContract, K>;
type Input<K extends keyof McpContentContract['calls']> = ParsedInput<McpContentContract, K>;

/** A change is told at most this often, however often a server tells it. */
const TELL_MS = 500;

interface Watched {
  serverId: string;
  uri: string;
  /** Absent while it isn't followed. */
  end?: () => Promise<void>;
  /** The server is being asked, on whichever connection there will be. */
  asking: boolean;
  /** The connection is gone, so that it has to be followed anew. */
  lost: boolean;
}

/** What servers offer besides tools: resources, templates and prompts, listed when someone wants them, and read. */
export class McpContent {
  readonly #servers: ContentServers;
  readonly #events: EventSink;
  readonly #catalogues = new Map<string, { resources: ResourceCatalogue; prompts: PromptCatalogue }>();
  readonly #toTell = new Map<string, NodeJS.Timeout>();
  #watched: Watched | undefined;

  constructor(servers: ContentServers, events: EventSink) {
    this.#servers = servers;
    this.#events = events;
    servers.events.on('content', ({ serverId, change }) => {
      if (change.kind === 'resource') {
        const payload = { serverId, uri: change.uri };
        const isWatched = this.#watched?.serverId === serverId && this.#watched.uri === change.uri;
        if (isWatched)
          this.#tell(`${serverId} ${change.uri}`, () => events.emit({ type: 'mcpContent.updated', payload }));
        return;
      }
      const { kind } = change;
      this.#catalogues.get(serverId)?.[kind].invalidate();
      this.#tell(`${serverId} ${kind}`, () => events.emit({ type: 'mcpContent.changed', payload: { serverId, kind } }));
    });
    servers.events.on('state', ({ serverId, state }) => this.#stateChanged(serverId, state.status === 'ready'));
    servers.events.on('servers', ({ servers: left }) => {
      const ids = new Set(left.map(({ server }) => server.id));
      for (const id of this.#catalogues.keys()) if (!ids.has(id)) this.#catalogues.delete(id);
    });
  }

  /** @throws AppError `not-found`, or why the server can't be asked */
  resources(serverId: string, refresh?: boolean): Promise<Output<'resources'>> {
    return this.#catalogue(serverId).resources.list(refresh);
  }

  /** @throws AppError as {@link resources} */
  prompts(serverId: string, refresh?: boolean): Promise<Output<'prompts'>> {
    return this.#catalogue(serverId).prompts.list(refresh);
  }

  /** The content of a resource, cut where it is too large. @throws AppError when it can't be read */
  read(resource: { serverId: string; uri: string; name?: string }, signal?: AbortSignal): Promise<AttachmentPart[]> {
    const { serverId, uri, name = uri } = resource;
    const serverName = this.#nameOf(serverId);
    return this.#catalogue(serverId).resources.read({ uri, name, serverName }, signal);
  }

  /** Everything that a message is to be sent with, in its order, as it is now. @throws AppError for the first that can't be read */
  async readAttachments(requests: readonly AttachmentRequest[], signal: AbortSignal): Promise<AttachmentPart[]> {
    const parts = await Promise.all(
      requests.map((request) => (request.kind === 'content' ? [request.part] : this.read(request, signal))),
    );
    return limitMessageParts(parts.flat());
  }

  /** A prompt with its arguments filled in. @throws AppError when the server gives none */
  prompt({ serverId, name, values }: Input<'prompt'>): Promise<Output<'prompt'>> {
    return this.#catalogue(serverId).prompts.fill({ name, values, serverName: this.#nameOf(serverId) });
  }

  /** @throws AppError `refused` when the values make no address */
  expand({ uriTemplate, values }: Input<'expand'>): Output<'expand'> {
    return { uri: expandTemplate(uriTemplate, values) };
  }

  /** Suggestions for an argument; none where the server doesn't make any. @throws AppError when it can't be asked */
  async complete({ serverId, of, argument, context }: Input<'complete'>): Promise<Output<'complete'>> {
    const ref =
      of.type === 'prompt' ? { type: 'ref/prompt', name: of.name } : { type: 'ref/resource', uri: of.uriTemplate };
    const others = Object.keys(context).length > 0 ? { context: { arguments: context } } : {};
    const result = await this.#servers.request(serverId, 'suggestions', async (connection, limits) => {
      if (!connection.offers.completions) return undefined;
      const params = { ref, argument, ...others };
      return connection.request('completion/complete', params, requestLimits(limits)).catch((error) => {
        if (isNotSupported(error)) return undefined;
        throw error;
      });
    });
    return readCompletion(result);
  }

  /** Tells about changes of this resource and of no other from now on. Never rejects. */
  async watch({ serverId, uri }: Input<'watch'>): Promise<Output<'watch'>> {
    this.unwatch();
    const watched: Watched = { serverId, uri, asking: false, lost: false };
    this.#watched = watched;
    return { following: await this.#follow(watched) };
  }

  unwatch(): void {
    const watched = this.#watched;
    this.#watched = undefined;
    void watched?.end?.();
  }

  async #follow(watched: Watched): Promise<boolean> {
    const { serverId, uri } = watched;
    watched.asking = true;
    try {
      const end = await this.#servers.request(serverId, 'to tell about changes', async (connection, limits) =>
        connection.offers.subscriptions ? connection.followResource(uri, requestLimits(limits)) : undefined,
      );
      if (end && this.#watched !== watched) void end();
      else watched.end = end;
      return end !== undefined;
    } catch {
      // Whether it can be read is seen elsewhere; here it is only not followed, until there is another connection.
      watched.lost = true;
      return false;
    } finally {
      watched.asking = false;
    }
  }

  #stateChanged(serverId: string, isReady: boolean): void {
    const watched = this.#watched?.serverId === serverId ? this.#watched : undefined;
    if (!isReady) {
      const catalogue = this.#catalogues.get(serverId);
      catalogue?.resources.invalidate();
      catalogue?.prompts.invalidate();
      if (watched && !watched.asking) {
        watched.end = undefined;
        watched.lost = true;
      }
    } else if (watched?.lost) {
      watched.lost = false;
      void this.#follow(watched);
      this.#events.emit({ type: 'mcpContent.updated', payload: { serverId, uri: watched.uri } });
    }
  }

  /** Once for all that happens within a while. */
  #tell(key: string, emit: () => void): void {
    if (this.#toTell.has(key)) return;
    const timer = setTimeout(() => {
      this.#toTell.delete(key);
      emit();
    }, TELL_MS);
    timer.unref();
    this.#toTell.set(key, timer);
  }

  #nameOf(serverId: string): string {
    const found = this.#servers.listServers().find(({ server }) => server.id === serverId);
    if (!found) throw new AppError('not-found', 'This server does not exist any more.');
    return found.server.name;
  }

  #catalogue(serverId: string) {
    this.#nameOf(serverId);
    let catalogue = this.#catalogues.get(serverId);
    if (!catalogue) {
      catalogue = {
        resources: new ResourceCatalogue(serverId, this.#servers),
        prompts: new PromptCatalogue(serverId, this.#servers),
      };
      this.#catalogues.set(serverId, catalogue);
    }
    return catalogue;
  }
}
