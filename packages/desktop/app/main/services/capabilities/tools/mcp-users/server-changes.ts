import type { Client } from '@modelcontextprotocol/client';
import { ChangeStream } from './change-stream.ts';
import { cut } from './log/cut.ts';
import type { SharedTransport } from './transports/shared-transport.ts';
import type { LogSink } from './transports/stdio-transport.ts';

/** A list that changed, or the one resource that did. */
export type ContentChange = { kind: 'resources' | 'prompts' } | { kind: 'resource'; uri: string };

export interface ServerChangesOptions {
  log: LogSink;
  onToolsChanged: () => void;
  /** Something besides the tools changed. Default: nobody wants to know. */
  onContentChanged?: (change: ContentChange) => void;
}

/** What one connection's server tells by itself: that something it offers changed, and what it logs. */
export class ServerChanges {
  readonly #client: Client;
  readonly #shared: SharedTransport;
  readonly #options: ServerChangesOptions;
  /** Of the newer revision, where a server tells nothing that it wasn't asked for. */
  readonly #streams = new Set<ChangeStream>();
  /** Of the older revisions: the resources that the server is to tell of, with how many want to know. */
  readonly #subscribed = new Map<string, number>();
  #followers = 0;
  #tellsOfTools = false;

  constructor(client: Client, shared: SharedTransport, options: ServerChangesOptions) {
    this.#client = client;
    this.#shared = shared;
    this.#options = options;
  }

  /** The handshake is done: from now on the server is listened to. */
  begin(isModern: boolean): void {
    const { log, onToolsChanged } = this.#options;
    const { tools, resources, prompts } = this.#client.getServerCapabilities() ?? {};
    this.#tellsOfTools = tools?.listChanged === true;
    this.#client.setNotificationHandler('notifications/tools/list_changed', () => onToolsChanged());
    this.#client.setNotificationHandler('notifications/resources/list_changed', () =>
      this.#changed({ kind: 'resources' }),
    );
    this.#client.setNotificationHandler('notifications/prompts/list_changed', () => this.#changed({ kind: 'prompts' }));
    this.#client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      this.#changed({ kind: 'resource', uri: params.uri }),
    );
    this.#client.setNotificationHandler('notifications/message', ({ params }) => {
      const text = typeof params.data === 'string' ? params.data : (JSON.stringify(params.data) ?? '');
      log('protocol', LOG_LEVELS[params.level] ?? 'info', cut(text, 4096));
    });
    const wanted = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
    };
    if (!isModern || Object.keys(wanted).length === 0) return;
    this.#stream({
      listen: () => this.#client.listen(wanted),
      onReopened: () => this.missed(),
      onUnsupported: () => {
        this.#tellsOfTools = false;
        // How long the list holds by its own word counts now.
        if (wanted.toolsListChanged) onToolsChanged();
      },
    }).begin();
  }

  /** The server could tell nothing for a while: what it would have told of may have changed. */
  missed(): void {
    const { tools, resources, prompts } = this.#client.getServerCapabilities() ?? {};
    if (tools?.listChanged) this.#options.onToolsChanged();
    if (resources?.listChanged) this.#changed({ kind: 'resources' });
    if (prompts?.listChanged) this.#changed({ kind: 'prompts' });
    for (const uri of this.#subscribed.keys()) this.#changed({ kind: 'resource', uri });
  }

  /** What the server tells may not arrive any more, without anybody having said so: it is listened to anew. */
  renew(): void {
    for (const stream of this.#streams) stream.renew();
  }

  /** Whether the server says when its tools change. */
  get tellsOfTools(): boolean {
    return this.#tellsOfTools;
  }

  /** Somebody is told when a resource changes, which only a living server can do. */
  get isFollowed(): boolean {
    return this.#followers > 0;
  }

  /**
   * Asks to be told when a resource changes. Resolves, when the server agreed, with what ends it; that never rejects.
   * @throws as {@link SharedTransport.request}
   */
  async follow(uri: string, options: { idleMs: number }): Promise<() => Promise<void>> {
    const end = await this.#subscribe(uri, options);
    this.#followers++;
    return async () => {
      this.#followers--;
      // What a server goes on telling is heard by nobody.
      await end().catch(() => {});
    };
  }

  /** The connection is gone. */
  end(): void {
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
  }

  async #subscribe(uri: string, options: { idleMs: number }): Promise<() => Promise<void>> {
    if (this.#shared.envelope) {
      const stream = this.#stream({
        listen: () => this.#client.listen({ resourceSubscriptions: [uri] }, { timeout: options.idleMs }),
        onReopened: () => this.#changed({ kind: 'resource', uri }),
      });
      const end = () => {
        this.#streams.delete(stream);
        return stream.close();
      };
      await stream.open().catch(async (error) => {
        await end();
        throw error;
      });
      return end;
    }
    // Counted from now on: who ends another subscription meanwhile must not end this one.
    this.#subscribed.set(uri, (this.#subscribed.get(uri) ?? 0) + 1);
    try {
      await this.#shared.request('resources/subscribe', { uri }, options);
    } catch (error) {
      this.#leave(uri);
      throw error;
    }
    return async () => {
      // A server knows no more than that somebody wants to know.
      if (this.#leave(uri) > 0) return;
      await this.#shared.request('resources/unsubscribe', { uri }, { idleMs: options.idleMs });
    };
  }

  /** One less wants to know of a resource. Returns how many still do. */
  #leave(uri: string): number {
    const left = (this.#subscribed.get(uri) ?? 1) - 1;
    if (left > 0) this.#subscribed.set(uri, left);
    else this.#subscribed.delete(uri);
    return left;
  }

  #stream(options: Omit<ConstructorParameters<typeof ChangeStream>[0], 'log'>): ChangeStream {
    const stream = new ChangeStream({ ...options, log: this.#options.log });
    this.#streams.add(stream);
    return stream;
  }

  #changed(change: ContentChange): void {
    this.#options.onContentChanged?.(change);
  }
}

const LOG_LEVELS: Record<string, 'debug' | 'info' | 'warning' | 'error'> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warning',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};
