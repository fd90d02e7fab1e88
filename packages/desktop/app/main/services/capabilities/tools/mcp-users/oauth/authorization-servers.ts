import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  computeScopeUnion,
  discoverOAuthServerInfo,
  IssuerMismatchError,
  type OAuthProtectedResourceMetadata,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import { AppError } from '../../../../ports/errors.ts';
import type { Fetch } from '../../../../ports/infrastructure.ts';
import { checkSecure } from './guarded-fetch.ts';
import { signInFailed } from './sign-in-failed.ts';

/** What a server said when it refused us. */
export interface Challenge {
  resourceMetadataUrl?: URL;
  scope?: string;
  needs: 'sign-in' | 'more-rights';
}

/** Where and how to sign in to one MCP server. */
export interface SignInPlace {
  authorizationServerUrl: string;
  issuer: string;
  metadata?: AuthorizationServerMetadata;
  resource?: string;
  /** What to ask for; undefined asks for whatever the server gives by default. */
  scope?: string;
}

/**
 * Asks the server, and whom it names, where to sign in.
 * @param grantedScope what is granted already; more rights are asked for on top of it
 * @throws AppError `sign-in-failed`
 */
export async function findSignInPlace(
  serverUrl: string,
  options: { fetch: Fetch; challenge?: Challenge; grantedScope?: string },
): Promise<SignInPlace> {
  const { challenge } = options;
  const found = await discoverOAuthServerInfo(serverUrl, {
    resourceMetadataUrl: challenge?.resourceMetadataUrl,
    fetchFn: options.fetch,
  }).catch((error: unknown) => {
    if (error instanceof IssuerMismatchError) {
      throw signInFailed('The sign-in service says that it is another one than the server named.', {
        hint: 'Tell whoever runs the server. Signing in could be unsafe until this is right.',
        cause: error,
      });
    }
    if (error instanceof AppError) throw error;
    throw signInFailed('The server does not say where to sign in.', {
      hint: 'Check its address and the network. If it wants a key, enter it as a header.',
      details: (error instanceof Error ? error.message : String(error)).slice(0, 2000),
      cause: error,
    });
  });
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = found;
  checkResource(serverUrl, resourceMetadata);
  checkPkce(metadata);
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata ?? {};
  for (const endpoint of [authorizationServerUrl, authorization_endpoint, token_endpoint, registration_endpoint])
    if (endpoint !== undefined) checkSecure(endpoint, serverUrl);
  return {
    authorizationServerUrl: String(authorizationServerUrl),
    issuer: metadata?.issuer ?? String(authorizationServerUrl),
    metadata,
    resource: resourceMetadata?.resource,
    scope: chooseScope({ challenge, resourceMetadata, metadata, grantedScope: options.grantedScope }),
  };
}

/** What to ask for: what the refusal named, else what the resource names, with what lets us stay signed in. */
export function chooseScope(from: {
  challenge?: Challenge;
  resourceMetadata?: Pick<OAuthProtectedResourceMetadata, 'scopes_supported'>;
  metadata?: Pick<AuthorizationServerMetadata, 'scopes_supported'>;
  grantedScope?: string;
}): string | undefined {
  const { challenge, resourceMetadata, metadata } = from;
  const wanted = challenge?.scope || resourceMetadata?.scopes_supported?.join(' ') || undefined;
  const scope = challenge?.needs === 'more-rights' ? computeScopeUnion(from.grantedScope, wanted) : wanted;
  if (!scope || !metadata?.scopes_supported?.includes('offline_access')) return scope;
  return computeScopeUnion(scope, 'offline_access');
}

/** A code is never taken from another sign-in service than the one that was asked (RFC 9207). @throws AppError */
export function checkIssuer(iss: string | null, place: Pick<SignInPlace, 'metadata'>): void {
  const { metadata } = place;
  if (!metadata) return;
  const isRequired = metadata.authorization_response_iss_parameter_supported === true;
  if (iss === null ? !isRequired : iss === metadata.issuer) return;
  throw signInFailed('The answer came from another sign-in service than the one that was asked.', {
    hint: 'Nothing was accepted. Try again; if it happens again, tell whoever runs the server.',
  });
}

function checkResource(serverUrl: string, resourceMetadata: OAuthProtectedResourceMetadata | undefined): void {
  if (!resourceMetadata) return;
  const requestedResource = resourceUrlFromServerUrl(serverUrl);
  if (checkResourceAllowed({ requestedResource, configuredResource: resourceMetadata.resource })) return;
  throw signInFailed('The server’s sign-in is meant for another address.', {
    hint: 'Check the address of the server.',
    details: `It says ${resourceMetadata.resource}, and its address is ${requestedResource.href}`,
  });
}

/** Without PKCE a code that leaks is worth a token, so the protocol forbids going on. */
function checkPkce(metadata: AuthorizationServerMetadata | undefined): void {
  if (!metadata || metadata.code_challenge_methods_supported?.includes('S256')) return;
  throw signInFailed('The sign-in service does not protect its codes (PKCE with S256).', {
    hint: 'Tell whoever runs the server: MCP requires it.',
  });
}
