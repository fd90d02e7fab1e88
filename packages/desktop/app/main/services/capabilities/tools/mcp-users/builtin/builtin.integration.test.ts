import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuiltinOptions } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makePool, stateOf, until } from '../__fixtures__/pool.ts';
import { BuiltinServers } from './BuiltinServers.ts';
import { type BuiltinPlaces, builtinConfig, checkBuiltinOptions } from './builtin-config.ts';

function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tinyelf builtin-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function folderIn(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  return folder;
}

function makeBuiltins(data = scratch(), store?: Parameters<typeof makePool>[0]) {
  const places: BuiltinPlaces = {
    runtime: process.execPath,
    scriptOf: (packageName) => createRequire(import.meta.url).resolve(`${packageName}/dist/index.js`),
    sampleFolder: data,
    dataFolder: data,
    memoryFile: join(data, 'memory.jsonl'),
  };
  const pool = makePool({
    ...store,
    resolveBuiltin: (name: string, options: BuiltinOptions) => builtinConfig(name, options, places),
  });
  const { service } = pool;
  const builtins = new BuiltinServers({ mcp: service, chooseFolders: async () => [] });
  const textOf = async (id: string, tool: string, args: Record<string, unknown>): Promise<string> => {
    const [block] = (await service.callTool(id, tool, args, crypto.randomUUID())).content;
    return block?.type === 'text' ? block.text : '';
  };
  const ready = (id: string) => until(() => stateOf(service, id).status === 'ready', 'ready', 30_000);
  return { ...pool, builtins, textOf, ready, data };
}

describe('files of chosen folders', () => {
  it('can be read and written in exactly these folders', async () => {
    const parent = scratch();
    const [one, two, other] = [folderIn(parent, 'one'), folderIn(parent, 'two words'), folderIn(parent, 'other')];
    writeFileSync(join(one, 'a.txt'), 'from one');
    writeFileSync(join(other, 'b.txt'), 'from other');
    const { builtins, service, textOf, ready } = makeBuiltins();
    const { id, builtinOptions, consented } = await builtins.add('folders', 'mine', { folders: [one, two, one] });
    expect([builtinOptions, consented]).toEqual([{ folders: [one, two] }, true]);
    await ready(id);
    expect(await textOf(id, 'read_text_file', { path: join(one, 'a.txt') })).toBe('from one');
    await textOf(id, 'write_file', { path: join(two, 'c.txt'), content: 'written' });
    expect(readFileSync(join(two, 'c.txt'), 'utf8')).toBe('written');
    const refused = await service.callTool(id, 'read_text_file', { path: join(other, 'b.txt') }, 'x');
    expect(refused.isError).toBe(true);
  });

  it('need folders that are there', async () => {
    const parent = scratch();
    const file = join(parent, 'file');
    writeFileSync(file, '');
    const { builtins } = makeBuiltins();
    for (const folder of [join(parent, 'gone'), file, 'relative', `${parent}\0`]) {
      await expect(builtins.add('folders', 'mine', { folders: [folder] })).rejects.toMatchObject({
        code: 'invalid-config',
        message: expect.stringContaining(folder),
      });
    }
    await expect(builtins.add('folders', 'mine')).rejects.toMatchObject({ code: 'invalid-config' });
    expect(() => checkBuiltinOptions('memory', { folders: [parent] })).toThrow('takes no folders');
  });

  it('that went missing are named; one of several is left out', async () => {
    const parent = scratch();
    const [one, two] = [folderIn(parent, 'one'), folderIn(parent, 'two')];
    const { builtins, service, ready } = makeBuiltins();
    const { id } = await builtins.add('folders', 'mine', { folders: [one, two] });
    await ready(id);
    rmSync(one, { recursive: true });
    service.restart(id);
    await ready(id);
    rmSync(two, { recursive: true });
    service.restart(id);
    await until(() => stateOf(service, id).status === 'failed', 'failed');
    expect(stateOf(service, id)).toMatchObject({ error: { code: 'invalid-config', details: `${one}\n${two}` } });
  });

  it('may be added more than once, under names of their own', async () => {
    const folder = scratch();
    const { builtins, store } = makeBuiltins();
    const first = await builtins.add('folders', undefined, { folders: [folder] });
    const second = await builtins.add('folders', undefined, { folders: [folder] });
    expect([first.name, second.name]).toEqual(['folders', 'folders (2)']);
    await expect(builtins.add('folders', 'FOLDERS', { folders: [folder] })).rejects.toMatchObject({
      code: 'name-taken',
    });
    // They are there after a restart of the app, with their folders.
    const { service } = makePool({ store });
    expect(service.listServers().map(({ server }) => server.builtinOptions?.folders)).toEqual([[folder], [folder]]);
  });
});

