import { fileURLToPath } from 'node:url';
import type { AppEvent } from '@shared/contracts/index.ts';
import type { McpServerLimits } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it } from 'vitest';
import { makePool, memoryStore, until } from '../__fixtures__/pool.ts';
import { ServerGrants } from '../server-requests/ServerGrants.ts';
import { MAX_PENDING_PER_SERVER, ServerRequests } from '../server-requests/ServerRequests.ts';
import { McpContent } from './McpContent.ts';

const SCRIPTED = fileURLToPath(new URL('../__fixtures__/scripted-server.mjs', import.meta.url));
const OFFERS = `
  on.initialize = ({ params }, reply) => reply({ protocolVersion: params.protocolVersion,
    capabilities: { tools: {}, completions: {}, prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true } },
    serverInfo: { name: 'hostile', version: '1'.repeat(1_000_000) } });`;

/** A server that does as the program says, with content, and somebody who can be asked. */
async function start(program: string, limits?: McpServerLimits) {
  const events: AppEvent[] = [];
  const requests = new ServerRequests({
    events: { emit: (event) => events.push(event) },
    clock: Date,
    openModel: () => {
      throw new Error('no model is asked');
    },
    openExternal: async () => true,
  });
  const grants = new ServerGrants({ store: memoryStore(), chooseFolder: async () => undefined, onError: () => {} });
  const { service } = makePool({ person: { requests, grants } });
  const content = new McpContent(service, { emit: (event) => events.push(event) });
  const config = { command: process.execPath, args: [SCRIPTED, OFFERS + program] };
  const { id } = await service.add({ name: 'hostile', type: 'stdio', config, limits });
  await service.connect(id);
  return { service, content, requests, events, id };
}

