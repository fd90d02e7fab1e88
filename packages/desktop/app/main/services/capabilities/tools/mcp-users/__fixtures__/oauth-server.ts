import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OAuthServerOptions {
  /** How long an access token lives, in seconds. Default: an hour. */
  expiresIn?: number;
  /** A refresh answer has no new refresh token, and the old one stays good. */
  keepsRefreshTokens?: boolean;
  /** How long a refresh takes, in milliseconds. Default: none. */
  refreshMs?: number;
  /** Changes what the token endpoint answers with. */
  tokens?: (answer: Record<string, unknown>) => Record<string, unknown>;
  /** The error that a refresh is refused with, the token being left as it is. Looked at for each. Default: none. */
  refreshError?: () => string | undefined;
  /** Apps can't register themselves. This client is known. */
  client?: { id: string; secret: string };
  /** Changes the redirect of the authorization page: what a liar, or a person who says no, would send. */
  redirect?: (parameters: URLSearchParams) => void;
  /** Changes the metadata of the authorization server. */
  metadata?: (metadata: Record<string, unknown>) => void;
}

interface Client {
  redirectUris: string[];
  secret?: string;
}

/**
 * An authorization server and an MCP server that takes its tokens, on two ports. Strict: PKCE is verified, codes and refresh
 * tokens work once, redirects must be the registered ones. Tools: `echo`, and `admin`, which wants the scope `admin`.
 */