describe('the folders of a server', () => {
  it('can be changed, which restarts that server and no other', async () => {
    const parent = scratch();
    const [one, two] = [folderIn(parent, 'one'), folderIn(parent, 'two')];
    writeFileSync(join(two, 'b.txt'), 'from two');
    const { builtins, service, textOf, ready, states } = makeBuiltins();
    const { id } = await builtins.add('folders', 'mine', { folders: [one] });
    const other = await builtins.add('folders', 'other', { folders: [one] });
    await Promise.all([ready(id), ready(other.id)]);
    expect((await service.callTool(id, 'read_text_file', { path: join(two, 'b.txt') }, 'x')).isError).toBe(true);
    await service.setToolEnabled(id, 'write_file', false);
    states.length = 0;

    const edited = await builtins.edit(id, 'renamed', { folders: [two] });
    expect(edited).toMatchObject({ name: 'renamed', builtinOptions: { folders: [two] }, enabled: true });
    await ready(id);
    expect(await textOf(id, 'read_text_file', { path: join(two, 'b.txt') })).toBe('from two');
    expect(states).toEqual(['off', 'connecting', 'ready']);
    expect([...service.toolsOff(id)]).toEqual(['write_file']);

    states.length = 0;
    await builtins.edit(id, 'again', { folders: [two] });
    expect(states).toEqual([]);
  });

  it('are as they were when the edit is refused', async () => {
    const folder = scratch();
    const { builtins, service } = makeBuiltins();
    const { id } = await builtins.add('folders', 'mine', { folders: [folder] });
    const { id: typed } = await service.add({ name: 'typed', type: 'http', config: { url: 'http://127.0.0.1:9/' } });
    await expect(builtins.edit(id, 'mine', { folders: [join(folder, 'gone')] })).rejects.toMatchObject({
      code: 'invalid-config',
    });
    await expect(builtins.edit(id, 'TYPED', { folders: [folder] })).rejects.toMatchObject({ code: 'name-taken' });
    await expect(builtins.edit(typed, 'typed', { folders: [folder] })).rejects.toMatchObject({
      code: 'invalid-config',
    });
    expect(service.listServers()[0]?.server).toMatchObject({ name: 'mine', builtinOptions: { folders: [folder] } });
  });
});

describe('the memory', () => {
  it('keeps what it is told in its file, and there is one only', async () => {
    const { builtins, textOf, ready, data, service } = makeBuiltins();
    expect(builtins.offers()).toContainEqual({ builtin: 'memory', added: false });
    const { id } = await builtins.add('memory');
    await ready(id);
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }];
    await textOf(id, 'create_entities', { entities });
    expect(readFileSync(join(data, 'memory.jsonl'), 'utf8')).toContain('likes tea');
    expect(builtins.offers()).toContainEqual({ builtin: 'memory', added: true });
    await expect(builtins.add('memory')).rejects.toMatchObject({ code: 'invalid-config' });

    await service.remove(id);
    const again = await builtins.add('memory');
    await ready(again.id);
    expect(await textOf(again.id, 'search_nodes', { query: 'Ada' })).toContain('likes tea');
  });
});
