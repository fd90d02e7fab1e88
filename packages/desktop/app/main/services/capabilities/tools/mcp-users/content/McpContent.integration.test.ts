import { fileURLToPath } from 'node:url';
import type { AppEvent } from '@shared/contracts/index.ts';
import type { McpServerConfig, McpServerLimits } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it } from 'vitest';
import { makePool, notesFile, until } from '../__fixtures__/pool.ts';
import { McpContent } from './McpContent.ts';

const fixture = (name: string) => fileURLToPath(new URL(`__fixtures__/${name}`, import.meta.url));
const odd = (...behaviours: string[]): McpServerConfig => ({
  command: process.execPath,
  args: [fixture('odd-content-server.mjs'), ...behaviours.map((behaviour) => `--${behaviour}`)],
  env: { TOKEN: 'sk-secret-value-1' },
});

async function connect(config: McpServerConfig, limits?: McpServerLimits) {
  const { service } = makePool();
  const events: AppEvent[] = [];
  const content = new McpContent(service, { emit: (event) => events.push(event) });
  const { id } = await service.add({ name: 'server', type: 'stdio', config, limits });
  await service.connect(id);
  const count = (type: AppEvent['type']) => events.filter((event) => event.type === type).length;
  return { service, content, id, events, count };
}

describe('a server of the newer protocol revision', () => {
  it('offers the same, and tells when its resources change', async () => {
    const { service, content, id, count } = await connect({
      command: process.execPath,
      args: [fixture('modern-content-server.mjs')],
    });
    expect(service.listServers()[0]?.state).toMatchObject({ protocolVersion: '2026-07-28' });
    const { resources, templates } = await content.resources(id);
    expect(resources.map(({ uri }) => uri)).toEqual(['note://one', 'note://asks']);
    expect(templates.map(({ arguments: names }) => names)).toEqual([['name']]);
    expect((await content.read({ serverId: id, uri: 'note://one' }))[0]?.text).toBe('A note of the newer kind.');
    const of = { type: 'template' as const, uriTemplate: 'fruit://{name}' };
    const argument = { name: 'name', value: 'ap' };
    expect((await content.complete({ serverId: id, of, argument, context: {} })).values).toEqual(['apple', 'apricot']);
    expect((await content.prompt({ serverId: id, name: 'praise', values: { fruit: 'banana' } })).text).toBe(
      'Praise the banana.',
    );
    await service.callTool(id, 'grow', {}, 'call-1');
    await until(() => count('mcpContent.changed') > 0, 'the change is told');
    expect((await content.resources(id)).resources.map(({ uri }) => uri)).toEqual([
      'note://one',
      'note://asks',
      'note://late',
    ]);
  });
});