export async function startOAuthServers(options: OAuthServerOptions = {}) {
  const clients = new Map<string, Client>();
  if (options.client) clients.set(options.client.id, { redirectUris: [], secret: options.client.secret });
  const codes = new Map<string, { client: string; challenge: string; redirectUri: string; scope: string }>();
  const refreshTokens = new Map<string, { client: string; scope: string }>();
  const accessTokens = new Map<string, { scope: string; expiresAt: number }>();
  const counts = { registrations: 0, authorizations: 0, refreshes: 0, refusedRefreshes: 0, revocations: 0, calls: 0 };
  const seen = { authorize: [] as URL[], bearers: [] as (string | undefined)[] };

  const grant = (client: string, scope: string, refreshToken?: string) => {
    const token = randomUUID();
    accessTokens.set(token, { scope, expiresAt: Date.now() + (options.expiresIn ?? 3600) * 1000 });
    const next = refreshToken ?? randomUUID();
    refreshTokens.set(next, { client, scope });
    const answer = {
      access_token: token,
      token_type: 'Bearer',
      expires_in: options.expiresIn ?? 3600,
      scope,
      ...(refreshToken ? {} : { refresh_token: next }),
    };
    return options.tokens?.(answer) ?? answer;
  };

  const token = async (form: URLSearchParams, response: ServerResponse) => {
    const refuse = (error: string) => json(response, 400, { error });
    const clientId = form.get('client_id') ?? '';
    const client = clients.get(clientId);
    if (!client || client.secret !== (form.get('client_secret') ?? undefined)) return refuse('invalid_client');
    if (form.get('grant_type') === 'authorization_code') {
      const code = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const fits =
        code?.client === clientId && code.redirectUri === form.get('redirect_uri') && code.challenge === challenge;
      if (!code || !fits || form.get('resource') !== mcpUrl) return refuse('invalid_grant');
      return json(response, 200, grant(clientId, code.scope));
    }
    if (form.get('grant_type') !== 'refresh_token') return refuse('unsupported_grant_type');
    counts.refreshes++;
    const error = options.refreshError?.();
    if (error !== undefined) return refuse(error);
    const given = form.get('refresh_token') ?? '';
    const known = refreshTokens.get(given);
    if (!options.keepsRefreshTokens) refreshTokens.delete(given);
    await new Promise((resolve) => setTimeout(resolve, options.refreshMs ?? 0));
    if (known?.client !== clientId) {
      counts.refusedRefreshes++;
      return refuse('invalid_grant');
    }
    return json(response, 200, grant(clientId, known.scope, options.keepsRefreshTokens ? given : undefined));
  };

  const authorize = (url: URL, response: ServerResponse) => {
    counts.authorizations++;
    seen.authorize.push(url);
    const { searchParams: asked } = url;
    const client = clients.get(asked.get('client_id') ?? '');
    const redirectUri = asked.get('redirect_uri') ?? '';
    const isKnown =
      client?.redirectUris.includes(redirectUri) || /^http:\/\/127\.0\.0\.1:\d+\/callback$/.test(redirectUri);
    const challenge = asked.get('code_challenge');
    if (!client || !isKnown || (!client.secret && !client.redirectUris.includes(redirectUri)))
      return json(response, 400, { error: 'invalid_request' });
    if (!challenge || asked.get('code_challenge_method') !== 'S256' || !asked.get('state'))
      return json(response, 400, { error: 'invalid_request' });
    const code = randomUUID();
    codes.set(code, { client: asked.get('client_id') ?? '', challenge, redirectUri, scope: asked.get('scope') ?? '' });
    const target = new URL(redirectUri);
    target.search = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer }).toString();
    options.redirect?.(target.searchParams);
    return response.writeHead(302, { location: target.href }).end();
  };

  const authServer = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    const body = await bodyOf(request);
    if (url.pathname === '/.well-known/oauth-authorization-server') {
      const metadata: Record<string, unknown> = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        revocation_endpoint: `${issuer}/revoke`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: [options.client ? 'client_secret_post' : 'none'],
        authorization_response_iss_parameter_supported: true,
        ...(options.client ? {} : { registration_endpoint: `${issuer}/register` }),
      };
      options.metadata?.(metadata);
      return json(response, 200, metadata);
    }
    if (url.pathname === '/register' && !options.client) {
      counts.registrations++;
      const id = randomUUID();
      const asked = JSON.parse(body) as { redirect_uris: string[] };
      clients.set(id, { redirectUris: asked.redirect_uris });
      return json(response, 201, { ...asked, client_id: id });
    }
    if (url.pathname === '/authorize') return authorize(url, response);
    if (url.pathname === '/token') return token(new URLSearchParams(body), response);
    if (url.pathname === '/revoke') {
      counts.revocations++;
      return response.writeHead(200).end();
    }
    return response.writeHead(404).end();
  });
  const issuer = `http://127.0.0.1:${await listen(authServer)}`;

  const mcpServer = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (request.url === '/.well-known/oauth-protected-resource/mcp') {
      const scopes = ['read'];
      return json(response, 200, { resource: mcpUrl, authorization_servers: [issuer], scopes_supported: scopes });
    }
    if (request.url !== '/mcp') return response.writeHead(404).end();
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    seen.bearers.push(bearer);
    const access = accessTokens.get(bearer ?? '');
    const where = `resource_metadata="${mcpUrl.replace('/mcp', '/.well-known/oauth-protected-resource/mcp')}"`;
    if (!access || access.expiresAt <= Date.now())
      return response.writeHead(401, { 'www-authenticate': `Bearer ${where}` }).end();
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(body) as { id?: number; method: string; params?: Record<string, unknown> };
    if (message.id === undefined) return response.writeHead(202).end();
    if (message.params?.name === 'admin' && !access.scope.split(' ').includes('admin')) {
      const challenge = `Bearer error="insufficient_scope", scope="admin", ${where}`;
      return response.writeHead(403, { 'www-authenticate': challenge }).end();
    }
    return json(response, 200, { jsonrpc: '2.0', id: message.id, ...answer(message) });
  });
  const mcpUrl = `http://127.0.0.1:${await listen(mcpServer)}/mcp`;

  const answer = ({ method, params }: { method: string; params?: Record<string, unknown> }) => {
    if (method === 'initialize') {
      const { protocolVersion } = params ?? {};
      return {
        result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'oauth-fixture', version: '1' } },
      };
    }
    if (method === 'tools/list')
      return { result: { tools: ['echo', 'admin'].map((name) => ({ name, inputSchema: { type: 'object' } })) } };
    if (method !== 'tools/call') return { error: { code: -32601, message: 'Method not found' } };
    counts.calls++;
    return { result: { content: [{ type: 'text', text: `${String(params?.name)} was called` }] } };
  };

  return {
    url: mcpUrl,
    issuer,
    counts,
    seen,
    /** Makes every access token worthless. */
    expireAccess: () => accessTokens.clear(),
    /** Knows no client any more, as after a restart. */
    forgetClients: () => clients.clear(),
    /** Makes every refresh token worthless. */
    forgetRefreshTokens: () => refreshTokens.clear(),
    close: () => {
      for (const server of [authServer, mcpServer]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
export type OAuthServers = Awaited<ReturnType<typeof startOAuthServers>>;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

const json = (response: ServerResponse, status: number, value: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

const listen = (server: ReturnType<typeof createServer>) =>
  new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
