import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { makePool, stateOf, until } from './__fixtures__/pool.ts';
import { addHttp, httpServer, ready } from './__fixtures__/scripted.ts';

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const page = (response: ServerResponse, type: string, body: string, status = 200) =>
  response.writeHead(status, { 'content-type': type }).end(body);

type Odd = (response: ServerResponse, id: number) => unknown;

/** What servers send instead of an answer, and what is said of it. */
const NO_ANSWERS: [string, Odd, string][] = [
  ['202 and nothing', (response) => response.writeHead(202).end(), 'HTTP 202'],
  ['204', (response) => response.writeHead(204).end(), 'HTTP 204'],
  ['200 and nothing', (response) => response.writeHead(200).end(), 'HTTP 200 and nothing'],
  ['an empty JSON body', (response) => page(response, 'application/json', ''), 'no JSON'],
  ['half a JSON body', (response) => page(response, 'application/json', '{"jsonrpc":"2.0",'), 'no JSON'],
  ['[]', (response) => json(response, []), 'no answer'],
  ['{}', (response) => json(response, {}), 'no answer'],
  ['null', (response) => json(response, null), 'no answer'],
  [
    'a notification alone',
    (response) => json(response, [{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]),
    'no answer',
  ],
  ['an answer to something else', (response) => json(response, { jsonrpc: '2.0', id: 7, result: {} }), 'no answer'],
  ['a result that is none', (response, id) => json(response, { jsonrpc: '2.0', id, result: [] }), 'no answer'],
  ['text', (response) => page(response, 'text/plain', 'OK'), 'text/plain'],
  ['a page', (response) => page(response, 'text/html; charset=utf-8', '<html>Sign in</html>'), 'text/html'],
  [
    'a page without an end',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).write('<html>'),
    'text/html',
  ],
  [
    'a JSON body that breaks off',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":"2.0",');
      setTimeout(() => response.destroy(), 20);
      return true;
    },
    'broke off',
  ],
];