describe('a server that is odd', () => {
  it('loses only what is odd about it', async () => {
    const { content, id } = await connect(odd());
    const { resources, templates, rejected } = await content.resources(id);
    expect(resources).toEqual([
      { uri: 'x://good', name: 'good' },
      { uri: 'x://bare', name: 'x://bare' },
    ]);
    expect(templates.map(({ name }) => name)).toEqual(['two']);
    expect(rejected).toHaveLength(7);
    const { prompts } = await content.prompts(id);
    expect(prompts).toEqual([
      {
        name: 'good',
        arguments: [
          { name: 'topic', required: false },
          { name: 'tone', required: true },
        ],
      },
      { name: 'plain', arguments: [] },
    ]);
  });

  it('ends a list that never ends', async () => {
    const { content, id } = await connect(odd('endless'));
    const { resources, rejected } = await content.resources(id);
    expect(resources.length).toBeGreaterThan(0);
    expect(rejected.some(({ reason }) => reason.includes('same page'))).toBe(true);
  });

  it.each([
    ['no templates', 'no-templates', 0],
    ['templates that fail', 'bad-templates', 1],
  ])('with %s it keeps its resources', async (_what, behaviour, reasons) => {
    const { content, id } = await connect(odd(behaviour));
    const { resources, templates, rejected } = await content.resources(id);
    expect(resources).toHaveLength(2);
    expect(templates).toEqual([]);
    expect(rejected.filter(({ reason }) => reason.includes('Boom'))).toHaveLength(reasons);
  });

  it('is asked for nothing that it does not offer, and what it does not know is no fault', async () => {
    const notes = notesFile();
    const { content, id } = await connect(odd('silent', `notes=${notes.file}`));
    expect(await content.resources(id)).toMatchObject({ supported: false });
    expect(await content.prompts(id)).toMatchObject({ supported: false });
    await expect(content.read({ serverId: id, uri: 'x://good' })).rejects.toMatchObject({ code: 'not-supported' });
    expect(await content.watch({ serverId: id, uri: 'x://good' })).toEqual({ following: false });
    expect(notes.lines().filter((line) => /^(resources|prompts|completion)\//.test(line))).toEqual([]);
    const other = await connect(odd('no-prompts', 'completions', 'bad-completions'));
    expect(await other.content.prompts(other.id)).toMatchObject({ supported: false });
    const of = { type: 'prompt' as const, name: 'good' };
    const argument = { name: 'topic', value: '' };
    expect(await other.content.complete({ serverId: other.id, of, argument, context: {} })).toEqual({
      values: [],
      hasMore: false,
    });
  });

  it('reads every kind of content, within limits', async () => {
    const { content, id } = await connect(odd());
    const read = async (uri: string) => (await content.read({ serverId: id, uri }))[0];
    const big = await read('x://big/20000000');
    expect(big).toMatchObject({ size: 20_000_000, cut: true });
    expect(big?.text?.length).toBeLessThanOrEqual(100_000);
    expect(big?.text).toContain('characters left out');
    expect(await read('x://picture')).toMatchObject({ image: { mimeType: 'image/png' }, cut: false });
    expect(await read('x://huge-picture')).toMatchObject({ cut: true });
    expect((await read('x://huge-picture'))?.image).toBeUndefined();
    expect((await read('x://json'))?.text).toBe('{"a":1}');
    expect(await read('x://binary')).toMatchObject({ size: 3, cut: false });
    const folder = await content.read({ serverId: id, uri: 'x://folder' });
    expect(folder.map(({ text }) => text)).toEqual(['A', 'C']);
  });

  it('takes no more of many contents than of one', async () => {
    const { content, id } = await connect(odd());
    const many = await content.read({ serverId: id, uri: 'x://many' });
    expect(many.length).toBeLessThanOrEqual(100);
    expect(many.reduce((sum, { text = '' }) => sum + text.length, 0)).toBeLessThanOrEqual(100_000);
    expect(many.at(-1)).toMatchObject({ cut: true, size: 30_000 });
  });

  it('says so when it sends more than any message may have, and goes on', async () => {
    const { content, id } = await connect(odd());
    await expect(content.read({ serverId: id, uri: 'x://big/50000000' })).rejects.toMatchObject({
      code: 'call-lost',
      message: expect.stringContaining('larger than 32 MiB'),
    });
    expect((await content.read({ serverId: id, uri: 'x://json' }))[0]?.text).toBe('{"a":1}');
  });

  it.each(['x://nothing', 'x://null', 'x://asks', 'x://gone'])('says why %s can not be read', async (uri) => {
    const { content, id } = await connect(odd());
    const refused = content.read({ serverId: id, uri });
    await expect(refused).rejects.toMatchObject({ name: 'AppError', code: expect.stringMatching(/refused|not-supp/) });
    const error = await refused.catch((thrown) => thrown);
    expect(JSON.stringify([error.message, error.hint, error.details])).not.toContain('sk-secret-value-1');
  });

  it('has its prompts read leniently', async () => {
    const { content, id } = await connect(odd());
    const { text, attachments } = await content.prompt({ serverId: id, name: 'good', values: {} });
    expect(text).toBe('User: Look at this.\n\nAssistant: I do.\n\nUser: [hologram]\n\nUser: bare words');
    expect(attachments).toMatchObject([
      { kind: 'content', part: { image: { mimeType: 'image/png' } } },
      { kind: 'content', part: { name: 'inner.txt', text: 'inside' } },
      { kind: 'resource', uri: 'x://good', name: 'good' },
    ]);
  });

  it('is asked once, and again when it says that something changed, however often it says so', async () => {
    const notes = notesFile();
    const { content, id, count } = await connect(odd('storm', `notes=${notes.file}`));
    const listings = () => notes.lines().filter((line) => line === 'resources/list').length;
    await Promise.all([content.resources(id), content.resources(id)]);
    expect(listings()).toBe(1);
    await until(() => count('mcpContent.changed') >= 2, 'both changes are told');
    await content.resources(id);
    expect(listings()).toBe(2);
    expect(count('mcpContent.changed')).toBeLessThan(10);
  });

  it('is asked every time when its list holds for no time', async () => {
    const notes = notesFile();
    const { content, id } = await connect(odd('ttl', `notes=${notes.file}`));
    await content.resources(id);
    await content.resources(id);
    expect(notes.lines().filter((line) => line === 'resources/list')).toHaveLength(2);
  });

  it('is followed while a resource is watched, over a restart too, and no longer', async () => {
    const notes = notesFile();
    const { service, content, id, count, events } = await connect(odd(`notes=${notes.file}`));
    const asked = (what: string) => notes.lines().filter((line) => line === what).length;
    expect(await content.watch({ serverId: id, uri: 'x://good' })).toEqual({ following: true });
    await until(() => count('mcpContent.updated') === 1, 'the change is told');
    service.restart(id);
    await until(() => asked('resources/subscribe x://good') === 2, 'it is followed again');
    content.unwatch();
    await until(() => asked('resources/unsubscribe x://good') === 1, 'it is followed no more');
    expect(events.some((event) => JSON.stringify(event).includes('never-asked-for'))).toBe(false);
  });
});

describe('a server that is closed when nobody uses it', () => {
  const start = (notes: ReturnType<typeof notesFile>) => connect(odd(`notes=${notes.file}`), { idleCloseMs: 1000 });
  const isAsleep = ({ service }: Awaited<ReturnType<typeof start>>) => {
    const state = service.listServers()[0]?.state;
    return state?.status === 'ready' && state.asleep === true;
  };

  it('stays as long as a resource is followed', async () => {
    const started = await start(notesFile());
    const { content, id } = started;
    await content.watch({ serverId: id, uri: 'x://good' });
    await new Promise((resolve) => setTimeout(resolve, 3500));
    expect(isAsleep(started)).toBe(false);
    content.unwatch();
    await until(() => isAsleep(started), 'it is closed', 20_000);
  });

  it('is started and asked once when a resource is to be followed', async () => {
    const notes = notesFile();
    const started = await start(notes);
    const { content, id } = started;
    await until(() => isAsleep(started), 'it is closed', 20_000);
    expect(await content.watch({ serverId: id, uri: 'x://good' })).toEqual({ following: true });
    await content.read({ serverId: id, uri: 'x://good' });
    expect(notes.lines().filter((line) => line.startsWith('resources/subscribe'))).toHaveLength(1);
  });
});

describe('attachments', () => {
  it('are read at the time of sending, in their order, and none is left out silently', async () => {
    const { content, id } = await connect(odd());
    const resource = (uri: string) => ({
      kind: 'resource' as const,
      serverId: id,
      serverName: 'server',
      uri,
      name: uri,
    });
    const { signal } = new AbortController();
    const parts = await content.readAttachments([resource('x://picture'), resource('x://good')], signal);
    expect(parts.map(({ uri }) => uri)).toEqual(['x://picture', 'x://good']);
    const big = Array.from({ length: 6 }, (_, i) => resource(`x://big/${220_000 + 2 * i}`));
    const all = await content.readAttachments(big, signal);
    expect(all).toHaveLength(6);
    expect(all.every(({ cut }) => cut)).toBe(true);
    expect(all.reduce((sum, { text = '' }) => sum + text.length, 0)).toBeLessThanOrEqual(400_000);
    await expect(content.readAttachments([resource('x://good'), resource('x://gone')], signal)).rejects.toMatchObject({
      code: 'refused',
    });
    const gone = { ...resource('x://good'), serverId: 'no-such-server' };
    await expect(content.readAttachments([gone], signal)).rejects.toMatchObject({ code: 'not-found' });
  });
});
