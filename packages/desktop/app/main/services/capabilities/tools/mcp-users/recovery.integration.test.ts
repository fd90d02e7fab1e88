import type { ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type OddHttpOptions, oddHttpServer } from './__fixtures__/http-server.ts';
import { modernHttpServer } from './__fixtures__/modern-http-server.ts';
import { makePool, notesFile, oddServer, QUICK_RETRIES, stateOf, until } from './__fixtures__/pool.ts';
import { addScripted, httpServer, ready } from './__fixtures__/scripted.ts';
import type { McpService } from './McpService.ts';

/** A server of the older revisions that tells of its tools and resources on a stream of its own. */
async function tellingServer(options: OddHttpOptions = {}) {
  const streams: ServerResponse[] = [];
  let names = ['one'];
  let refusal: number | undefined;
  const server = await oddHttpServer({
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
    answer: (method) => {
      if (method === 'resources/subscribe' || method === 'resources/unsubscribe') return {};
      if (method !== 'tools/list') return undefined;
      return { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) };
    },
    get: (response) => {
      if (refusal !== undefined) return response.writeHead(refusal).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 100\nid: 7\ndata:\n\n');
      return streams.push(response);
    },
    ...options,
  });
  const tell = (method: string, params = {}) =>
    streams.at(-1)?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method, params })}\n\n`);
  return {
    ...server,
    streams,
    gets: () => server.arrivals.filter(({ verb }) => verb === 'GET').length,
    setNames: (...changed: string[]) => {
      names = changed;
    },
    /** Refuses every GET from now on, or none. */
    refuse: (status: number | undefined) => {
      refusal = status;
    },
    tell,
    toolsChanged: () => tell('notifications/tools/list_changed'),
  };
}

async function connected(server: { url: string }) {
  const { service, states } = makePool();
  const { id } = await service.add({ name: 'web', type: 'http', config: { url: server.url } });
  await service.connect(id);
  const has = (count: number) => {
    const state = stateOf(service, id);
    return state.status === 'ready' && state.toolCount === count;
  };
  return { service, states, id, has };
}

/** A server from before streamable HTTP. */
async function oldServer() {
  let stream: ServerResponse | undefined;
  return httpServer((message, request, response) => {
    if (request.method === 'GET') {
      stream = response;
      return response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write('event: endpoint\ndata: /messages\n\n');
    }
    if (request.url === '/mcp') return response.writeHead(404).end();
    const { method, id, params } = message as { method: string; id?: number; params?: { protocolVersion?: string } };
    const { protocolVersion } = params ?? {};
    const results: Record<string, unknown> = {
      initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } },
      'tools/list': { tools: [] },
    };
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} });
    if (id !== undefined) stream?.write(`event: message\ndata: ${answer}\n\n`);
    return response.writeHead(202).end();
  });
}

describe('a server from before streamable HTTP', () => {
  it('that is reached by the last attempt of a minute is waited for, and reached then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const { url, arrivals } = await oldServer();
    const { service, states } = makePool({ retryTimes: { ...QUICK_RETRIES, perMinute: 3 } });
    const { id } = await service.add({ name: 'old', type: 'http', config: { url } });
    await ready(service, id);
    const gets = () => arrivals.filter(({ verb }) => verb === 'GET').length;
    service.restart(id);
    await until(() => !['ready', 'connecting'].includes(stateOf(service, id).status), 'the third attempt');
    expect(stateOf(service, id)).toMatchObject({
      status: 'waiting-to-retry',
      error: { message: expect.stringContaining('3 times within a minute') },
    });
    expect(gets()).toBe(1);
    await vi.advanceTimersByTimeAsync(61_000);
    await ready(service, id);
    expect(gets()).toBe(2);
    expect(states).not.toContain('failed');
  });
});

describe('a test of a connection', () => {
  const test = (service: McpService, config: object, serverId?: string) =>
    service
      .testConnection({ name: 'web', type: 'url' in config ? 'http' : 'stdio', config }, { serverId })
      .then(() => 'passed')
      .catch(({ code, message, hint }) => `${code}: ${message} ${hint}`);

  it.each<[string, string | undefined]>([
    ['of a server', undefined],
    ['of one that ends at the first question', 'exit-at-probe'],
  ])('%s starts it ten times a minute at most, and says so', async (_what, behaviour) => {
    const notes = notesFile();
    const { service } = makePool();
    const config = oddServer(...(behaviour ? [behaviour] : []), `notes=${notes.file}`);
    const results: string[] = [];
    for (let i = 0; i < 12 && !results.at(-1)?.includes('10 times'); i++) results.push(await test(service, config));
    expect(results[0]).toBe('passed');
    expect(results.at(-1)).toMatch(/connect-failed: .*10 times within a minute.* again in \d+ s/);
    expect(notes.lines().filter((line) => line.startsWith('start')).length).toBe(10);
    expect(await test(service, oddServer())).toBe('passed');
  });

  it('of an address is no attempt more than there may be, the older transport included', async () => {
    const { url, arrivals } = await oldServer();
    const { service } = makePool({ retryTimes: { ...QUICK_RETRIES, perMinute: 3 } });
    expect(await test(service, { url })).toBe('passed');
    expect(await test(service, { url })).toContain('3 times within a minute');
    expect(await test(service, { url })).toContain('3 times within a minute');
    expect(arrivals.filter(({ verb }) => verb === 'GET').length).toBe(1);
  });

  it('of a new server counts for it once it is added', async () => {
    const notes = notesFile();
    const { service } = makePool({ retryTimes: { ...QUICK_RETRIES, perMinute: 2 } });
    vi.stubEnv('NOTES', notes.file);
    onTestFinished(() => void vi.unstubAllEnvs());
    const config = oddServer(`notes=\${env:NOTES}`);
    for (let i = 0; i < 2; i++) expect(await test(service, config)).toBe('passed');
    const { id } = await service.add({ name: 'new', type: 'stdio', config });
    expect(stateOf(service, id)).toMatchObject({
      status: 'waiting-to-retry',
      error: { message: expect.stringContaining('2 times within a minute') },
    });
    const other = await service.add({ name: 'other', type: 'stdio', config: oddServer() });
    await service.connect(other.id);
    expect(notes.lines().filter((line) => line.startsWith('start')).length).toBe(2);
  });

  it('of a stored server counts together with its connections', async () => {
    const server = await oddHttpServer();
    const { service } = makePool({ retryTimes: { ...QUICK_RETRIES, perMinute: 4 } });
    const { id } = await service.add({ name: 'web', type: 'http', config: { url: server.url } });
    await service.connect(id);
    for (let i = 0; i < 3; i++) expect(await test(service, { url: server.url }, id)).toBe('passed');
    expect(await test(service, { url: server.url }, id)).toContain('4 times within a minute');
    service.restart(id);
    await until(() => stateOf(service, id).status === 'waiting-to-retry', 'its turn is waited for');
    expect(server.count('initialize')).toBe(4);
    // Another address in its form is another server.
    const other = await oddHttpServer();
    expect(await test(service, { url: other.url }, id)).toBe('passed');
  });
});

describe('a lost session that nobody’s call meets', () => {
  it('is made anew for a list that was announced, once for all who wait', async () => {
    const server = await tellingServer();
    const { service, id, has } = await connected(server);
    await until(() => server.streams.length === 1, 'it is listened to');
    server.setNames('one', 'two');
    server.forgetSessions();
    server.toolsChanged();
    await until(() => !has(1) || server.count('tools/list') === 2, 'it is listed again');
    const lists = await Promise.all([1, 2, 3].map(() => service.listAllActiveServerTools()));
    expect(lists.map((tools) => tools.length)).toEqual([2, 2, 2]);
    expect(has(2)).toBe(true);
    expect(server.count('initialize')).toBe(2);
    expect(stateOf(service, id).status).toBe('ready');
  });

  it('is made anew for a list whose time is over, and whoever asks for it gets the new one', async () => {
    let names = ['one'];
    const server = await oddHttpServer({
      answer: (method) =>
        method === 'tools/list'
          ? { ttlMs: 0, tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }
          : undefined,
    });
    const { service, id } = await connected(server);
    names = ['one', 'two'];
    server.forgetSessions();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const lists = await Promise.all([
      service.listServerTools(id),
      service.listAllActiveServerTools(),
      service.listServerTools(id),
    ]);
    expect(lists.map((tools) => tools.length)).toEqual([2, 2, 2]);
    expect(server.count('initialize')).toBe(2);
  });

  it('is found out when the stream on which it tells is refused', async () => {
    const server = await tellingServer();
    const { has, states } = await connected(server);
    await until(() => server.streams.length === 1, 'it is listened to');
    server.forgetSessions();
    server.setNames('one', 'two');
    server.refuse(404);
    server.streams[0]?.destroy();
    await until(() => server.count('initialize') === 2, 'a new session');
    server.refuse(undefined);
    await until(() => has(2), 'the new list');
    expect(states).toEqual(['connecting', 'ready', 'connecting', 'ready']);
  });

  it('is no session at all for one who has to sign in again', async () => {
    let isOver = false;
    const server = await tellingServer({ postStatus: () => (isOver ? 401 : undefined) });
    const { service, id } = await connected(server);
    await until(() => server.streams.length === 1, 'it is listened to');
    isOver = true;
    server.refuse(401);
    server.streams[0]?.destroy();
    await until(() => stateOf(service, id).status === 'needs-sign-in', 'the sign-in that is needed');
  });

  it('is no lost session where only the stream is refused', async () => {
    const server = await tellingServer();
    const { states } = await connected(server);
    await until(() => server.streams.length === 1, 'it is listened to');
    server.refuse(404);
    server.streams[0]?.destroy();
    await until(() => server.gets() >= 4, 'it is asked for again');
    expect(server.count('ping')).toBe(1);
    expect(states).toEqual(['connecting', 'ready']);
  });
});

it('a changed list that can’t be read is asked for again by whoever uses it later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const { service } = makePool();
  const id = await addScripted(
    service,
    `
    let asked = 0;
    const tool = (name) => ({ name, inputSchema: { type: 'object' } });
    on['tools/list'] = (message, reply) => {
      asked++;
      if (asked === 2 || asked === 3) return send({ id: message.id, error: { code: -32603, message: 'too busy' } });
      reply({ tools: [tool('echo'), ...(asked > 3 ? [tool('late')] : [])] });
    };
    on['tools/call'] = (_message, reply) => {
      reply({ content: [{ type: 'text', text: String(asked) }] });
      send({ method: 'notifications/tools/list_changed' });
    };`,
  );
  await service.callTool(id, 'echo', {}, '1');
  const failures = () => service.log(id).filter(({ text }) => text.includes('could not be read')).length;
  await until(() => failures() === 2, 'it failed, and failed again');
  expect((await service.listServerTools(id)).length).toBe(1);
  await vi.advanceTimersByTimeAsync(31_000);
  expect((await service.listServerTools(id)).length).toBe(2);
});

describe('a stream that is dead without a word', () => {
  it('of the older revisions is opened anew after a sleep, and what was missed is seen', async () => {
    const server = await tellingServer();
    const { service, id, has, states } = await connected(server);
    await until(() => server.streams.length === 1, 'it is listened to');
    const told: unknown[] = [];
    service.events.on('content', ({ change }) => told.push(change));
    await service.request(id, 'a change', (connection) => connection.followResource('x://y', { idleMs: 5000 }));
    // Nobody is told of this.
    server.setNames('one', 'two');
    service.wake();
    await until(() => has(2), 'the list that nobody told of');
    expect(told).toEqual([{ kind: 'resource', uri: 'x://y' }]);
    expect(server.streams.map(({ destroyed }) => destroyed)).toEqual([true, false]);
    server.setNames('one', 'two', 'three');
    server.toolsChanged();
    await until(() => has(3), 'what it tells of now');
    server.tell('notifications/resources/updated', { uri: 'x://y' });
    await until(() => told.length === 2, 'the resource that it tells of');
    expect(states).toEqual(['connecting', 'ready', 'ready', 'ready']);
  });

  it('of the newer revision is too', async () => {
    let names = ['one'];
    const server = await modernHttpServer(() => {
      const made = new McpServer({ name: 'quiet', version: '1' });
      for (const name of names) made.registerTool(name, {}, () => ({ content: [] }));
      return made;
    });
    const { service, has } = await connected(server);
    await until(() => server.listeners() === 1, 'it is listened to');
    names = ['one', 'two'];
    service.wake();
    await until(() => has(2), 'the list that nobody told of');
    names = ['one', 'two', 'three'];
    server.notify.toolsChanged();
    await until(() => has(3), 'what it tells of now');
    expect(server.listeners()).toBe(2);
  });

  it('is not asked for where the server has none', async () => {
    const server = await oddHttpServer();
    const { service } = await connected(server);
    const gets = () => server.arrivals.filter(({ verb }) => verb === 'GET').length;
    await until(() => gets() === 1, 'it is asked for');
    service.wake();
    await until(() => server.count('ping') === 1, 'it is asked whether it is there');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(gets()).toBe(1);
  });
});

describe('the stream on which a server tells', () => {
  it.each([503, 429])('that is refused with %i at first is asked for again', async (status) => {
    const server = await tellingServer();
    server.refuse(status);
    const { has } = await connected(server);
    await until(() => server.gets() === 1, 'it is asked for');
    server.setNames('one', 'two');
    server.refuse(undefined);
    await until(() => server.streams.length === 1, 'it is listened to');
    await until(() => has(2), 'what changed before');
  });
});

it('an attempt that the machine slept through is made anew on waking', async () => {
  let isDead = true;
  const { url, arrivals } = await httpServer(() => isDead || undefined);
  let sleptMs = 0;
  const { service, states } = makePool({ clock: { now: () => Date.now() + sleptMs } });
  const { id } = await service.add({ name: 'web', type: 'http', config: { url }, protocol: 'legacy' });
  await until(() => arrivals.length === 1, 'the attempt');
  service.wake();
  expect(states).toEqual(['connecting']);
  isDead = false;
  sleptMs = 3_600_000;
  service.wake();
  await until(() => stateOf(service, id).status === 'ready', 'it is there', 8000);
  expect(states).toEqual(['connecting', 'connecting', 'ready']);
});

it('a resource that two want to know of is told of until the last of them is gone', async () => {
  const server = await tellingServer();
  const { service, id } = await connected(server);
  const follow = () =>
    service.request(id, 'a change', (connection) => connection.followResource('x://y', { idleMs: 5000 }));
  const ends = [await follow(), await follow()];
  await ends[0]?.();
  expect(server.count('resources/unsubscribe')).toBe(0);
  await ends[1]?.();
  expect(server.count('resources/unsubscribe')).toBe(1);
});
