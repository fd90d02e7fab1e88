import { describe, expect, it } from 'vitest';
import { type OddHttpOptions, oddHttpServer } from './__fixtures__/http-server.ts';
import { makePool, stateOf, until } from './__fixtures__/pool.ts';

async function connected(options: OddHttpOptions = {}, headers: Record<string, string> = {}) {
  const server = await oddHttpServer(options);
  const pool = makePool();
  const { id } = await pool.service.add({ name: 'web', type: 'http', config: { url: server.url, headers } });
  await pool.service.connect(id);
  let calls = 0;
  const call = (args: Record<string, unknown> = {}, tool = 'echo') =>
    pool.service.callTool(id, tool, args, `call-${calls++}`);
  return { ...pool, server, id, call };
}

describe('a lost session', () => {
  it.each([
    { status: 404, body: '' },
    { status: 404, body: '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}' },
    { status: 400, body: 'Bad Request: No valid session ID provided' },
  ])('is made anew, once for all calls that find out (%o)', async (lostSession) => {
    const { server, service, id, call } = await connected({ lostSession });
    await call();
    server.forgetSessions();
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => call({ n })));
    expect(answers.map(({ content }) => content[0])).toEqual(
      [1, 2, 3, 4, 5].map((n) => ({ type: 'text', text: JSON.stringify({ n }) })),
    );
    expect(server.count('initialize')).toBe(2);
    expect(server.count('tools/list')).toBe(2);
    expect(stateOf(service, id).status).toBe('ready');
  });

  it('is not made anew for ever', async () => {
    let refuse = false;
    const { server, call } = await connected({ postStatus: () => (refuse ? 404 : undefined) });
    refuse = true;
    const before = server.arrivals.length;
    await expect(call()).rejects.toMatchObject({ code: 'connect-failed' });
    expect(server.arrivals.length - before).toBeLessThan(10);
  });

  it('of a server that forgets each session leads to one repetition a call', async () => {
    const { server, call } = await connected({ forgetful: true });
    await expect(call()).rejects.toMatchObject({ code: expect.stringMatching('call-lost|connect-failed') });
    expect(server.count('tools/call')).toBe(2);
  });

  it('is not what another 400 means', async () => {
    let status: number | undefined;
    const { server, call } = await connected({ postStatus: () => status });
    status = 400;
    await expect(call()).rejects.toMatchObject({ code: 'call-lost', message: expect.stringContaining('HTTP 400') });
    expect(server.count('initialize')).toBe(1);
  });
});