describe('a request that is answered with what is no answer', () => {
  it.each(NO_ANSWERS)(
    '%s: a call fails at once, says so, and the connection stays',
    async (_what, odd, words) => {
      let isOdd = true;
      const { url } = await httpServer(({ method, id = 0 }, _request, response) =>
        method === 'tools/call' && isOdd ? odd(response, id) : undefined,
      );
      const { service, states } = makePool();
      const id = await addHttp(service, url);
      const failure = await service.callTool(id, 'echo', {}, 'a').catch((error) => error);
      expect(failure).toMatchObject({ name: 'AppError', code: 'call-lost' });
      expect(failure.message).toContain(words);
      isOdd = false;
      expect(await service.callTool(id, 'echo', {}, 'b')).toMatchObject({ content: [{ text: 'echo' }] });
      expect(states).toEqual(['connecting', 'ready']);
    },
    15_000,
  );

  it.each(NO_ANSWERS)(
    '%s: so does a start',
    async (_what, odd, words) => {
      const { url } = await httpServer(({ method, id = 0 }, _request, response) =>
        method === 'initialize' ? odd(response, id) : undefined,
      );
      const { service } = makePool();
      const test = service.testConnection({ name: 'http', type: 'http', config: { url } });
      await expect(test).rejects.toMatchObject({ code: 'connect-failed', message: expect.stringContaining(words) });
    },
    15_000,
  );

  it('says what was sent instead', async () => {
    const { url } = await httpServer(({ method }, _request, response) =>
      method === 'tools/call' ? page(response, 'text/html', '<h1>Please sign in</h1>') : undefined,
    );
    const { service } = makePool();
    const id = await addHttp(service, url);
    await expect(service.callTool(id, 'echo', {}, 'a')).rejects.toMatchObject({
      details: expect.stringContaining('Please sign in'),
    });
  });

  it('is refused, where the one error that came names no request', async () => {
    const { url } = await httpServer(({ method }, _request, response) =>
      method === 'tools/call'
        ? json(response, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'I can not read that' } })
        : undefined,
    );
    const { service } = makePool();
    const id = await addHttp(service, url);
    expect(await service.callTool(id, 'echo', {}, 'a')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('I can not read that') }],
    });
  });

  it('is answered, where the answer came with 202 or among other messages', async () => {
    const result = { content: [{ type: 'text', text: 'late' }] };
    const { url } = await httpServer(({ method, id }, _request, response) => {
      if (method !== 'tools/call') return undefined;
      const other = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'by the way' } };
      return json(response, [other, { jsonrpc: '2.0', id: 3, result: {} }, { jsonrpc: '2.0', id, result }], 202);
    });
    const { service } = makePool();
    const id = await addHttp(service, url);
    expect(await service.callTool(id, 'echo', {}, 'a')).toMatchObject(result);
    expect(JSON.stringify(service.log(id))).toContain('by the way');
  });

  it.each([
    ['an empty error beside the result', { error: null }],
    ['a field that JSON-RPC doesn’t have', { took: 3 }],
  ])('is answered, where each answer has %s', async (_what, more) => {
    const { url } = await httpServer(({ method, id }, _request, response) => {
      if (method !== 'initialize' && method !== 'tools/list' && method !== 'tools/call') return undefined;
      const serverInfo = { name: 'http', version: '1' };
      const result = {
        ...(method === 'initialize' && { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }),
        ...(method === 'tools/list' && { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
        ...(method === 'tools/call' && { content: [{ type: 'text', text: 'done' }], _meta: null }),
      };
      return json(response, { jsonrpc: '2.0', id, result, ...more });
    });
    const { service } = makePool();
    const id = await addHttp(service, url);
    expect(await service.callTool(id, 'echo', {}, 'a')).toMatchObject({ content: [{ text: 'done' }] });
  });

  it.each([
    ['a code that is a word', { code: 'E_GONE', message: 'it is gone' }],
    ['no message', { reason: 'it is gone' }],
    ['nothing but words', 'it is gone'],
  ])('is refused, where the error has %s', async (_what, error) => {
    const { url } = await httpServer(({ method, id }, _request, response) =>
      method === 'tools/call' ? json(response, { jsonrpc: '2.0', id, error }) : undefined,
    );
    const { service } = makePool();
    const id = await addHttp(service, url);
    expect(await service.callTool(id, 'echo', {}, 'a')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('it is gone') }],
    });
  });

  it('over an event stream may wait for other messages first', async () => {
    const { url } = await httpServer(({ method, id }, _request, response) => {
      if (method !== 'tools/call') return undefined;
      const event = (message: object) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      event({ id: 3, result: {} });
      event({ method: 'notifications/message', params: { level: 'info', data: 'wait' } });
      setTimeout(() => {
        event({ id, result: { content: [{ type: 'text', text: 'done' }] } });
        response.end();
      }, 500);
      return true;
    });
    const { service } = makePool();
    const id = await addHttp(service, url);
    expect(await service.callTool(id, 'echo', {}, 'a')).toMatchObject({ content: [{ text: 'done' }] });
  });
});

it.each([
  ['in one piece', (text: string) => [text]],
  ['in two', (text: string) => [text.slice(0, -1), text.slice(-1)]],
])('an event that ends with carriage returns, %s, on a stream that stays open, is read at once', async (_what, cut) => {
  const { url } = await httpServer(({ method, id }, _request, response) => {
    if (method !== 'tools/call') return undefined;
    const result = { content: [{ type: 'text', text: 'done' }] };
    const [first, second] = cut(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\r\r`);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(first);
    if (second) setTimeout(() => response.write(second), 100);
    return true;
  });
  const { service } = makePool();
  const id = await addHttp(service, url);
  const signal = AbortSignal.timeout(5000);
  expect(await service.callTool(id, 'echo', {}, 'a', { signal })).toMatchObject({ content: [{ text: 'done' }] });
});

it('an event stream that a server leaves open after the answer is closed soon, and only then', async () => {
  let open = 0;
  const { url } = await httpServer(({ method, id }, _request, response) => {
    if (method !== 'tools/call') return undefined;
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n');
    const result = { content: [{ type: 'text', text: 'done' }] };
    setTimeout(() => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`), open * 700);
    return true;
  });
  const { service, states } = makePool();
  const id = await addHttp(service, url);
  const calls = ['a', 'b', 'c'].map((callId) => service.callTool(id, 'echo', {}, callId));
  for (const result of await Promise.all(calls)) expect(result).toMatchObject({ content: [{ text: 'done' }] });
  await until(() => open === 0, 'the streams are closed', 5000);
  expect(states).toEqual(['connecting', 'ready']);
});

