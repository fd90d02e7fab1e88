import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { McpServerLimits } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makePool, stateOf, until } from './__fixtures__/pool.ts';
import type { McpService } from './McpService.ts';

const SCRIPTED = fileURLToPath(new URL('__fixtures__/scripted-server.mjs', import.meta.url));
const scripted = (program: string) => ({ command: process.execPath, args: [SCRIPTED, program] });

async function addScripted(service: McpService, program: string, limits?: McpServerLimits): Promise<string> {
  const { id } = await service.add({ name: 'scripted', type: 'stdio', config: scripted(program), limits });
  return id;
}

const ready = (service: McpService, id: string) =>
  until(() => stateOf(service, id).status === 'ready', 'the server is ready');

/** Answers as `program` says, or as a good server of the older era where it returns undefined. */
async function httpServer(
  program: (message: { id?: number; method: string }, request: IncomingMessage, response: ServerResponse) => unknown,
) {
  const arrivals: { verb: string | undefined; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    arrivals.push({ verb: request.method, headers: request.headers });
    const message = body ? JSON.parse(body) : { method: request.method };
    if (program(message, request, response) !== undefined) return;
    const reply = (result: unknown) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    };
    const { protocolVersion } = message.params ?? {};
    const serverInfo = { name: 'http', version: '1' };
    if (message.method === 'initialize') reply({ protocolVersion, capabilities: { tools: {} }, serverInfo });
    else if (message.method === 'tools/list') reply({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] });
    else if (message.method === 'tools/call') reply({ content: [{ type: 'text', text: 'echo' }] });
    else response.writeHead(message.id === undefined && request.method === 'POST' ? 202 : 405).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, arrivals };
}

async function addHttp(service: McpService, url: string, headers?: Record<string, string>): Promise<string> {
  const { id } = await service.add({ name: 'http', type: 'http', config: { url, headers } });
  return id;
}

describe('a hostile stdio server', () => {
  it('that nests too deep loses that tool and that value, and nothing else', async () => {
    const { service } = makePool();
    const deep = '{"a":'.repeat(20_000) + 1 + '}'.repeat(20_000);
    const program = `
      const deep = '{"a":'.repeat(20000) + 1 + '}'.repeat(20000);
      const rawReply = (id, result) => process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":' + result + '}\\n');
      on['tools/list'] = ({ id }) => rawReply(id, '{"tools":[{"name":"good","inputSchema":{"type":"object"}},' +
        '{"name":"deep","inputSchema":{"type":"object","properties":' + deep + '}}]}');
      on['tools/call'] = ({ id }) => rawReply(id, '{"structuredContent":' + deep + ',"content":[' +
        '{"type":"text","text":"kept"},{"type":"odd","value":' + deep + '}]}');`;
    expect(deep.length).toBeGreaterThan(100_000);
    const id = await addScripted(service, program);
    await ready(service, id);
    const { tools, rejected } = await service.tools(id);
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    expect(rejected).toMatchObject([{ name: 'deep', reason: expect.stringContaining('200 levels') }]);
    const result = await service.callTool(id, 'good', {}, 'a');
    expect(result.content[0]).toEqual({ type: 'text', text: 'kept' });
    expect(JSON.stringify(structuredClone(result)).length).toBeLessThan(10_000);
  });

  it('that never reads its input costs a time-out, and no listeners', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => warnings.push(name);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const { service } = makePool();
    const program = `
      setInterval(() => {}, 1000);
      on['tools/list'] = (message, reply) => { reply({ tools: [{ name: 'echo', inputSchema: {} }] }); process.stdin.pause(); };`;
    const id = await addScripted(service, program, { idleMs: 500 });
    await ready(service, id);
    const text = 'x'.repeat(200_000);
    const calls = Array.from({ length: 30 }, (_, n) =>
      service.callTool(id, 'echo', { text }, `call ${n}`).catch((error) => error.code),
    );
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['call-timeout']));
    expect(warnings.filter((name) => name.startsWith('MaxListeners'))).toEqual([]);
  });

  it('with more tools than anyone needs is cut, and its log stays short', async () => {
    const { service } = makePool();
    const program = `setTools([...Array(8000).keys()].map((n) => ({ name: 'bad' + n }))
      .concat([...Array(60000).keys()].map((n) => ({ name: 'ok' + n, inputSchema: { type: 'object' } }))))`;
    let entries = 0;
    service.events.on('log', () => entries++);
    const id = await addScripted(service, program);
    await ready(service, id);
    const { tools, rejected } = await service.tools(id);
    expect([tools.length, rejected.length]).toEqual([2000, 8000]);
    expect(entries).toBeLessThan(100);
  });

  it('that is switched off in the middle of a call is not said to have crashed, and nobody waits for its end', async () => {
    const { service } = makePool();
    const program = `process.on('SIGTERM', () => {}); on['tools/call'] = () => setInterval(() => {}, 1000);
      process.stdin.removeAllListeners('end');`;
    const id = await addScripted(service, program);
    await ready(service, id);
    const call = service.callTool(id, 'echo', {}, 'a').catch((error) => error);
    await new Promise((resolve) => setTimeout(resolve, 200));
    let isStopped = false;
    const off = service.setEnabled(id, false).then(() => {
      isStopped = true;
    });
    const error = await call;
    expect(isStopped).toBe(false);
    expect(error).toMatchObject({ code: 'call-lost', message: expect.stringContaining('switched off') });
    expect(`${error.message} ${error.hint}`).not.toMatch(/exit code|started again/);
    await off;
  });

  it('that was edited into another one has no tools of the old one', async () => {
    const { service } = makePool();
    const id = await addScripted(service, '');
    await ready(service, id);
    await service.update(id, { name: 'scripted', type: 'stdio', config: { command: '/does/not/exist' } });
    await until(() => stateOf(service, id).status === 'failed', 'it failed');
    expect(await service.tools(id)).toEqual({ tools: [], rejected: [] });
  });
});

