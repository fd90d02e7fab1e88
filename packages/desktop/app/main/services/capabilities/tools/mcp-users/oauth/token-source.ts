import { OAuthError, OAuthErrorCode, refreshAuthorization } from '@modelcontextprotocol/client';
import type { Clock, Fetch, Logger } from '../../../../ports/infrastructure.ts';
import type { Challenge } from './authorization-servers.ts';
import type { Grant, Grants, Tokens } from './grants.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { readChallenge } from './read-challenge.ts';

/** How long the loser of a refresh waits for the winner, another process of the app, to have written its tokens. */
const WINNER_MS = 1500;
const LOOK_AGAIN_MS = 100;

/** Errors by which a service says that it does not know the client. */
export const CLIENT_REFUSED: string[] = [OAuthErrorCode.InvalidClient, OAuthErrorCode.UnauthorizedClient];
/** Nothing is said of the token: the same may be taken a little later. */
const FOR_NOW: string[] = [
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
  'slow_down',
];
/** A longer time means no limit. In seconds, a hundred years. */
const LONGEST_LIFE = 100 * 365 * 24 * 3600;

export interface TokenSourceOptions {
  serverId: string;
  /** Origin of the MCP server. */
  origin: string;
  grants: Grants;
  fetch: Fetch;
  clock: Clock;
  logger: Logger;
  /** The server refused us, and no token that we have helps. */
  onChallenge(challenge: Challenge): void;
  /** The server took a request. */
  onAccepted(): void;
}

/** The tokens of one server: puts them on its requests and keeps them fresh, with one refresh in flight. */
export class TokenSource {
  readonly #options: TokenSourceOptions;
  #refreshing: Promise<string | undefined> | undefined;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
  }

  get serverId(): string {
    return this.#options.serverId;
  }

  /** `fetch` with the token on every request to the server's own origin. A refused request is repeated once with a fresh token. */
  readonly fetch: Fetch = async (input, init) => {
    const { origin, fetch } = this.#options;
    const url = input instanceof Request ? input.url : input;
    if (new URL(url).origin !== origin) return fetch(input, init);
    const token = await this.#current();
    const response = await fetch(input, withToken(init, token));
    if (response.status === 403) this.#noteMissingScope(response, url);
    if (response.ok) this.#options.onAccepted();
    if (response.status !== 401) return response;
    const fresh = token === undefined ? undefined : await this.#newerThan(token);
    if (fresh === undefined) {
      this.#challenged(response, url);
      return response;
    }
    await response.body?.cancel();
    const second = await fetch(input, withToken(init, fresh));
    if (second.ok) this.#options.onAccepted();
    if (second.status === 401) this.#challenged(second, url);
    if (second.status === 403) this.#noteMissingScope(second, url);
    return second;
  };

  async #current(): Promise<string | undefined> {
    const tokens = (await this.#grant())?.tokens;
    if (!tokens) return undefined;
    const isOver = tokens.expiresAt !== undefined && tokens.expiresAt <= this.#options.clock.now();
    if (!isOver || tokens.refreshToken === undefined) return tokens.accessToken;
    // An old token is still worth a try: clocks differ.
    return (await this.#newerThan(tokens.accessToken)) ?? tokens.accessToken;
  }

  /** A token other than the refused one: from the store when someone has refreshed it already, else by refreshing. */
  async #newerThan(refused: string): Promise<string | undefined> {
    const stored = (await this.#grant())?.tokens?.accessToken;
    if (stored !== undefined && stored !== refused) return stored;
    this.#refreshing ??= this.#refresh(refused).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(refused: string): Promise<string | undefined> {
    const { serverId, origin, grants, fetch, clock, logger } = this.#options;
    const grant = await this.#grant();
    const refreshToken = grant?.tokens?.refreshToken;
    if (grant?.tokens?.accessToken !== refused) return grant?.tokens?.accessToken;
    if (!grant || refreshToken === undefined) return undefined;
    try {
      const answer = await refreshAuthorization(grant.authorizationServerUrl, {
        metadata: grant.metadata,
        clientInformation: grant.client,
        refreshToken,
        resource: grant.resource,
        fetchFn: guardedFetch(fetch, origin),
      });
      const tokens = readTokens(answer, grant.tokens.scope, clock);
      await grants.update(serverId, origin, (stored) => stored && { ...stored, tokens });
      return tokens.accessToken;
    } catch (error) {
      if (!(error instanceof OAuthError) || FOR_NOW.includes(error.code)) throw error;
      logger.info('A refresh token was refused', { serverId, code: error.code });
      const winners = await this.#winnersToken(refreshToken);
      if (winners !== undefined) return winners;
      const clientIsGone = CLIENT_REFUSED.includes(error.code);
      // Any other refusal is of the request, and says nothing of the token.
      if (!clientIsGone && error.code !== OAuthErrorCode.InvalidGrant) return undefined;
      await grants.update(serverId, origin, (stored) => withoutRefused(stored, refreshToken, clientIsGone));
      return undefined;
    }
  }

  /** The access token that someone else got with the refresh token that was refused to us. */
  async #winnersToken(refused: string): Promise<string | undefined> {
    for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
      const tokens = (await this.#grant())?.tokens;
      if (tokens && tokens.refreshToken !== refused) return tokens.accessToken;
      if (!tokens || waited >= WINNER_MS) return undefined;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  #grant(): Promise<Grant | undefined> {
    return this.#options.grants.get(this.#options.serverId, this.#options.origin);
  }

  #challenged(response: Response, url: string | URL): void {
    const { resourceMetadataUrl, scope } = readChallenge(response, url);
    this.#options.onChallenge({ resourceMetadataUrl, scope, needs: 'sign-in' });
  }

  #noteMissingScope(response: Response, url: string | URL): void {
    const { resourceMetadataUrl, scope, error } = readChallenge(response, url);
    if (error === 'insufficient_scope') this.#options.onChallenge({ resourceMetadataUrl, scope, needs: 'more-rights' });
  }
}

/** Takes an answer of the token endpoint apart. @param asked the scope that counts as granted when the answer names none */
export function readTokens(
  answer: { access_token: string; refresh_token?: string; expires_in?: number; scope?: string },
  asked: string | undefined,
  clock: Clock,
): Tokens {
  const lifetime = answer.expires_in;
  const isKnown = lifetime !== undefined && lifetime > 0 && lifetime < LONGEST_LIFE;
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    scope: answer.scope ?? asked,
    // Without one, the token is good until it is refused.
    expiresAt: isKnown ? clock.now() + lifetime * 1000 : undefined,
  };
}

/**
 * Takes away the tokens that were refused, and nothing that came in the meantime.
 * @param clientIsGone the client was refused too: it goes with them
 */
export function withoutRefused(
  stored: Grant | undefined,
  refreshToken: string,
  clientIsGone = false,
): Grant | undefined {
  if (stored?.tokens?.refreshToken !== refreshToken) return stored;
  return clientIsGone ? undefined : { ...stored, tokens: undefined };
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}
