import { randomBytes } from 'node:crypto';
import { exchangeAuthorization, OAuthError, registerClient, startAuthorization } from '@modelcontextprotocol/client';
import { AppError } from '../../../../ports/errors.ts';
import type { Clock, Fetch, Logger } from '../../../../ports/infrastructure.ts';
import { type Challenge, checkIssuer, findSignInPlace, type SignInPlace } from './authorization-servers.ts';
import type { Grant, Grants } from './grants.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { type Loopback, openLoopback } from './loopback.ts';
import { signInFailed } from './sign-in-failed.ts';
import { CLIENT_REFUSED, readTokens } from './token-source.ts';

export interface AttemptOptions {
  serverId: string;
  serverUrl: string;
  challenge?: Challenge;
  /** A client that the service gave the person. */
  client?: { id: string; secret?: string };
  /** Id of a client with which the last sign-in came to nothing: it is used again only where a token may still need it. */
  doubtfulClient?: string;
  appName: string;
  clientMetadataUrl?: string;
  grants: Grants;
  fetch: Fetch;
  clock: Clock;
  logger: Logger;
  /** Aborting it ends the attempt, wherever it is. */
  signal: AbortSignal;
}

interface AttemptClient {
  readonly id: string;
  /** The service may not know it any more, which it says to the person in the browser and not to us. */
  isDoubtful: boolean;
}

/** One sign-in, prepared: what to show in the browser, and what to do when it comes back. */
export interface SignInAttempt {
  authorizationUrl: URL;
  client: AttemptClient;
  /** Waits for the browser to come back and takes the tokens. Rejects with AppError, or the signal's reason. */
  finish(): Promise<void>;
}

/**
 * Finds out where to sign in, makes us known there, and listens for the browser's return. Opens nothing.
 * @throws AppError `sign-in-failed`, `client-needed`, `weak-secrets`, `store-failed`; the signal's reason
 */
export async function prepareSignIn(options: AttemptOptions): Promise<SignInAttempt> {
  const { serverId, serverUrl, grants, signal } = options;
  const fetch = guardedFetch((input, init) => options.fetch(input, { ...init, signal }), serverUrl);
  const { origin } = new URL(serverUrl);
  const old = await grants.get(serverId, origin);
  const place = await findSignInPlace(serverUrl, {
    fetch,
    challenge: options.challenge,
    grantedScope: old?.tokens?.scope,
  });
  signal.throwIfAborted();

  const isDoubtful = old?.client.client_id === options.doubtfulClient && old?.tokens?.refreshToken === undefined;
  const known = old?.issuer === place.issuer && !isDoubtful ? old : undefined;
  const state = randomBytes(32).toString('base64url');
  const port = known?.redirectUri ? Number(new URL(known.redirectUri).port) : undefined;
  const loopback = await openLoopback({ state, appName: options.appName, port });
  signal.addEventListener('abort', loopback.close, { once: true });
  try {
    signal.throwIfAborted();
    const identity = await identify(options, place, known, loopback, fetch);
    const grant: Grant = {
      origin,
      issuer: place.issuer,
      authorizationServerUrl: place.authorizationServerUrl,
      metadata: place.metadata,
      resource: place.resource,
      ...identity,
    };
    // Stored before anything is opened: where secrets can't be kept, nobody signs in for nothing.
    await grants.update(serverId, origin, (stored) => ({
      ...grant,
      tokens: stored?.issuer === grant.issuer ? stored.tokens : undefined,
    }));
    const { authorizationUrl, codeVerifier } = await startAuthorization(place.authorizationServerUrl, {
      metadata: place.metadata,
      clientInformation: grant.client,
      redirectUrl: loopback.redirectUri,
      scope: place.scope,
      state,
      resource: place.resource,
    });
    signal.throwIfAborted();
    const client: AttemptClient = { id: grant.client.client_id, isDoubtful: true };
    return {
      authorizationUrl,
      client,
      finish: () => finish(options, { place, grant, client, loopback, codeVerifier, fetch }).finally(loopback.close),
    };
  } catch (error) {
    loopback.close();
    throw signal.aborted ? signal.reason : asSignInFailure(error);
  }
}

