import '../bench/lib/app-modules.mjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { argumentsFor } from './arguments.mjs';
import { agreedAnswer } from './person.mjs';

/**
 * The client that the conformance suites look at: the app's pool and sign-in, as the app puts them together, with a person who
 * agrees to everything. The last argument is the address of the server; the scenario and what it gives come as variables of
 * the environment.
 */
const MCP = '../../packages/desktop/app/main/services/capabilities/tools/mcp-users';
const { McpService } = await import(`${MCP}/McpService.ts`);
const { OAuthService } = await import(`${MCP}/oauth/OAuthService.ts`);
const { ServerGrants } = await import(`${MCP}/server-requests/ServerGrants.ts`);
const { ServerRequests } = await import(`${MCP}/server-requests/ServerRequests.ts`);

/** A person who is asked for the same thing again and again stops agreeing. */
const PATIENCE = 3;
const CONNECT_MS = 20_000;

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const url = process.argv.at(-1);

function memoryStore() {
  let text;
  return {
    read: () => (text === undefined ? undefined : JSON.parse(text)),
    write: (value) => {
      text = JSON.stringify(value);
    },
  };
}

const secrets = { seal: async (plain) => plain, open: async (sealed) => sealed };
const say = (level) => (message, data) => console.error(level, message, data ?? '');
const logger = { debug: () => {}, info: say('info'), warn: say('warning'), error: say('error') };
const processes = { start: () => Promise.reject(new Error('Only servers at an address here.')) };

const openExternal = async (address) => {
  // The pages of the suites send a browser back at once.
  void fetch(address).catch((error) => console.error('browser', String(error)));
  return true;
};

let signIns = 0;
const oauth = new OAuthService({
  store: memoryStore(),
  secrets,
  fetch,
  logger,
  appName: 'TinyElf',
  // The app has no such document yet; with one, this is how it would be used.
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  openExternal,
  servers: () => mcp.listServers(),
  restart: (serverId) => mcp.restart(serverId),
  onChange: (status) => void agree(status),
});
const requests = new ServerRequests({
  events: {
    emit: ({ type, payload }) => {
      if (type === 'mcpRequests.changed') void respond(payload.request);
    },
  },
  clock: Date,
  openModel: () => Promise.reject(new Error('No models here.')),
  openExternal,
});
const grants = new ServerGrants({
  store: memoryStore(),
  chooseFolder: async () => undefined,
  onError: (error) => console.error('grants', String(error)),
});
const mcp = new McpService({
  person: { requests, grants },
  store: memoryStore(),
  secrets,
  processes,
  fetch,
  logger,
  clientInfo: { name: 'TinyElf', version: '0.1.0' },
  oauth,
});
mcp.events.on('log', ({ level, text }) => console.error(level, text));

/** Signs in whenever the server wants it. */
async function agree({ serverId, needs, attempt, error }) {
  if (error) console.error('sign-in', error);
  if (!needs || attempt || error || signIns >= PATIENCE) return;
  signIns++;
  const { client_id: id, client_secret: secret } = context;
  try {
    await oauth.prepare(serverId, id ? { id, secret } : undefined);
    await oauth.open(serverId);
  } catch (failure) {
    console.error('sign-in', failure.message, failure.details ?? '');
  }
}

/** Answers what a server asks. */
async function respond({ id, question }) {
  try {
    await requests.answer(id, agreedAnswer(question));
  } catch (error) {
    console.error('answer', error.message);
  }
}

async function settled(serverId) {
  const end = performance.now() + CONNECT_MS;
  for (;;) {
    const { state } = mcp.listServers().find(({ server }) => server.id === serverId);
    const [status] = await oauth.list();
    const canGoOn = status?.attempt !== undefined || (status?.needs && !status.error && signIns < PATIENCE);
    if (state.status === 'ready') return state;
    if (state.status === 'failed' || (state.status === 'needs-sign-in' && !canGoOn)) return state;
    if (performance.now() > end) return state;
    await sleep(50);
  }
}

const { id } = await mcp.add({ name: 'conformance', type: 'http', config: { url }, limits: { idleMs: 20_000 } });
const state = await settled(id);
console.error('state', JSON.stringify(state));
if (state.status === 'ready') {
  const { tools, rejected } = await mcp.tools(id);
  for (const { name, reason } of rejected) console.error('rejected', name, reason);
  for (const [index, { name, inputSchema }] of tools.entries()) {
    const calls = context.toolCalls?.filter((call) => call.name === name) ?? [
      { arguments: argumentsFor(inputSchema, tools) },
    ];
    for (const call of calls) {
      try {
        const limit = AbortSignal.timeout(15_000);
        await mcp.callTool(id, name, call.arguments ?? {}, `call-${index}-${Math.random()}`, { signal: limit });
      } catch (error) {
        console.error('call', name, error.message, error.details ?? '');
      }
    }
  }
}
console.error('done', scenario);
oauth.close();
await mcp.closeAll();
// As with the app, a server that couldn't be connected is an answer, not a crash.
process.exit(0);
