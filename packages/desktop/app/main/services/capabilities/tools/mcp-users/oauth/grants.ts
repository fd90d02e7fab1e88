import type { AuthorizationServerMetadata, OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import type { DocumentStore, Logger, SecretBox } from '../../../../ports/infrastructure.ts';

export interface Tokens {
  accessToken: string;
  refreshToken?: string;
  /** What was granted, space-separated; absent where the server didn't say and nothing was asked for. */
  scope?: string;
  /** Milliseconds since the epoch. */
  expiresAt?: number;
}

/** What one server gave us: the client it knows us as and, while signed in, its tokens. */
export interface Grant {
  /** Origin of the MCP server that this belongs to; it is sent to no other one. */
  origin: string;
  /** The authorization server that gave it; client and tokens are worth nothing to another one. */
  issuer: string;
  authorizationServerUrl: string;
  metadata?: AuthorizationServerMetadata;
  resource?: string;
  client: OAuthClientInformationMixed;
  /** The redirect that the client is registered with; absent for a client that the person entered. */
  redirectUri?: string;
  tokens?: Tokens;
}

interface StoredDocument {
  version: 1;
  /** Sealed grants by server id. */
  grants: Record<string, string>;
}

export interface GrantsOptions {
  /** Read anew each time: another process of the app may have written it. */
  store: DocumentStore;
  secrets: SecretBox;
  logger: Logger;
  /** Told every token and client secret, so that no log holds it. */
  onSecret?(value: string): void;
}

/** Clients and tokens at rest, sealed, in a document of their own. */
export class Grants {
  readonly #options: GrantsOptions;
  /** What was opened last, so that the keyring isn't asked for each request. */
  readonly #opened = new Map<string, { sealed: string; grant: Grant }>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: GrantsOptions) {
    this.#options = options;
  }

  /** Whether there may be one, without opening it. */
  has(serverId: string): boolean {
    return this.#document().grants[serverId] !== undefined;
  }

  /** undefined when there is none for this origin, or it can't be opened (which means: sign in again). */
  async get(serverId: string, origin: string): Promise<Grant | undefined> {
    const sealed = this.#document().grants[serverId];
    if (sealed === undefined) return undefined;
    let grant = this.#opened.get(serverId)?.sealed === sealed ? this.#opened.get(serverId)?.grant : undefined;
    if (!grant) {
      try {
        grant = JSON.parse(await this.#options.secrets.open(sealed)) as Grant;
      } catch (error) {
        this.#options.logger.warn('A stored sign-in can not be opened', { serverId, error: String(error) });
        return undefined;
      }
      this.#opened.set(serverId, { sealed, grant });
      this.#tellSecrets(grant);
    }
    return grant.origin === origin ? grant : undefined;
  }

  /**
   * Replaces what is stored by what `change` makes of it; undefined removes it. Changes of this process take turns.
   * @throws AppError `weak-secrets`, `store-failed`
   */
  update(
    serverId: string,
    origin: string,
    change: (stored: Grant | undefined) => Grant | undefined,
  ): Promise<Grant | undefined> {
    return this.#inTurn(async () => {
      const before = await this.get(serverId, origin);
      const after = change(before);
      if (after === before) return after;
      if (after) this.#tellSecrets(after);
      const sealed = after && (await this.#options.secrets.seal(JSON.stringify(after)));
      this.#write((grants) => {
        if (sealed === undefined) delete grants[serverId];
        else grants[serverId] = sealed;
      });
      return after;
    });
  }

  /** Forgets everything of servers that are gone. */
  async keepOnly(serverIds: ReadonlySet<string>): Promise<void> {
    await this.#inTurn(async () => {
      const gone = Object.keys(this.#document().grants).filter((id) => !serverIds.has(id));
      if (gone.length === 0) return;
      this.#write((grants) => {
        for (const id of gone) delete grants[id];
      });
    });
  }

  #tellSecrets({ client, tokens }: Grant): void {
    for (const value of [client.client_secret, tokens?.accessToken, tokens?.refreshToken])
      if (value) this.#options.onSecret?.(value);
  }

  #document(): StoredDocument {
    const document = this.#options.store.read() as Partial<StoredDocument> | undefined;
    const { grants } = document ?? {};
    return { version: 1, grants: grants && typeof grants === 'object' ? grants : {} };
  }

  #write(change: (grants: Record<string, string>) => void): void {
    const grants = { ...this.#document().grants };
    change(grants);
    this.#options.store.write({ version: 1, grants });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    // Whoever waits for it learns of a failure; the next in the queue doesn't.
    this.#queue = done.catch(() => {});
    return done;
  }
}