/** Whom the sign-in service knows us as: the person's own client, an earlier registration, or a new one. */
async function identify(
  { client, clientMetadataUrl, appName, logger }: AttemptOptions,
  place: SignInPlace,
  known: Grant | undefined,
  loopback: Loopback,
  fetch: Fetch,
): Promise<Pick<Grant, 'client' | 'redirectUri'>> {
  if (client) return { client: { client_id: client.id, client_secret: client.secret || undefined } };
  if (known && (known.redirectUri === undefined || known.redirectUri === loopback.redirectUri))
    return { client: known.client, redirectUri: known.redirectUri };
  if (place.metadata?.client_id_metadata_document_supported) {
    if (clientMetadataUrl !== undefined) return { client: { client_id: clientMetadataUrl } };
    logger.info('The sign-in service takes client-ID metadata documents; the app has none and registers itself.');
  }
  if (place.metadata && !place.metadata.registration_endpoint) {
    throw new AppError('client-needed', 'The sign-in service does not let apps register themselves.', {
      hint: 'Create an app (OAuth client) in the service’s own settings, and enter its client ID here.',
      details: `Redirect address for it: http://127.0.0.1 (any port), path /callback`,
    });
  }
  const registered = await registerClient(place.authorizationServerUrl, {
    metadata: place.metadata,
    clientMetadata: {
      client_name: appName,
      redirect_uris: [loopback.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: authMethod(place),
      application_type: 'native',
    },
    scope: place.scope,
    fetchFn: fetch,
  });
  return { client: registered, redirectUri: loopback.redirectUri };
}

/** A desktop app can keep no secret of its own, so none is asked for unless the service insists. */
function authMethod({ metadata }: SignInPlace): string {
  const supported = metadata?.token_endpoint_auth_methods_supported ?? [];
  if (supported.length === 0 || supported.includes('none')) return 'none';
  return ['client_secret_basic', 'client_secret_post'].find((method) => supported.includes(method)) ?? 'none';
}

async function finish(
  { serverId, grants, clock, signal }: AttemptOptions,
  attempt: {
    place: SignInPlace;
    grant: Grant;
    client: AttemptClient;
    loopback: Loopback;
    codeVerifier: string;
    fetch: Fetch;
  },
): Promise<void> {
  const { place, grant, loopback, codeVerifier, fetch, client } = attempt;
  try {
    const answer = await orAbort(loopback.redirected, signal);
    // Before anything else of the answer is looked at, its error included.
    checkIssuer(answer.get('iss'), place);
    const refusal = answer.get('error');
    client.isDoubtful = CLIENT_REFUSED.includes(refusal ?? '');
    if (refusal) throw refused(refusal, answer.get('error_description'));
    const code = answer.get('code');
    if (!code) throw signInFailed('The sign-in service sent the browser back without a code.', { hint: 'Try again.' });
    const tokens = await exchangeAuthorization(place.authorizationServerUrl, {
      metadata: place.metadata,
      clientInformation: grant.client,
      authorizationCode: code,
      iss: answer.get('iss') ?? undefined,
      codeVerifier,
      redirectUri: loopback.redirectUri,
      resource: place.resource,
      fetchFn: fetch,
    });
    signal.throwIfAborted();
    await grants.update(serverId, grant.origin, () => ({
      ...grant,
      tokens: readTokens(tokens, place.scope, clock),
    }));
  } catch (error) {
    if (error instanceof OAuthError && CLIENT_REFUSED.includes(error.code)) client.isDoubtful = true;
    throw signal.aborted ? signal.reason : asSignInFailure(error);
  }
}

function refused(code: string, description: string | null): AppError {
  if (code === 'access_denied') return signInFailed('Access was denied on the sign-in page.', { hint: 'Try again.' });
  const details = [code, description].filter(Boolean).join(': ').slice(0, 1000);
  return signInFailed('The sign-in service refused.', { hint: 'Try again, or look at the details.', details });
}

function asSignInFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const details = error instanceof Error ? error.message.slice(0, 2000) : String(error);
  const hint = 'Try again. The details say more.';
  return error instanceof OAuthError
    ? signInFailed('The sign-in service refused.', { hint, details: `${error.code}: ${details}`, cause: error })
    : signInFailed('The sign-in did not work.', { hint, details, cause: error });
}

function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
