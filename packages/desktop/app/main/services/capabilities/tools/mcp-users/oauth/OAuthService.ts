import type { McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import type { McpServerRecord } from '@shared/contracts/mcp-types.ts';
import type { SignInStatus } from '@shared/contracts/oauth.contract.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { Clock, DocumentStore, Fetch, Logger, SecretBox } from '../../../../ports/infrastructure.ts';
import type { Challenge } from './authorization-servers.ts';
import { type Grant, Grants } from './grants.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { prepareSignIn, type SignInAttempt } from './sign-in-attempt.ts';
import { signInFailed } from './sign-in-failed.ts';
import { TokenSource } from './token-source.ts';

/** How long a sign-in may take the person, in all. */
const SIGN_IN_MS = 10 * 60_000;
/** Telling the service that a token is given up is a courtesy. */
const REVOKE_MS = 5000;

export interface OAuthServiceOptions {
  store: DocumentStore;
  secrets: SecretBox;
  fetch: Fetch;
  logger: Logger;
  appName: string;
  /** Opens a page in the system's browser; false where it was refused. Called for nothing but a click of the person's. */
  openExternal(url: string): Promise<boolean>;
  servers(): McpServerStatus[];
  /** Connects a server anew. */
  restart(serverId: string): void;
  onChange(status: SignInStatus): void;
  /** Told every token and client secret, so that no log holds it. */
  onSecret?(value: string): void;
  clock?: Clock;
  /** Address of the app's client-ID metadata document. Default: none, so that the app registers itself. */
  clientMetadataUrl?: string;
  /** Longest time of one sign-in, in milliseconds. Default: ten minutes. */
  signInMs?: number;
}

interface Running {
  controller: AbortController;
  step: 'prepare' | 'confirm' | 'browser';
  attempt?: SignInAttempt;
}

interface Standing {
  challenge?: Challenge;
  running?: Running;
  /** Id of the client of a sign-in that came to nothing, and perhaps because of it. */
  doubtfulClient?: string;
  error?: AppError;
  waiting: Set<PromiseWithResolvers<void>>;
}

/**
 * Signing in to MCP servers with OAuth 2.1. Nothing is opened by itself: `prepare` finds out where, `open` is the person's
 * click. Time spent here counts against no limit of a call.
 */
export class OAuthService {
  readonly #options: OAuthServiceOptions;
  readonly #clock: Clock;
  readonly #grants: Grants;
  readonly #standings = new Map<string, Standing>();
  /** By server and origin. */
  readonly #sources = new Map<string, TokenSource>();

  constructor(options: OAuthServiceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date;
    this.#grants = new Grants(options);
  }

  /** Every server that can be signed in to. */
  async list(): Promise<SignInStatus[]> {
    const servers = this.#options.servers().filter(({ server }) => canSignIn(server.type, server.config.headerNames));
    return Promise.all(servers.map(({ server }) => this.#status(server.id)));
  }

  /** What sends the requests of a server: with its token, unless its own headers say who we are. */
  fetchFor(server: Pick<McpServerRecord, 'id' | 'type' | 'config'>): Fetch {
    const { fetch } = this.#options;
    const { url, headers } = server.config;
    if (!url || !URL.canParse(url) || !canSignIn(server.type, Object.keys(headers ?? {}))) return fetch;
    return this.#source(server.id, new URL(url).origin).fetch;
  }

  /**
   * Finds out where to sign in, and makes the app known there. A sign-in that was under way is given up.
   * @throws AppError `not-found`, `sign-in-failed`, `client-needed`, `cancelled`, `weak-secrets`, `store-failed`
   */
  async prepare(serverId: string, client?: { id: string; secret?: string }): Promise<{ host: string }> {
    const url = this.#urlOf(serverId);
    const standing = this.#standing(serverId);
    standing.running?.controller.abort(givenUp());
    const controller = new AbortController();
    const running: Running = { controller, step: 'prepare' };
    standing.running = running;
    standing.error = undefined;
    const timer = setTimeout(() => controller.abort(tooLate()), this.#options.signInMs ?? SIGN_IN_MS);
    timer.unref();
    controller.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      this.#ended(serverId, running, controller.signal.reason);
    });
    this.#changed(serverId);
    try {
      running.attempt = await prepareSignIn({
        ...this.#options,
        clock: this.#clock,
        grants: this.#grants,
        serverId,
        serverUrl: url,
        challenge: standing.challenge,
        client,
        doubtfulClient: standing.doubtfulClient,
        signal: controller.signal,
      });
    } catch (error) {
      clearTimeout(timer);
      // A missing client is a question, which whoever waits for the sign-in can outlive.
      if (error instanceof AppError && error.code === 'client-needed' && standing.running === running)
        standing.running = undefined;
      else this.#ended(serverId, running, error);
      this.#changed(serverId);
      throw error;
    }
    running.step = 'confirm';
    this.#changed(serverId);
    return { host: running.attempt.authorizationUrl.host };
  }

  /** Opens the prepared page, and returns; what becomes of it is told by `onChange`. @throws AppError `sign-in-failed` */
  async open(serverId: string): Promise<void> {
    const running = this.#standings.get(serverId)?.running;
    if (!running?.attempt) throw signInFailed('No sign-in is prepared.', { hint: 'Begin again.' });
    const { attempt } = running;
    if (running.step === 'confirm') {
      running.step = 'browser';
      this.#changed(serverId);
      void attempt.finish().then(
        () => this.#succeeded(serverId, running),
        (error: unknown) => this.#ended(serverId, running, error),
      );
    }
    const opened = await this.#options.openExternal(attempt.authorizationUrl.href).catch(() => false);
    if (opened) return;
    const error = signInFailed('The browser could not be opened.', { hint: 'Check the system’s default browser.' });
    running.controller.abort(error);
    throw error;
  }

  /** Gives up a sign-in that is under way. */
  cancel(serverId: string): void {
    this.#standings.get(serverId)?.running?.controller.abort(givenUp());
  }

  /** Forgets the tokens of a server, and tells the service where it can be told. @throws AppError `store-failed` */
  async signOut(serverId: string): Promise<void> {
    const { origin } = new URL(this.#urlOf(serverId));
    this.cancel(serverId);
    const grant = await this.#grants.get(serverId, origin);
    await this.#grants.update(serverId, origin, (stored) => stored && { ...stored, tokens: undefined });
    this.#changed(serverId);
    if (grant?.tokens) void this.#revoke(grant);
    if (this.#isEnabled(serverId)) this.#options.restart(serverId);
  }

  /** Whether waiting for a sign-in makes sense: the server has asked for one, in the way of OAuth. */
  isWanted(serverId: string): boolean {
    if (this.isUnderWay(serverId)) return true;
    return this.#standings.get(serverId)?.challenge !== undefined && this.#grants.has(serverId);
  }

  /** Whether the person is signing in to this server right now. */
  isUnderWay(serverId: string): boolean {
    return this.#standings.get(serverId)?.running !== undefined;
  }

  /**
   * Waits, as long as it takes, until the person has signed in.
   * @throws AppError why the sign-in came to nothing, when one was begun; the signal's reason
   */
  signedIn(serverId: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { waiting } = this.#standing(serverId);
    const waiter = Promise.withResolvers<void>();
    const onAbort = () => waiter.reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    waiting.add(waiter);
    return waiter.promise.finally(() => {
      waiting.delete(waiter);
      signal?.removeEventListener('abort', onAbort);
    });
  }

  /**
   * Forgets what belongs to servers that are gone, and gives up what was under way for them. Whoever waits for a sign-in to one
   * of them, or to one that was switched off, is told so.
   */
  async keepOnly(serverIds: ReadonlySet<string>): Promise<void> {
    for (const [id, standing] of this.#standings) {
      if (!serverIds.has(id) || !this.#isEnabled(id)) for (const waiter of standing.waiting) waiter.reject(givenUp());
      if (serverIds.has(id)) continue;
      standing.running?.controller.abort(givenUp());
      this.#standings.delete(id);
    }
    for (const [key, { serverId }] of this.#sources) if (!serverIds.has(serverId)) this.#sources.delete(key);
    await this.#grants.keepOnly(serverIds);
  }

  /** Gives up every sign-in that is under way. */
  close(): void {
    for (const { running, waiting } of this.#standings.values()) {
      running?.controller.abort(givenUp());
      for (const waiter of waiting) waiter.reject(givenUp());
    }
  }

  #source(serverId: string, origin: string): TokenSource {
    const key = `${serverId} ${origin}`;
    let source = this.#sources.get(key);
    if (!source) {
      const { fetch, logger } = this.#options;
      source = new TokenSource({
        serverId,
        origin,
        grants: this.#grants,
        fetch,
        clock: this.#clock,
        logger,
        onChallenge: (challenge) => {
          this.#standing(serverId).challenge = challenge;
          this.#changed(serverId);
        },
        onAccepted: () => {
          const standing = this.#standings.get(serverId);
          if (standing?.challenge?.needs !== 'sign-in') return;
          standing.challenge = undefined;
          this.#changed(serverId);
        },
      });
      this.#sources.set(key, source);
    }
    return source;
  }

  #succeeded(serverId: string, running: Running): void {
    const standing = this.#standing(serverId);
    if (standing.running !== running) return;
    standing.running = undefined;
    standing.challenge = undefined;
    const state = this.#options.servers().find(({ server }) => server.id === serverId)?.state;
    // A connection that stands takes the new token with its next request.
    if (state && state.status !== 'ready' && this.#isEnabled(serverId)) this.#options.restart(serverId);
    for (const waiter of standing.waiting) waiter.resolve();
    this.#changed(serverId);
  }

  #ended(serverId: string, running: Running, thrown: unknown): void {
    const standing = this.#standings.get(serverId);
    if (standing?.running !== running) return;
    standing.running = undefined;
    const client = running.step === 'browser' ? running.attempt?.client : undefined;
    if (client?.isDoubtful) standing.doubtfulClient = client.id;
    const error = thrown instanceof AppError ? thrown : signInFailed(String(thrown));
    standing.error = error.code === 'cancelled' ? undefined : error;
    for (const waiter of standing.waiting) waiter.reject(error);
    this.#changed(serverId);
  }

  async #revoke({ origin, metadata, client, tokens }: Grant): Promise<void> {
    if (!metadata || !('revocation_endpoint' in metadata) || !metadata.revocation_endpoint || !tokens) return;
    const endpoint = metadata.revocation_endpoint;
    const body = new URLSearchParams({ token: tokens.refreshToken ?? tokens.accessToken, client_id: client.client_id });
    if (client.client_secret) body.set('client_secret', client.client_secret);
    try {
      const fetch = guardedFetch(this.#options.fetch, origin);
      await fetch(endpoint, { method: 'POST', body, signal: AbortSignal.timeout(REVOKE_MS) });
    } catch (error) {
      this.#options.logger.info('A token could not be revoked', { error: String(error) });
    }
  }

  async #status(serverId: string): Promise<SignInStatus> {
    const { challenge, running, error } = this.#standing(serverId);
    const grant = await this.#grants.get(serverId, new URL(this.#urlOf(serverId)).origin);
    return {
      serverId,
      signedIn: grant?.tokens !== undefined,
      needs: challenge?.needs,
      attempt: running && { step: running.step, host: running.attempt?.authorizationUrl.host },
      error: error?.toInfo(),
    };
  }

  #changed(serverId: string): void {
    void this.#status(serverId).then(
      (status) => this.#options.onChange(status),
      // The server is gone.
      () => {},
    );
  }

  #standing(serverId: string): Standing {
    let standing = this.#standings.get(serverId);
    if (!standing) {
      standing = { waiting: new Set() };
      this.#standings.set(serverId, standing);
    }
    return standing;
  }

  #isEnabled(serverId: string): boolean {
    return this.#options.servers().some(({ server }) => server.id === serverId && server.enabled);
  }

  #urlOf(serverId: string): string {
    const found = this.#options.servers().find(({ server }) => server.id === serverId)?.server;
    const { url } = found?.config ?? {};
    if (found && url && URL.canParse(url) && canSignIn(found.type, found.config.headerNames)) return url;
    throw new AppError('not-found', 'There is no such server to sign in to.');
  }
}

/** A program has no sign-in, and a key that the person entered says who we are. */
const canSignIn = (type: string, headerNames: string[]): boolean =>
  type !== 'stdio' && !headerNames.some((name) => name.toLowerCase() === 'authorization');

const givenUp = () => new AppError('cancelled', 'The sign-in was cancelled.');
const tooLate = () => signInFailed('The sign-in took too long.', { hint: 'Begin again.' });
