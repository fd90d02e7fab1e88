import type { ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { oddHttpServer } from './__fixtures__/http-server.ts';
import { modernHttpServer } from './__fixtures__/modern-http-server.ts';
import { makePool, notesFile, stateOf, until } from './__fixtures__/pool.ts';
import { addScripted } from './__fixtures__/scripted.ts';

/** Makes the scripted server one of the newer revision that tells of its tools and resources. */
const MODERN = `
  on['server/discover'] = (_message, reply) => reply({
    resultType: 'complete', supportedVersions: ['2026-07-28'], serverInfo: { name: 'modern', version: '1' },
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } });
  const acknowledge = ({ id, params }) => send({ method: 'notifications/subscriptions/acknowledged',
    params: { _meta: { 'io.modelcontextprotocol/subscriptionId': id }, notifications: params.notifications } });
  const end = ({ id }) => send({ id, result: { resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/subscriptionId': id } } });
  const tool = (name) => ({ name, inputSchema: { type: 'object' } });`;

async function addModern(program: string) {
  const notes = notesFile();
  const { service } = makePool();
  const note = `const { appendFileSync } = await import('node:fs');
    const note = (text) => appendFileSync(${JSON.stringify(notes.file)}, text + '\\n');`;
  const id = await addScripted(service, `${note}${MODERN}${program}`);
  await service.connect(id);
  expect(stateOf(service, id)).toMatchObject({ protocolVersion: '2026-07-28' });
  const names = async () => (await service.tools(id)).tools.map(({ name }) => name);
  return { service, id, notes, names };
}

describe('a server of the newer revision that should tell of changes', () => {
  it.each([
    ['refuses to, once', `send({ id: message.id, error: { code: -32603, message: 'too busy' } })`],
    ['stops doing so', `{ acknowledge(message); end(message); }`],
  ])('and %s, is asked again, and what changed meanwhile is seen', async (_what, first) => {
    const { service, id, names, notes } = await addModern(`
      let asked = 0;
      on['subscriptions/listen'] = (message) => {
        note('listen');
        if (asked++ > 0) return acknowledge(message);
        ${first};
        // Nobody is told of this.
        setTimeout(() => setTools([tool('echo'), tool('late')]), 200);
      };`);
    await until(() => notes.lines().filter((line) => line === 'listen').length === 2, 'it is asked again');
    await until(() => service.log(id).some(({ text }) => text.includes('tells of changes again')), 'it agreed');
    await until(() => JSON.stringify(stateOf(service, id)).includes('"toolCount":2'), 'the new list');
    expect(await names()).toEqual(['echo', 'late']);
  });

  it('and can’t, is asked once, and is asked for its list as long as that holds', async () => {
    const { service, id, notes } = await addModern(`
      on['subscriptions/listen'] = ({ id }) => { note('listen'); send({ id, error: { code: -32601, message: 'no' } }); };
      let listed = 0;
      on['tools/list'] = (_message, reply) => reply({ ttlMs: 0, tools: [...Array(++listed).keys()].map((n) => tool('t' + n)) });`);
    await until(() => service.log(id).some(({ text }) => text.includes('does not tell of changes')), 'it said so');
    const count = async () => (await service.listServerTools(id)).length;
    const before = await count();
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(await count()).toBe(before + 1);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(notes.lines()).toEqual(['listen']);
  });

  it('of a resource that is followed, is asked again too', async () => {
    const { service, id } = await addModern(`
      let asked = 0;
      on['subscriptions/listen'] = (message) => {
        acknowledge(message);
        if (message.params.notifications.resourceSubscriptions && asked++ === 0) setTimeout(() => end(message), 100);
      };`);
    const told: unknown[] = [];
    service.events.on('content', ({ change }) => told.push(change));
    await service.request(id, 'a change', (connection) => connection.followResource('x://y', { idleMs: 5000 }));
    await until(() => told.length > 0, 'it may have changed');
    expect(told).toEqual([{ kind: 'resource', uri: 'x://y' }]);
  });

  it('over HTTP, and whose streams are cut, is listened to again', async () => {
    let names = ['one'];
    const { url, dropStreams, listeners, notify } = await modernHttpServer(() => {
      const server = new McpServer({ name: 'cut', version: '1' });
      for (const name of names) server.registerTool(name, {}, () => ({ content: [] }));
      return server;
    });
    const { service } = makePool();
    const { id } = await service.add({ name: 'cut', type: 'http', config: { url } });
    await service.connect(id);
    const has = (count: number) => JSON.stringify(stateOf(service, id)).includes(`"toolCount":${count}`);
    await until(() => listeners() === 1, 'it is listened to');
    names = ['one', 'two'];
    notify.toolsChanged();
    await until(() => has(2), 'the change that it told of');
    names = ['one', 'two', 'three'];
    dropStreams();
    await until(() => has(3), 'what changed while nobody could be told');
    expect(stateOf(service, id).status).toBe('ready');
  });
});

describe('a server of the older era over HTTP', () => {
  it('whose stream is cut, and refused for a while, is listened to again, and what changed is seen', async () => {
    const streams: ServerResponse[] = [];
    let isAway = false;
    let names = ['one'];
    const { url, arrivals } = await oddHttpServer({
      capabilities: { tools: { listChanged: true } },
      answer: (method) =>
        method === 'tools/list'
          ? { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }
          : undefined,
      get: (response) => {
        if (isAway) return response.writeHead(503).end();
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 300\n\n');
        return streams.push(response);
      },
    });
    const { service } = makePool();
    const { id } = await service.add({ name: 'cut', type: 'http', config: { url } });
    await service.connect(id);
    await until(() => streams.length === 1, 'it is listened to');
    isAway = true;
    names = ['one', 'two'];
    streams[0]?.destroy();
    const gets = () => arrivals.filter(({ verb }) => verb === 'GET').length;
    await until(() => gets() >= 4, 'it was asked more often than the SDK would');
    isAway = false;
    await until(() => streams.length === 2, 'it is listened to again');
    await until(() => JSON.stringify(stateOf(service, id)).includes('"toolCount":2'), 'the new list');
    expect(stateOf(service, id).status).toBe('ready');
  });
});