describe('a hostile server', () => {
  it('with a version, titles and names of a megabyte fills no list', async () => {
    const { service, content, id } = await start(`
      const long = 'n'.repeat(1_000_000);
      setTools([{ name: 't', title: long, annotations: { title: long }, inputSchema: { type: 'object' } }]);
      on['resources/list'] = (m, reply) => reply({ resources: [{ uri: 'x://a', name: long, title: long, mimeType: long,
        description: long }, { uri: 'x://' + long, name: 'b' }] });
      on['resources/templates/list'] = (m, reply) => reply({ resourceTemplates: [] });
      on['completion/complete'] = (m, reply) => reply({ completion: { values: [long, 'short'] } });`);
    expect(JSON.stringify(service.listServers()).length).toBeLessThan(2000);
    expect(JSON.stringify(await service.tools(id)).length).toBeLessThan(5000);
    const listing = await content.resources(id);
    expect(listing.resources.map(({ uri }) => uri)).toEqual(['x://a']);
    expect(JSON.stringify(listing).length).toBeLessThan(20_000);
    const of = { type: 'prompt' as const, name: 'p' };
    const argument = { name: 'a', value: '' };
    const completion = await content.complete({ serverId: id, of, argument, context: {} });
    expect(completion).toEqual({ values: ['short'], hasMore: true });
  });

  it('with prompts of ten thousand arguments, and arguments called as an object’s own parts, stays usable', async () => {
    const { content, id } = await start(`
      const many = [...Array(10_000).keys()].map((n) => ({ name: 'a' + n }));
      on['prompts/list'] = (m, reply) => reply({ prompts: [{ name: 'many', arguments: many },
        { name: 'odd', arguments: [{ name: '__proto__' }, { name: 'constructor' }, { name: 'toString' }] }] });
      on['prompts/get'] = ({ params }, reply) => reply({ messages: [{ role: 'user',
        content: { type: 'text', text: JSON.stringify(params.arguments) } }] });`);
    const { prompts } = await content.prompts(id);
    expect(prompts[0]?.arguments).toHaveLength(100);
    expect(prompts[1]?.arguments.map(({ name }) => name)).toEqual(['__proto__', 'constructor', 'toString']);
    const values = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}');
    const { text } = await content.prompt({ serverId: id, name: 'odd', values });
    expect(text).toBe('{"__proto__":"a","constructor":"b","toString":"c"}');
  });

  it('with addresses that are no such thing has them listed and read as they are, and none is opened', async () => {
    const uris = [
      'javascript:alert(1)',
      'x://a\u0000b\n\u202e',
      '<img src=x onerror=alert(1)>',
      'file:///etc/passwd',
      ' ',
    ];
    const { content, id } = await start(`
      on['resources/list'] = (m, reply) => reply({ resources: ${JSON.stringify(uris)}.map((uri) => ({ uri, name: uri })) });
      on['resources/templates/list'] = (m, reply) => reply({ resourceTemplates: [] });
      on['resources/read'] = ({ params }, reply) => reply({ contents: [{ uri: params.uri, text: 'from the server' }] });`);
    expect((await content.resources(id)).resources.map(({ uri }) => uri)).toEqual(uris);
    for (const uri of uris) {
      const [part] = await content.read({ serverId: id, uri });
      expect(part).toMatchObject({ uri, text: 'from the server' });
    }
  });

  it('that never answers a subscription is left alone, and the watching can be ended meanwhile', async () => {
    const { content, id } = await start(
      `on['resources/subscribe'] = () => {};
       on['resources/read'] = ({ params }, reply) => reply({ contents: [{ uri: params.uri, text: 'read' }] });`,
      { idleMs: 1000 },
    );
    const watching = content.watch({ serverId: id, uri: 'x://a' });
    expect((await content.read({ serverId: id, uri: 'x://a' }))[0]?.text).toBe('read');
    expect(await watching).toEqual({ following: false });
    const again = content.watch({ serverId: id, uri: 'x://b' });
    content.unwatch();
    expect(await again).toEqual({ following: false });
  });

  it('that tells of changes without end is asked and told of now and then', async () => {
    const { service, content, events, id } = await start(`
      let asked = 0;
      on['resources/list'] = (m, reply) => reply({ resources: [{ uri: 'x://' + asked++, name: 'n' }] });
      on['resources/templates/list'] = (m, reply) => reply({ resourceTemplates: [] });
      on['tools/call'] = async (m, reply) => {
        for (let i = 0; i < 20_000; i++) send({ method: 'notifications/resources/list_changed' });
        reply(text(String(asked)));
      };`);
    await content.resources(id);
    const told = () => events.filter(({ type }) => type === 'mcpContent.changed').length;
    await service.callTool(id, 'echo', {}, 'storm');
    await until(() => told() > 0, 'the change is told');
    expect(told()).toBeLessThan(20);
    expect((await content.resources(id)).resources.map(({ uri }) => uri)).toEqual(['x://1']);
  });

  it('that asks ten thousand times at once has a few questions shown, and the rest refused', async () => {
    const { service, requests, events, id } = await start(`
      on['tools/call'] = async (m, reply) => {
        for (let i = 0; i < 10_000; i++)
          send({ id: 's' + i, method: 'sampling/createMessage',
            params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 10 } });
        reply(text('asked'));
      };`);
    await service.callTool(id, 'echo', {}, 'storm');
    await until(() => requests.list().length === MAX_PENDING_PER_SERVER, 'the questions');
    const shown = events.flatMap((event) => (event.type === 'mcpRequests.changed' ? [event.payload.request.id] : []));
    expect(new Set(shown).size).toBe(MAX_PENDING_PER_SERVER);
    expect(service.listServers()[0]?.state.status).toBe('ready');
    await service.setEnabled(id, false);
    expect(requests.list()).toEqual([]);
  });

  it('can’t flood anybody with progress', async () => {
    const { service, id } = await start(`
      on['tools/call'] = async ({ params }, reply) => {
        const message = 'p'.repeat(1_000_000);
        for (let i = 0; i < 50; i++)
          send({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: i, message } });
        reply(text('done'));
      };`);
    const lengths: number[] = [];
    const onProgress = ({ message = '' }) => lengths.push(message.length);
    await service.callTool(id, 'echo', {}, 'p', { onProgress });
    expect(lengths).toHaveLength(50);
    expect(Math.max(...lengths)).toBe(1000);
  });

  it('is refused a form that nobody can read, and its field names are only names', async () => {
    const { service, requests, id } = await start(`
      const ask = (requestedSchema) => send({ id: 'f' + Math.random(), method: 'elicitation/create', params: { message: 'm', requestedSchema } });
      const answers = [];
      process.stdin.prependListener('data', (chunk) => answers.push(String(chunk)));
      on['tools/call'] = async ({ params }, reply) => {
        if (params.arguments.show) return reply(text(answers.join('')));
        const wide = [...Array(100).keys()].map((n) => ['f' + n, { type: 'string',
          enum: [...Array(500).keys()].map((k) => k + 'x'.repeat(500)) }]);
        ask({ type: 'object', properties: Object.fromEntries(wide) });
        ask(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string","default":"' + 'd'.repeat(1_000_000) +
          '"},"constructor":{"type":"boolean"}},"required":["constructor"]}'));
        reply(text('asked'));
      };`);
    await service.callTool(id, 'echo', {}, 'f');
    await until(() => requests.list().length === 1, 'one question');
    const [request] = requests.list();
    expect(JSON.stringify(request).length).toBeLessThan(2000);
    expect(request?.question).toMatchObject({ fields: [{ name: '__proto__' }, { name: 'constructor' }] });
    const values = [
      { name: '__proto__', value: 'mine' },
      { name: 'constructor', value: true },
    ];
    await requests.answer(request!.id, { action: 'accept', values });
    const { content } = await service.callTool(id, 'echo', { show: true }, 'g');
    const said = content[0]?.type === 'text' ? content[0].text : '';
    expect(said).toContain('{"__proto__":"mine","constructor":true}');
    expect(said).toContain('larger than anybody can read');
  });
});