describe('a hostile HTTP server', () => {
  it('can’t stop the app with a long error page', async () => {
    const { url } = await httpServer((_message, _request, response) =>
      response.writeHead(500).end(`${'a.'.repeat(2_000_000)} ?`),
    );
    const { service } = makePool();
    const id = await addHttp(service, url);
    await until(() => stateOf(service, id).status === 'failed', 'it failed', 20_000);
    expect(JSON.stringify(stateOf(service, id)).length).toBeLessThan(20_000);
  });

  it('can’t fill the memory', async () => {
    const endless = async (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = ' '.repeat(1024 * 1024);
      while (!response.destroyed) {
        if (!response.write(chunk))
          await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
      }
    };
    const { url } = await httpServer(({ method }, _request, response) =>
      method === 'tools/call' ? endless(response) : undefined,
    );
    const { service } = makePool();
    const id = await addHttp(service, url);
    await expect(service.callTool(id, 'echo', {}, 'a')).rejects.toMatchObject({
      code: 'call-lost',
      details: expect.stringContaining('32 MiB'),
    });
    expect(await service.callTool(id, 'other', {}, 'b').catch(({ code }) => code)).toBe('call-lost');
  });

  it('can’t make the app ask without a pause', async () => {
    const { url, arrivals } = await httpServer((_message, request, response) =>
      request.method === 'GET'
        ? response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\n\n')
        : undefined,
    );
    const { service } = makePool();
    await ready(service, await addHttp(service, url));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(arrivals.filter(({ verb }) => verb === 'GET').length).toBeLessThan(5);
  });

  it.each([301, 302, 307, 308])(
    'can’t pass secrets on by a redirect with %s, and it is said where to',
    async (status) => {
      const other = await httpServer(() => undefined);
      const { url } = await httpServer((_message, _request, response) =>
        response.writeHead(status, { location: other.url }).end(),
      );
      const { service } = makePool();
      const id = await addHttp(service, url, { 'X-Api-Key': 'secret-key-1234' });
      await until(() => stateOf(service, id).status === 'failed', 'it failed');
      expect(other.arrivals).toEqual([]);
      expect(stateOf(service, id)).toMatchObject({ error: { details: expect.stringContaining(other.url) } });
    },
  );

  it('that refuses a call in JSON-RPC has answered it, whatever the HTTP status', async () => {
    const { url } = await httpServer(({ id, method }, _request, response) =>
      method === 'tools/call'
        ? response
            .writeHead(400, { 'content-type': 'application/json' })
            .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602, message: 'n must be positive' } }))
        : undefined,
    );
    const { service } = makePool();
    const id = await addHttp(service, url);
    expect(await service.callTool(id, 'echo', {}, 'a')).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'n must be positive (error -32602)' }],
    });
  });

  it('that lost its session gets a new one for a refresh too, and says what is wrong when that doesn’t help', async () => {
    let sessions = 0;
    let refuses = 0;
    const { url } = await httpServer(({ method }, request, response) => {
      if (method === 'initialize') response.setHeader('mcp-session-id', `s${++sessions}`);
      const isRefused =
        method === 'tools/list' && refuses > 0 && Number(request.headers['mcp-session-id']?.slice(1)) <= refuses;
      return isRefused ? response.writeHead(404).end('Session not found') : undefined;
    });
    const { service } = makePool();
    const id = await addHttp(service, url);
    await ready(service, id);
    refuses = 1;
    expect((await service.tools(id, { refresh: true })).tools.length).toBe(1);
    expect(sessions).toBe(2);
    refuses = 99;
    await expect(service.tools(id, { refresh: true })).rejects.toMatchObject({
      name: 'AppError',
      code: 'connect-failed',
    });
  });
});
