import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { modernHttpServer } from './__fixtures__/modern-http-server.ts';
import { makePool, stateOf, until } from './__fixtures__/pool.ts';
import { programOf } from './__fixtures__/published-servers.ts';

const MODERN = fileURLToPath(new URL('__fixtures__/modern-server.mjs', import.meta.url));

function folder() {
  const made = mkdtempSync(path.join(os.tmpdir(), 'tinyelf-real-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe('published servers and those of the newer revision', () => {
  it('memory keeps a graph, over a restart too', async () => {
    const { service } = makePool();
    const env = { MEMORY_FILE_PATH: path.join(folder(), 'memory.json') };
    const config = { command: process.execPath, args: [programOf('server-memory')], env };
    const { id } = await service.add({ name: 'memory', type: 'stdio', config });
    const entities = [{ name: 'TinyElf', entityType: 'app', observations: ['small'] }];
    expect(await service.callTool(id, 'create_entities', { entities }, 'c1')).toMatchObject({ isError: false });
    const relations = [{ from: 'TinyElf', to: 'TinyElf', relationType: 'knows' }];
    expect(await service.callTool(id, 'create_relations', { relations }, 'c2')).toMatchObject({ isError: false });
    await service.setEnabled(id, false);
    await service.setEnabled(id, true);
    expect(await service.callTool(id, 'read_graph', {}, 'c3')).toMatchObject({
      structuredContent: { entities: [{ name: 'TinyElf' }], relations },
    });
    expect(await service.callTool(id, 'search_nodes', { query: 'nobody' }, 'c4')).toMatchObject({
      structuredContent: { entities: [] },
    });
    expect(await service.callTool(id, 'open_nodes', { names: 'no list' }, 'c5')).toMatchObject({ isError: true });
  });

  it('files are written, changed, found and listed, and nothing outside the folder is', async () => {
    const allowed = folder();
    const { service } = makePool();
    const config = { command: process.execPath, args: [programOf('server-filesystem'), allowed] };
    const { id } = await service.add({ name: 'files', type: 'stdio', config });
    let calls = 0;
    const call = (tool: string, args: Record<string, unknown>) => service.callTool(id, tool, args, `c${calls++}`);
    const file = path.join(allowed, 'smørrebrød 日本.txt');
    const done = { isError: false };
    expect(await call('write_file', { path: file, content: 'one\ntwo\n' })).toMatchObject(done);
    const edits = [{ oldText: 'two', newText: 'drei' }];
    expect(await call('edit_file', { path: file, edits, dryRun: false })).toMatchObject(done);
    expect(readFileSync(file, 'utf8')).toBe('one\ndrei\n');
    expect(JSON.stringify(await call('read_text_file', { path: file, head: 1 }))).toContain('one');
    expect(JSON.stringify(await call('search_files', { path: allowed, pattern: '**/*.txt' }))).toContain('smørrebrød');
    expect(JSON.stringify(await call('directory_tree', { path: allowed }))).toContain('日本');
    writeFileSync(path.join(allowed, 'dot.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47]));
    expect((await call('read_media_file', { path: path.join(allowed, 'dot.png') })).content).toContainEqual(
      expect.objectContaining({ type: 'image', mimeType: 'image/png' }),
    );
    expect(await call('read_text_file', { path: '/etc/hostname' })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/denied|outside/i) }],
    });
    // The server itself says which of its tools only read.
    const tools = await service.listServerTools(id);
    const reads = (tool: string) => tools.find(({ name }) => name === tool)?.annotations?.readOnlyHint;
    expect([reads('read_text_file'), reads('write_file')]).toEqual([true, false]);
  });

  it('files, as a server that comes with the app', async () => {
    const sample = folder();
    writeFileSync(path.join(sample, 'hello.txt'), 'from the sample');
    const { service } = makePool({
      resolveBuiltin: (name) =>
        name === 'files'
          ? { command: process.execPath, args: [programOf('server-filesystem'), sample], cwd: sample }
          : undefined,
    });
    await service.addBuiltin('files', 'Files');
    const { id, consented } = service.listServers()[0]!.server;
    expect(consented).toBe(true);
    const file = path.join(sample, 'hello.txt');
    expect(JSON.stringify(await service.callTool(id, 'read_text_file', { path: file }, 'c1'))).toContain(
      'from the sample',
    );
    await expect(service.update(id, { name: 'x', type: 'stdio', config: { command: 'sh' } })).rejects.toMatchObject({
      code: 'invalid-config',
    });
    await service.setEnabled(id, false);
    await service.remove(id);
    await service.addBuiltin('files', 'Files');
    expect(service.listServers()).toEqual([]);
  });

  it('one of the newer protocol revision, and tells when its tools change', async () => {
    const { service } = makePool();
    const { id } = await service.add({
      name: 'modern',
      type: 'stdio',
      config: { command: process.execPath, args: [MODERN] },
    });
    await service.connect(id);
    expect(stateOf(service, id)).toMatchObject({ status: 'ready', protocolVersion: '2026-07-28' });
    expect(await service.callTool(id, 'add', { a: 2, b: 3 }, 'c1')).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: '5' }],
    });
    await service.callTool(id, 'grow', {}, 'c2');
    await expect
      .poll(async () => (await service.listServerTools(id)).map(({ name }) => name), { timeout: 10_000 })
      .toContain('grown');
  });

  it('one of the newer protocol revision over HTTP, which notices when a call is cancelled', async () => {
    const { url, aborted } = await modernHttpServer();
    const { service } = makePool();
    const { id } = await service.add({ name: 'modern', type: 'http', config: { url } });
    await service.connect(id);
    expect(stateOf(service, id)).toMatchObject({ status: 'ready', protocolVersion: '2026-07-28', toolCount: 2 });
    const waiting = service.callTool(id, 'wait', {}, 'c1');
    setTimeout(() => service.cancelCall('c1'), 300);
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    await until(() => aborted.length === 1, 'the server notices');
    expect(await service.callTool(id, 'add', { a: 2, b: 3 }, 'c2')).toMatchObject({
      content: [{ type: 'text', text: '5' }],
    });
  });
});