describe('the first answer', () => {
  it.each([500, 503])('%i is reported as it is', async (status) => {
    const server = await oddHttpServer({ postStatus: () => status });
    const { service } = makePool();
    const { id } = await service.add({ name: 'web', type: 'http', config: { url: server.url } });
    await until(() => stateOf(service, id).status === 'failed', 'given up');
    expect(stateOf(service, id)).toMatchObject({ error: { message: expect.stringContaining(`HTTP ${status}`) } });
    expect(server.arrivals.every(({ verb }) => verb === 'POST')).toBe(true);
  });

  it.each([401, 403])('%i asks for signing in and tries nothing else', async (status) => {
    const server = await oddHttpServer({ postStatus: () => status });
    const { service } = makePool();
    const { id } = await service.add({ name: 'web', type: 'http', config: { url: server.url } });
    await expect(service.connect(id)).rejects.toMatchObject({ message: expect.stringContaining(`HTTP ${status}`) });
    expect(stateOf(service, id).status).toBe('needs-sign-in');
    expect(server.arrivals.length).toBe(1);
  });

  it('that never comes because nobody listens is named as such', async () => {
    const server = await oddHttpServer();
    await server.close();
    const { service } = makePool();
    await expect(
      service.testConnection({ name: 'web', type: 'http', config: { url: server.url } }),
    ).rejects.toMatchObject({
      code: 'connect-failed',
      message: expect.stringContaining('could not be reached'),
      details: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each([400, 404, 405])('%i with no event stream either is reported, not what SSE said', async (status) => {
    const server = await oddHttpServer({ postStatus: () => status, get: (response) => response.writeHead(418).end() });
    const { service } = makePool();
    const test = service.testConnection({ name: 'web', type: 'http', config: { url: server.url } });
    await expect(test).rejects.toMatchObject({ message: expect.stringContaining(`HTTP ${status}`) });
  });
});

describe('a server from before streamable HTTP', () => {
  it.each([
    [401, 'needs-sign-in'],
    [503, 'waiting-to-retry'],
  ])('whose event stream is refused with %i: that counts, not its first answer', async (status, expected) => {
    const server = await oddHttpServer({
      postStatus: () => 405,
      get: (response) => response.writeHead(status).end(),
    });
    const { service, states } = makePool();
    const { id } = await service.add({ name: 'old', type: 'http', config: { url: server.url } });
    await until(() => states.length >= 2, 'it is refused');
    expect(states[1]).toBe(expected);
    expect(JSON.stringify(stateOf(service, id))).toContain(`HTTP ${status}`);
  });
});

describe('a refused GET', () => {
  it.each([
    ['405', (response) => response.writeHead(405).end()],
    ['404', (response) => response.writeHead(404).end()],
    ['406', (response) => response.writeHead(406).end()],
    ['a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>')],
  ] satisfies [string, OddHttpOptions['get']][])('leaves the connection working: %s', async (_, get) => {
    const { server, service, id, call } = await connected({ get });
    await until(() => server.arrivals.some(({ verb }) => verb === 'GET'), 'asked for');
    expect(await call({ a: 1 })).toMatchObject({ content: [{ text: '{"a":1}' }] });
    expect(stateOf(service, id).status).toBe('ready');
  });
});

describe('a connection over HTTP', () => {
  it('has the frame limit that was set, and goes on after a message that is larger', async () => {
    const server = await oddHttpServer({
      answer: (method, { arguments: args }) => {
        if (method !== 'tools/call') return undefined;
        return { content: [{ type: 'text', text: 'x'.repeat(Number((args as { size: number }).size)) }] };
      },
    });
    const { service } = makePool();
    const limits = { maxFrameBytes: 1024 * 1024 };
    const { id } = await service.add({ name: 'web', type: 'http', config: { url: server.url }, limits });
    await expect(service.callTool(id, 'echo', { size: 1_100_000 }, '1')).rejects.toMatchObject({
      code: 'call-lost',
      details: expect.stringContaining('larger than 1 MiB'),
    });
    expect(JSON.stringify(await service.callTool(id, 'echo', { size: 900_000 }, '2')).length).toBeGreaterThan(900_000);
  });

  it('sends the headers of its server with every request', async () => {
    const { server, call } = await connected({}, { authorization: 'Bearer token-of-web' });
    await call();
    expect(server.arrivals.length).toBeGreaterThan(3);
    for (const { headers } of server.arrivals) expect(headers.authorization).toBe('Bearer token-of-web');
  });

  it('says so when an answer is cut off, and goes on', async () => {
    const { server, service, id, call } = await connected({ cutOff: 'broken' });
    await expect(call({}, 'broken')).rejects.toMatchObject({ code: 'call-lost' });
    // It was one answer: the session and what else is under way on it stay.
    expect(stateOf(service, id).status).toBe('ready');
    expect(await call({ a: 1 })).toMatchObject({ isError: false });
    expect(server.count('initialize')).toBe(1);
  });

  it('comes back after the server was away', async () => {
    const { server, service, id, call } = await connected();
    await server.close();
    await expect(call()).rejects.toMatchObject({ code: 'call-lost' });
    expect(stateOf(service, id)).toMatchObject({ status: 'waiting-to-retry' });
    server.forgetSessions();
    await server.reopen();
    expect(await call({ a: 1 })).toMatchObject({ isError: false });
  });

  it('is closed in time although nobody answers to DELETE', async () => {
    const { service } = await connected({ silentDelete: true });
    const began = performance.now();
    await service.closeAll();
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
