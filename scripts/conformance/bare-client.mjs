import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { argumentsFor } from './arguments.mjs';

/** What the app is compared with: the SDK's client as its documentation uses it, with its own sign-in. */
const url = new URL(process.argv.at(-1));
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const REDIRECT = 'http://localhost:3000/callback';

let answer;
const saved = {};
const provider = {
  redirectUrl: REDIRECT,
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  clientMetadata: { client_name: 'bare', redirect_uris: [REDIRECT] },
  state: () => 'state',
  clientInformation: () =>
    saved.client ??
    (context.client_id ? { client_id: context.client_id, client_secret: context.client_secret } : undefined),
  saveClientInformation: (client) => {
    saved.client = client;
  },
  tokens: () => saved.tokens,
  saveTokens: (tokens) => {
    saved.tokens = tokens;
  },
  codeVerifier: () => saved.verifier,
  saveCodeVerifier: (verifier) => {
    saved.verifier = verifier;
  },
  discoveryState: () => saved.discovery,
  saveDiscoveryState: (discovery) => {
    saved.discovery = discovery;
  },
  invalidateCredentials: (scope) => {
    if (scope === 'all' || scope === 'client') saved.client = undefined;
    if (scope === 'all' || scope === 'tokens') saved.tokens = undefined;
  },
  redirectToAuthorization: async (address) => {
    const response = await fetch(address, { redirect: 'manual' });
    answer = new URL(response.headers.get('location')).searchParams;
  },
};

const modern = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION === '2026-07-28';
const options = { capabilities: {}, ...(modern && { versionNegotiation: { mode: 'auto' } }) };

/** Does something, and once more after each sign-in that it asked for. */
async function signingIn(transport, work) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || !answer || attempt === 3) throw error;
      await transport().finishAuth(answer);
      answer = undefined;
    }
  }
}

let transport;
let client;
const connect = async () => {
  client = new Client({ name: 'bare', version: '1.0.0' }, options);
  transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
  await client.connect(transport);
};
try {
  await signingIn(() => transport, connect);
  const { tools } = await signingIn(
    () => transport,
    () => client.listTools(),
  );
  for (const tool of tools) {
    const given = context.toolCalls?.filter((call) => call.name === tool.name);
    for (const call of given ?? [{ arguments: argumentsFor(tool.inputSchema, tools) }]) {
      const params = { name: tool.name, arguments: call.arguments ?? {} };
      await signingIn(
        () => transport,
        () => client.callTool(params),
      ).catch((error) => console.error(String(error)));
    }
  }
  await client.close();
} catch (error) {
  console.error(error);
}
process.exit(0);