describe('an event stream that ends without an answer', () => {
  const streamOf = (response: ServerResponse, text = ': nothing\n\n') =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);

  it.each(['initialize', 'tools/list'])(
    'to %s ends the start at once, which says so',
    async (asked) => {
      const { url } = await httpServer(({ method }, _request, response) =>
        method === asked ? streamOf(response) : undefined,
      );
      const { service } = makePool();
      const test = service.testConnection({ name: 'http', type: 'http', config: { url } });
      const failure = await test.catch((error) => error);
      expect(failure).toMatchObject({ code: 'connect-failed' });
      expect(`${failure.message} ${failure.details}`).toContain('event stream that ended before the answer');
    },
    15_000,
  );

  it('to the question for the newer revision means an older server', async () => {
    const { url } = await httpServer(({ method }, _request, response) =>
      method === 'server/discover' ? streamOf(response) : undefined,
    );
    const { service } = makePool();
    await ready(service, await addHttp(service, url));
  });

  it.each([400, 404, 410])(
    'and can’t be gone on with (%i) ends the call, and nothing else',
    async (status) => {
      const { url, arrivals } = await httpServer(({ method }, request, response) => {
        if (request.method === 'GET') return response.writeHead(request.headers['last-event-id'] ? status : 405).end();
        return method === 'tools/call' ? streamOf(response, 'id: 7\nretry: 50\ndata:\n\n') : undefined;
      });
      const { service, states } = makePool();
      const id = await addHttp(service, url);
      await expect(service.callTool(id, 'echo', {}, 'a')).rejects.toMatchObject({
        code: 'call-lost',
        message: expect.stringContaining('event stream that ended before the answer'),
      });
      expect(arrivals.filter(({ headers }) => headers['last-event-id'] === '7').length).toBe(1);
      expect(states).toEqual(['connecting', 'ready']);
    },
    15_000,
  );

  it('and is refused for a moment is gone on with', async () => {
    let resumed = 0;
    const { url } = await httpServer(({ method, id }, request, response) => {
      if (method === 'tools/call') return streamOf(response, `id: ${id}\nretry: 50\ndata:\n\n`);
      const last = request.headers['last-event-id'];
      if (last === undefined) return undefined;
      if (resumed++ === 0) return response.writeHead(503).end();
      const answer = { jsonrpc: '2.0', id: Number(last), result: { content: [{ type: 'text', text: 'at last' }] } };
      return streamOf(response, `data: ${JSON.stringify(answer)}\n\n`);
    });
    const { service } = makePool();
    const id = await addHttp(service, url);
    expect(await service.callTool(id, 'echo', {}, 'a')).toMatchObject({ content: [{ text: 'at last' }] });
  });
});

