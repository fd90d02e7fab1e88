import type { ServerResponse } from 'node:http';
import type { AppEvent } from '@shared/contracts/index.ts';
import { describe, expect, it } from 'vitest';
import { oddHttpServer } from '../__fixtures__/http-server.ts';
import { modernHttpServer } from '../__fixtures__/modern-http-server.ts';
import { makePool, until } from '../__fixtures__/pool.ts';
import { makeContentServer } from './__fixtures__/modern-content.ts';
import { McpContent } from './McpContent.ts';

async function connect(url: string) {
  const { service } = makePool();
  const events: AppEvent[] = [];
  const content = new McpContent(service, { emit: (event) => events.push(event) });
  const { id } = await service.add({ name: 'web', type: 'http', config: { url } });
  await service.connect(id);
  const told = (event: AppEvent['type']) => events.filter(({ type }) => type === event).map(({ payload }) => payload);
  const uris = async () => (await content.resources(id)).resources.map(({ uri }) => uri);
  return { service, content, id, told, uris };
}

const FRUIT = { type: 'template' as const, uriTemplate: 'fruit://{name}' };

/** A server of the older era, and what pushes a notification through the stream that the client opened. */
async function legacyServer() {
  const streams: ServerResponse[] = [];
  const asked: string[] = [];
  const notes = ['note://one'];
  const answer = (method: string, params: Record<string, unknown>): unknown => {
    asked.push([method, params.uri].filter(Boolean).join(' '));
    switch (method) {
      case 'resources/list':
        return { resources: notes.map((uri) => ({ uri, name: uri })) };
      case 'resources/templates/list':
        return { resourceTemplates: [{ uriTemplate: FRUIT.uriTemplate, name: 'fruit' }] };
      case 'resources/read':
        return { contents: [{ uri: params.uri, text: `All about ${params.uri}` }] };
      case 'completion/complete': {
        const { value } = params.argument as { value: string };
        return { completion: { values: ['apple', 'apricot', 'banana'].filter((fruit) => fruit.startsWith(value)) } };
      }
      case 'prompts/list':
        return { prompts: [{ name: 'praise', arguments: [{ name: 'fruit', required: true }] }] };
      case 'prompts/get': {
        const { fruit } = params.arguments as { fruit: string };
        return { messages: [{ role: 'user', content: { type: 'text', text: `Praise the ${fruit}.` } }] };
      }
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return {};
      default:
        return undefined;
    }
  };
  const server = await oddHttpServer({
    capabilities: {
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
    },
    answer,
    get: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      streams.push(response);
    },
  });
  const push = async (method: string, params = {}) => {
    await until(() => streams.length > 0, 'a stream for notifications');
    streams.at(-1)?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method, params })}\n\n`);
  };
  return { url: server.url, asked, notes, push };
}

describe('a server of the older era over HTTP', () => {
  it('offers resources, templates with suggestions, and prompts', async () => {
    const { url } = await legacyServer();
    const { content, id, uris } = await connect(url);
    expect(await uris()).toEqual(['note://one']);
    const { templates } = await content.resources(id);
    expect(templates).toMatchObject([{ uriTemplate: 'fruit://{name}', arguments: ['name'] }]);
    const argument = { name: 'name', value: 'ap' };
    const { values } = await content.complete({ serverId: id, of: FRUIT, argument, context: {} });
    expect(values).toEqual(['apple', 'apricot']);
    const { uri } = content.expand({ serverId: id, uriTemplate: FRUIT.uriTemplate, values: { name: values[0]! } });
    expect(await content.read({ serverId: id, uri })).toMatchObject([{ text: 'All about fruit://apple' }]);
    expect((await content.prompts(id)).prompts).toMatchObject([{ name: 'praise' }]);
    expect(await content.prompt({ serverId: id, name: 'praise', values: { fruit: 'pear' } })).toMatchObject({
      text: 'Praise the pear.',
    });
  });

  it('tells of lists that changed and of the resource that is followed, as long as it is', async () => {
    const { url, asked, notes, push } = await legacyServer();
    const { content, id, told, uris } = await connect(url);
    await uris();
    notes.push('note://late');
    await push('notifications/resources/list_changed');
    await until(() => told('mcpContent.changed').length > 0, 'the change is told');
    expect(await uris()).toEqual(['note://one', 'note://late']);
    expect(await content.watch({ serverId: id, uri: 'note://one' })).toEqual({ following: true });
    await push('notifications/resources/updated', { uri: 'note://one' });
    await until(() => told('mcpContent.updated').length > 0, 'the update is told');
    expect(told('mcpContent.updated')).toEqual([{ serverId: id, uri: 'note://one' }]);
    content.unwatch();
    await until(() => asked.includes('resources/unsubscribe note://one'), 'it is followed no more');
  });
});

describe('a server of the newer revision over HTTP', () => {
  it('offers resources, templates with suggestions, and prompts', async () => {
    const { url } = await modernHttpServer(() => makeContentServer());
    const { service, content, id, uris } = await connect(url);
    expect(service.listServers()[0]?.state).toMatchObject({ protocolVersion: '2026-07-28' });
    expect(await uris()).toEqual(['note://one', 'note://asks']);
    const argument = { name: 'name', value: 'ap' };
    const { values } = await content.complete({ serverId: id, of: FRUIT, argument, context: {} });
    expect(values).toEqual(['apple', 'apricot']);
    const { uri } = content.expand({ serverId: id, uriTemplate: FRUIT.uriTemplate, values: { name: values[0]! } });
    expect(await content.read({ serverId: id, uri })).toMatchObject([{ text: 'All about fruit://apple' }]);
    expect(await content.prompt({ serverId: id, name: 'praise', values: { fruit: 'banana' } })).toMatchObject({
      text: 'Praise the banana.',
    });
  });

  it('tells of lists that changed and of the resource that is followed, and of no other', async () => {
    let grown = false;
    const { url, notify } = await modernHttpServer(() => makeContentServer(grown));
    const { content, id, told, uris } = await connect(url);
    await uris();
    grown = true;
    // The subscription may still be on its way.
    const telling = setInterval(() => notify.resourcesChanged(), 100);
    await until(() => told('mcpContent.changed').length > 0, 'the change is told');
    clearInterval(telling);
    await until(() => told('mcpContent.changed').length > 0, 'the change is told');
    expect(await uris()).toEqual(['note://one', 'note://asks', 'note://late']);
    expect(await content.watch({ serverId: id, uri: 'note://one' })).toEqual({ following: true });
    notify.resourceUpdated('note://late');
    notify.resourceUpdated('note://one');
    await until(() => told('mcpContent.updated').length > 0, 'the update is told');
    expect(told('mcpContent.updated')).toEqual([{ serverId: id, uri: 'note://one' }]);
  });
});
