import { fileURLToPath } from 'node:url';
import { Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { newToken, pidsWith } from '../../../../platform/process/__fixtures__/find-processes.ts';
import { oddHttpServer } from './__fixtures__/http-server.ts';
import { modernHttpServer } from './__fixtures__/modern-http-server.ts';
import { makePool, memoryStore, notesFile, oddServer, stateOf, until } from './__fixtures__/pool.ts';

const MODERN = '2026-07-28';
const modernConfig = {
  command: process.execPath,
  args: [fileURLToPath(new URL('__fixtures__/modern-server.mjs', import.meta.url))],
};

describe('the newer revision and nothing else', () => {
  it('is spoken with a program and with an address', async () => {
    const { service } = makePool();
    const { url } = await modernHttpServer();
    const program = await service.add({ name: 'program', type: 'stdio', config: modernConfig, protocol: MODERN });
    const address = await service.add({ name: 'address', type: 'http', config: { url }, protocol: MODERN });
    for (const { id } of [program, address]) {
      await service.connect(id);
      expect(stateOf(service, id)).toMatchObject({ status: 'ready', protocolVersion: MODERN });
      expect(await service.callTool(id, 'add', { a: 2, b: 3 }, id)).toMatchObject({ content: [{ text: '5' }] });
    }
  });

  it('is not there in an older program: that is said, and it is neither tried again nor left running', async () => {
    const notes = notesFile();
    const token = newToken();
    const { service, states } = makePool();
    const config = oddServer(`notes=${notes.file}`, token);
    const draft = { name: 'old', type: 'stdio' as const, config, protocol: MODERN } as const;
    const { id } = await service.add(draft);
    await expect(service.connect(id)).rejects.toMatchObject({
      code: 'connect-failed',
      message: 'The server “old” does not speak revision 2026-07-28 of the protocol.',
      hint: expect.stringContaining('Automatic'),
      details: expect.stringContaining('Method not found'),
    });
    expect(states).toEqual(['connecting', 'failed']);
    expect(notes.lines().filter((line) => line.startsWith('start')).length).toBe(1);
    expect(pidsWith(token)).toEqual([]);
    await expect(service.testConnection({ ...draft, name: 'x' })).rejects.toThrow('does not speak revision');

    await service.update(id, { ...draft, protocol: 'auto' });
    await service.connect(id);
    expect(stateOf(service, id)).toMatchObject({ status: 'ready', protocolVersion: expect.stringMatching(/^2025/) });
  });

  it('is not there in an older server at an address, and SSE is not tried', async () => {
    const server = await oddHttpServer();
    const { service } = makePool();
    const { id } = await service.add({ name: 'old', type: 'http', config: { url: server.url }, protocol: MODERN });
    await expect(service.connect(id)).rejects.toMatchObject({
      message: 'The server “old” does not speak revision 2026-07-28 of the protocol.',
      details: expect.stringContaining('not initialized'),
    });
    expect(server.arrivals.map(({ verb, method }) => [verb, method])).toEqual([['POST', 'server/discover']]);
  });

  it('of a server with a fault of its own is tried again', async () => {
    const server = await oddHttpServer({ postStatus: () => 503 });
    const { service, states } = makePool();
    await service.add({ name: 'busy', type: 'http', config: { url: server.url }, protocol: MODERN });
    await until(() => states.includes('waiting-to-retry'), 'tried again');
  });

  it('is waited for as long as a start may take', async () => {
    const { service } = makePool();
    const config = oddServer('silent-probe');
    const draft = {
      name: 'silent',
      type: 'stdio' as const,
      config,
      protocol: MODERN,
      limits: { startMs: 1000 },
    } as const;
    await expect(service.testConnection(draft)).rejects.toThrow('did not answer in time');
  });

  it('can not be had over SSE', async () => {
    const { service } = makePool();
    const draft = {
      name: 'sse',
      type: 'sse' as const,
      config: { url: 'http://127.0.0.1:9/' },
      protocol: MODERN,
    } as const;
    await expect(service.add(draft)).rejects.toMatchObject({ code: 'invalid-config' });
  });
});

describe('a server that takes longer to start than an answer is waited for', () => {
  const slow = (...args: string[]) => ({ ...modernConfig, args: [...modernConfig.args, 'slow', ...args] });

  it('and speaks the newer revision only, is started once more and spoken to in that one', async () => {
    const { service, states } = makePool();
    const { id } = await service.add({ name: 'slow', type: 'stdio', config: slow('strict') });
    await service.connect(id);
    expect(stateOf(service, id)).toMatchObject({ status: 'ready', protocolVersion: MODERN });
    expect(states).not.toContain('waiting-to-retry');
  });

  it('is spoken to in the older way meanwhile, and nothing is remembered against it', async () => {
    const { service, store } = makePool();
    const { id } = await service.add({ name: 'slow', type: 'stdio', config: slow() });
    expect(await service.callTool(id, 'add', { a: 2, b: 3 }, id)).toMatchObject({ content: [{ text: '5' }] });
    expect(store.text()).not.toContain('legacyFor');
  });
});

describe('the older protocol', () => {
  it('is spoken without a question, also after a restart of the app and of the server', async () => {
    const notes = notesFile();
    const store = memoryStore();
    const first = makePool({ store }).service;
    const config = oddServer('exit-at-probe', `notes=${notes.file}`);
    const { id } = await first.add({ name: 'old', type: 'stdio', config, protocol: 'legacy' });
    await first.connect(id);
    first.restart(id);
    await first.connect(id);
    await first.closeAll();
    const second = makePool({ store }).service;
    await second.connect(id);
    expect(notes.lines().filter((line) => line.startsWith('start')).length).toBe(3);
    expect(notes.lines()).not.toContain('probe');
    // Chosen, not found out: without the choice it is asked again.
    await second.update(id, { name: 'old', type: 'stdio', config });
    await second.connect(id);
    expect(notes.lines()).toContain('probe');
  });
});

describe('how long a list of tools holds', () => {
  /** A server of the newer revision that has one tool more each time it is asked, and tells nobody. */
  async function growing(ttlMs: number, tellsOfChanges = false) {
    let listings = 0;
    const { url } = await modernHttpServer(() => {
      const capabilities = { tools: { listChanged: tellsOfChanges } };
      const server = new Server(
        { name: 'growing', version: '1' },
        { capabilities, cacheHints: { 'tools/list': { ttlMs } } },
      );
      server.setRequestHandler('tools/list', () => {
        listings++;
        const inputSchema = { type: 'object' as const };
        return { tools: Array.from({ length: listings }, (_, i) => ({ name: `tool_${i}`, inputSchema })) };
      });
      return server;
    });
    const { service } = makePool();
    const { id } = await service.add({ name: 'growing', type: 'http', config: { url } });
    await service.connect(id);
    const count = async () => (await service.listAllActiveServerTools()).length;
    return { service, id, count, listings: () => listings };
  }

  it('is as long as the server says, and it is asked again only when someone wants to know', async () => {
    const { service, id, count, listings } = await growing(4000);
    expect([await count(), await count(), (await service.listServerTools(id)).length]).toEqual([1, 1, 1]);
    await new Promise((resolve) => setTimeout(resolve, 4500));
    expect(listings()).toBe(1);
    expect(await Promise.all([count(), count()])).toEqual([2, 2]);
    expect(listings()).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 4500));
    expect((await service.listServerTools(id)).length).toBe(3);
  });

  it('is a second at least, and for ever where the server tells of changes', async () => {
    const silent = await growing(0);
    const telling = await growing(0, true);
    const listings = async () => {
      for (let i = 0; i < 20; i++) await Promise.all([silent.count(), telling.count()]);
      return [silent.listings(), telling.listings()];
    };
    const began = performance.now();
    await listings();
    expect(silent.listings()).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - began) / 1000));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await listings()).toEqual([expect.any(Number), 1]);
    expect(silent.listings()).toBeGreaterThan(1);
  });
});
