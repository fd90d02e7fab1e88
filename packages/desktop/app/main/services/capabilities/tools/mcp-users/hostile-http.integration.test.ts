import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makePool, stateOf, until } from './__fixtures__/pool.ts';
import { addHttp, httpServer, ready } from './__fixtures__/scripted.ts';

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

  it.each([
    ['no empty line at its end', '\n'],
    ['line ends of the old Macintosh', '\r\r'],
    ['nothing at its end', ''],
  ])('may answer in a stream with %s', async (_what, end) => {
    const { url } = await httpServer(({ id, method }, _request, response) => {
      if (method !== 'tools/call') return undefined;
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'answered' }] } });
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${answer}${end}`);
    });
    const { service } = makePool();
    const id = await addHttp(service, url);
    expect((await service.callTool(id, 'echo', {}, 'a')).content).toEqual([{ type: 'text', text: 'answered' }]);
  });

  it.each([
    'http://127.0.0.1:1/m',
    '//127.0.0.1:1/m',
    '\\\\127.0.0.1:1\\m',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://127.0.0.1/m',
  ])('can’t have what belongs to it sent to another address (%s) over SSE', async (endpoint) => {
    const { url, arrivals } = await httpServer((_message, request, response) => {
      if (request.method !== 'GET') return undefined;
      return response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(`event: endpoint\ndata: ${endpoint}\n\n`);
    });
    const asked: string[] = [];
    const watched: typeof fetch = (input, init) => {
      asked.push(String(input));
      return fetch(input, init);
    };
    const { service } = makePool({ fetch: watched });
    const { id } = await service.add({ name: 'old', type: 'sse', config: { url, headers: { 'X-Api-Key': 'secret' } } });
    await until(() => stateOf(service, id).status === 'waiting-to-retry', 'it failed');
    expect(arrivals.length).toBeGreaterThan(0);
    expect(new Set(asked)).toEqual(new Set([url]));
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

  it.each([
    ['another server', (other: string) => other],
    ['another server, without a scheme', (other: string) => other.replace('http:', '')],
    ['another server, with a backslash', () => '/\\\\other.invalid/x'],
    ['a file', () => 'file:///etc/passwd'],
    ['what is no address', () => 'http://['],
  ])('can’t send the app elsewhere by its SSE endpoint: %s', async (_what, endpoint) => {
    const other = await httpServer(() => undefined);
    const { url } = await httpServer((_message, request, response) =>
      request.method === 'GET'
        ? response
            .writeHead(200, { 'content-type': 'text/event-stream' })
            .write(`event: endpoint\ndata: ${endpoint(other.url)}\n\n`)
        : undefined,
    );
    const { service } = makePool();
    const config = { url, headers: { 'X-Api-Key': 'secret-key-1234' } };
    await expect(service.testConnection({ name: 'sse', type: 'sse', config })).rejects.toMatchObject({
      code: 'connect-failed',
    });
    expect(other.arrivals).toEqual([]);
  });

  it('can’t fill the memory with what unpacks to more', async () => {
    const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const { url } = await httpServer(({ method }, _request, response) =>
      method === 'tools/call'
        ? response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed)
        : undefined,
    );
    const { service } = makePool();
    const id = await addHttp(service, url);
    await expect(service.callTool(id, 'echo', {}, 'a')).rejects.toMatchObject({
      code: 'call-lost',
      details: expect.stringContaining('32 MiB'),
    });
  });

  it('can’t lead the app round in circles', async () => {
    const { url, arrivals } = await httpServer((_message, request, response) =>
      response.writeHead(307, { location: request.url }).end(),
    );
    const { service } = makePool();
    const id = await addHttp(service, url);
    await until(() => stateOf(service, id).status === 'failed', 'it failed');
    expect(arrivals.length).toBeLessThan(50);
  });

  it.each([
    [200, 'application/json', ''],
    [200, 'application/json', 'null'],
    [200, 'application/json', '{"jsonrpc":"2.0"}'],
    [200, 'application/json; charset=utf-8', '{"jsonrpc":"2.0","id":'],
    [200, 'text/html', '<html>'],
    [200, 'text/event-stream', 'data: {"jsonrpc":\n\ndata: [1,2]\n\nevent: error\ndata: x\n\n'],
    [204, 'text/plain', ''],
    [302, 'text/plain', ''],
    [429, 'text/plain', 'slow down'],
    [503, 'application/json', '{"error":"busy"}'],
  ])('that answers a call with %i, %s, %s loses that call only, and at once', async (status, type, body) => {
    let isOdd = true;
    const { url } = await httpServer(({ method }, _request, response) =>
      method === 'tools/call' && isOdd ? response.writeHead(status, { 'content-type': type }).end(body) : undefined,
    );
    const { service, states } = makePool();
    const id = await addHttp(service, url);
    await ready(service, id);
    await expect(service.callTool(id, 'echo', {}, 'a')).rejects.toMatchObject({ code: 'call-lost' });
    isOdd = false;
    expect(await service.callTool(id, 'echo', {}, 'b')).toMatchObject({ content: [{ text: 'echo' }] });
    expect(states).toEqual(['connecting', 'ready']);
  });

  it.each([200, 400, 404, 500])('that says with %i that it does not know a method is not broken', async (status) => {
    const { url } = await httpServer(({ id, method }, _request, response) =>
      method === 'tools/list'
        ? response
            .writeHead(status, { 'content-type': 'application/json', 'mcp-session-id': 's' })
            .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }))
        : undefined,
    );
    const { service, states } = makePool();
    const id = await addHttp(service, url);
    await ready(service, id);
    expect(await service.tools(id)).toEqual({ tools: [], rejected: [] });
    expect(states).toEqual(['connecting', 'ready']);
  });

  it('that asks without an end, and takes no answer, is disconnected', async () => {
    const { url } = await httpServer((_message, request, response) =>
      request.method === 'GET'
        ? response
            .writeHead(200, { 'content-type': 'text/event-stream' })
            .write('data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n'.repeat(3000))
        : undefined,
    );
    // Answers of ours never arrive.
    const fetch: typeof globalThis.fetch = (input, init) =>
      typeof init?.body === 'string' && !init.body.includes('"method"')
        ? new Promise(() => {})
        : globalThis.fetch(input, init);
    const { service } = makePool({ fetch });
    const told: string[] = [];
    service.events.on('state', ({ state }) => told.push(JSON.stringify(state)));
    await addHttp(service, url);
    await until(() => told.some((state) => state.includes('sends more than it reads')), 'it is disconnected', 25_000);
  });
});
