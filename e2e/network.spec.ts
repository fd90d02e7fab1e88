import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type RunningApp, test } from './fixtures/app.ts';

interface Message {
  id?: number;
  method: string;
  params?: { protocolVersion?: string };
}

/** Answers as a small MCP server does, whatever address it was asked at. */
async function answerMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method, params } = JSON.parse(body) as Message;
  if (id === undefined) return void response.writeHead(202).end();
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'small', version: '1' },
    },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    ping: {},
  };
  const result = results[method];
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
}

const servers: Server[] = [];
test.afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on `port`; 0 for any. Notes the addresses that it is asked for: whole ones, when it is asked as a proxy. */
async function listen(port = 0) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    // Chromium asks for things of its own.
    if (request.url?.endsWith('/mcp')) asked.push(request.url);
    void answerMcp(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const given = (server.address() as AddressInfo).port;
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { port: given, url: `http://127.0.0.1:${given}/mcp`, asked, close };
}

const add = async (app: RunningApp, name: string, url: string): Promise<string> => {
  const { id } = await app.call('mcp', 'add', { name, type: 'http', config: { url } });
  return id;
};

const statusOf = (app: RunningApp, id: string) => async () =>
  (await app.call('mcp', 'list')).find(({ server }) => server.id === id)?.state.status;

/** Both spellings, since the machine may have either. */
const bothCases = (variables: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => [
      [name, value],
      [name.toLowerCase(), value],
    ]),
  );

// What Chromium makes of the variables on each system is in proxies.test.ts; here it is that servers are reached by Chromium's
// network, and by no other.
test('a server is reached through the proxy of the environment, and past it where NO_PROXY says so', async ({
  launch,
}) => {
  const proxy = await listen();
  const HTTP_PROXY = `http://127.0.0.1:${proxy.port}`;
  const app = await launch(bothCases({ HTTP_PROXY, NO_PROXY: 'direct.invalid' }));
  await app.serverReady(await add(app, 'proxied', 'http://mcp.invalid/mcp'));
  // There is no such host: only a proxy could have reached it.
  const direct = await add(app, 'direct', 'http://sub.direct.invalid/mcp');
  await expect.poll(statusOf(app, direct)).toMatch(/waiting-to-retry|failed/);
  expect(new Set(proxy.asked)).toEqual(new Set(['http://mcp.invalid/mcp']));
});

test('a server that was given up is tried again when the machine wakes up', async ({ app }) => {
  const gone = await listen();
  await gone.close();
  const id = await add(app, 'remote', gone.url);
  await expect.poll(statusOf(app, id), { timeout: 60_000 }).toBe('failed');
  await listen(gone.port);
  await app.electron.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'));
  await app.serverReady(id);
});

test('a server is looked after when the network is back', async ({ app }) => {
  const server = await listen();
  const id = await add(app, 'remote', server.url);
  await app.serverReady(id);
  await app.electron.evaluate(({ net }) => {
    const network = Object.assign(globalThis, { isOnline: true, looks: 0 });
    net.isOnline = () => {
      network.looks++;
      return network.isOnline;
    };
    network.isOnline = false;
  });
  const looks = () => app.electron.evaluate(() => (globalThis as unknown as { looks: number }).looks);
  await expect.poll(looks, { timeout: 30_000 }).toBeGreaterThan(0);
  await server.close();
  // Nobody used it, so that nobody knows yet.
  expect(await statusOf(app, id)()).toBe('ready');
  await app.electron.evaluate(() => void Object.assign(globalThis, { isOnline: true }));
  await expect.poll(statusOf(app, id), { timeout: 30_000, intervals: [50] }).not.toBe('ready');
  await listen(server.port);
  await app.serverReady(id);
});