describe('a notification', () => {
  it.each([
    ['200 and a stream without an end', 200, 'text/event-stream'],
    ['200 and a page', 200, 'text/html'],
    ['400', 400, 'text/plain'],
    ['404', 404, 'text/plain'],
    ['405', 405, 'text/plain'],
    ['429', 429, 'text/plain'],
    ['500', 500, 'text/plain'],
  ])('that is answered with %s doesn’t keep the server from being used', async (_what, status, type) => {
    const streams: ServerResponse[] = [];
    const { url } = await httpServer(({ method }, request, response) => {
      if (method === 'initialize') response.setHeader('mcp-session-id', 's1');
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
        return streams.push(response);
      }
      if (!method?.startsWith('notifications/')) return undefined;
      response.writeHead(status, { 'content-type': type }).write('no');
      return type === 'text/event-stream' || response.end();
    });
    const { service, states } = makePool();
    const id = await addHttp(service, url);
    await ready(service, id);
    expect(await service.callTool(id, 'echo', {}, 'a')).toMatchObject({ content: [{ text: 'echo' }] });
    // What the server tells by itself is listened to all the same.
    await until(() => streams.length === 1, 'the stream is open');
    expect(states).toEqual(['connecting', 'ready']);
    const warned = service.log(id).some(({ level, text }) => level === 'warning' && text.includes(`HTTP ${status}`));
    expect(warned).toBe(status >= 400);
  });

  it('that is never answered doesn’t either', async () => {
    const { url } = await httpServer(({ method }) => (method?.startsWith('notifications/') ? true : undefined));
    const { service } = makePool();
    const id = await addHttp(service, url);
    expect(await service.callTool(id, 'echo', {}, 'a')).toMatchObject({ content: [{ text: 'echo' }] });
  }, 30_000);

  it.each([401, 403])('that is answered with %i means signing in', async (status) => {
    const { url } = await httpServer(({ method }, _request, response) =>
      method?.startsWith('notifications/') ? response.writeHead(status).end() : undefined,
    );
    const { service } = makePool();
    const id = await addHttp(service, url);
    await until(() => stateOf(service, id).status === 'needs-sign-in', 'it is to be signed in to');
  });

  it('that a call was given up, refused, leaves the connection as it is', async () => {
    const { url } = await httpServer(({ method }, _request, response) => {
      if (method === 'tools/call') {
        service.cancelCall('a');
        return true;
      }
      return method === 'notifications/cancelled' ? response.writeHead(500).end() : undefined;
    });
    const { service, states } = makePool();
    const id = await addHttp(service, url);
    await ready(service, id);
    await expect(service.callTool(id, 'echo', {}, 'a')).rejects.toMatchObject({ code: 'cancelled' });
    const isWarned = () => service.log(id).some(({ text }) => text.includes('notifications/cancelled'));
    await until(isWarned, 'it is noted');
    expect(states).toEqual(['connecting', 'ready']);
  });

  it('is refused by a server that makes a session and loses it at once: that is tried again', async () => {
    let sessions = 0;
    const { url } = await httpServer(({ method }, request, response) => {
      if (method === 'initialize') response.setHeader('mcp-session-id', `s${++sessions}`);
      return request.headers['mcp-session-id'] === 's1' ? response.writeHead(404).end('Session not found') : undefined;
    });
    const { service, states } = makePool();
    await ready(service, await addHttp(service, url));
    expect(states).toEqual(['connecting', 'waiting-to-retry', 'connecting', 'ready']);
  });

  it('refused by a server of the older transport is no harm either', async () => {
    let stream: ServerResponse | undefined;
    const { url } = await httpServer((message, request, response) => {
      if (request.method === 'GET') {
        stream = response;
        return response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write('event: endpoint\ndata: /messages\n\n');
      }
      const { method, id } = message as { method: string; id?: number; params?: { protocolVersion: string } };
      if (method.startsWith('notifications/')) return response.writeHead(400).end();
      const { protocolVersion } = (message as { params?: { protocolVersion?: string } }).params ?? {};
      const results: Record<string, unknown> = {
        initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'sse', version: '1' } },
        'tools/list': { tools: [] },
      };
      stream?.write(
        `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} })}\n\n`,
      );
      return response.writeHead(202).end();
    });
    const { service } = makePool();
    const { id } = await service.add({ name: 'sse', type: 'sse', config: { url } });
    await ready(service, id);
  });
});
