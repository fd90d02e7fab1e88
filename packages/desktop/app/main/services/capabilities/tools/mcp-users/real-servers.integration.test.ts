import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { modernHttpServer } from './__fixtures__/modern-http-server.ts';
import { makePool, stateOf, until } from './__fixtures__/pool.ts';

const bin = (packageName: string) =>
  fileURLToPath(new URL(`../../../../../../../../node_modules/${packageName}/dist/index.js`, import.meta.url));
const EVERYTHING = bin('@modelcontextprotocol/server-everything');
const MODERN = fileURLToPath(new URL('__fixtures__/modern-server.mjs', import.meta.url));

function folder() {
  const made = mkdtempSync(path.join(os.tmpdir(), 'tinyelf-real-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function everythingOver(kind: 'sse' | 'streamableHttp') {
  const port = await freePort();
  let output = '';
  const child: ChildProcess = spawn(process.execPath, [EVERYTHING, kind], {
    env: { ...process.env, PORT: String(port) },
  });
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await until(() => /listening|running|port/i.test(output), `server-everything ${kind} listens`);
  return port;
}

describe('server-everything', () => {
  it('works over stdio, with progress', async () => {
    const { service } = makePool();
    const config = { command: process.execPath, args: [EVERYTHING, 'stdio'] };
    const { id } = await service.add({ name: 'everything', type: 'stdio', config });
    const tools = await service.listServerTools(id);
    expect(tools.length).toBeGreaterThan(8);
    expect(await service.callTool(id, 'echo', { message: 'hi' }, 'c1')).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: expect.stringContaining('hi') }],
    });
    const progress: number[] = [];
    const long = tools.find(({ name }) => /long.?running/i.test(name))!;
    await service.callTool(id, long.name, { duration: 1, steps: 4 }, 'c2', {
      onProgress: ({ progress: step }) => progress.push(step),
    });
    expect(progress).toEqual([1, 2, 3, 4]);
  });

  it('works over streamable HTTP', async () => {
    const port = await everythingOver('streamableHttp');
    const { service } = makePool();
    const { id } = await service.add({
      name: 'everything',
      type: 'http',
      config: { url: `http://127.0.0.1:${port}/mcp` },
    });
    expect((await service.listServerTools(id)).length).toBeGreaterThan(8);
    expect(await service.callTool(id, 'echo', { message: 'hi' }, 'c1')).toMatchObject({ isError: false });
  });

  it.each(['sse', 'http'] as const)('of the old kind works as %s', async (type) => {
    const port = await everythingOver('sse');
    const { service } = makePool();
    const { id } = await service.add({ name: 'everything', type, config: { url: `http://127.0.0.1:${port}/sse` } });
    expect((await service.listServerTools(id)).length).toBeGreaterThan(8);
    expect(await service.callTool(id, 'echo', { message: 'hi' }, 'c1')).toMatchObject({ isError: false });
  });
});

describe('other servers', () => {
  it('memory', async () => {
    const { service } = makePool();
    const env = { MEMORY_FILE_PATH: path.join(folder(), 'memory.json') };
    const config = { command: process.execPath, args: [bin('@modelcontextprotocol/server-memory')], env };
    const { id } = await service.add({ name: 'memory', type: 'stdio', config });
    const entities = [{ name: 'TinyElf', entityType: 'app', observations: ['small'] }];
    expect(await service.callTool(id, 'create_entities', { entities }, 'c1')).toMatchObject({ isError: false });
    expect(JSON.stringify(await service.callTool(id, 'read_graph', {}, 'c2'))).toContain('TinyElf');
  });

  it('files, as a server that comes with the app', async () => {
    const sample = folder();
    writeFileSync(path.join(sample, 'hello.txt'), 'from the sample');
    const { service } = makePool({
      resolveBuiltin: (name) =>
        name === 'files'
          ? { command: process.execPath, args: [bin('@modelcontextprotocol/server-filesystem'), sample], cwd: sample }
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
