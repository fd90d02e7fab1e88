import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { McpServerConfig } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newToken, pidsWith } from '../../../../platform/process/__fixtures__/find-processes.ts';
import { AppError } from '../../../ports/errors.ts';
import { oddHttpServer } from './__fixtures__/http-server.ts';
import { makePool, memoryStore, notesFile, oddServer, stateOf, until } from './__fixtures__/pool.ts';
import { DEFAULT_RETRY_TIMES } from './retry-policy.ts';

const textOf = (response: { content: unknown[] }) => (response.content[0] as { text: string }).text;
/** The placeholder for a variable. */
const variable = (name: string) => `$\{env:${name}}`;

function setVariable(name: string, value: string) {
  process.env[name] = value;
  onTestFinished(() => {
    delete process.env[name];
  });
}

describe('placeholders', () => {
  it('are expanded where a server is started, and stay what they are where it is shown and stored', async () => {
    setVariable('TINYELF_TEST_TOKEN', 'the value');
    const { service, store } = makePool();
    const token = variable('TINYELF_TEST_TOKEN');
    const { command, args = [] } = oddServer();
    const config = { command, args: [...args, `--x=${token}`, '~/y'], cwd: '~', env: { SECRET: token } };
    const { id, config: shown } = await service.add({ name: 'odd', type: 'stdio', config });

    const { env, cwd, argv } = JSON.parse(textOf(await service.callTool(id, 'env', {}, '1')));
    expect(argv).toEqual(['--x=the value', `${os.homedir()}/y`]);
    expect(cwd).toBe(os.homedir());
    expect(env.SECRET).toBe('the value');
    expect(shown.args).toEqual(config.args);
    expect(store.text()).not.toContain('the value');
    expect(JSON.stringify(service.log(id))).not.toContain('the value');
  });

  it('reach URLs and headers; secrets stay bound to the address as it was given', async () => {
    const server = await oddHttpServer();
    setVariable('TINYELF_TEST_URL', server.url);
    const { service } = makePool();
    const config = { url: variable('TINYELF_TEST_URL'), headers: { 'x-key': `k ${variable('TINYELF_TEST_URL')}` } };
    const { id } = await service.add({ name: 'remote', type: 'http', config });
    await service.connect(id);
    expect(server.arrivals.every(({ headers }) => headers['x-key'] === `k ${server.url}`)).toBe(true);
    const moved = { ...config, url: `${variable('TINYELF_TEST_URL')}/other`, headers: { 'x-key': null } };
    await expect(service.update(id, { name: 'remote', type: 'http', config: moved })).rejects.toThrow('entered again');
  });

  it.each<[string, McpServerConfig, string]>([
    ['a variable that is not set', { command: 'node', args: [variable('TINYELF_TEST_GONE')] }, 'TINYELF_TEST_GONE'],
    [
      'a URL that is none in the end',
      { url: variable('TINYELF_TEST_BAD_URL') },
      'URL of the server “odd” is not valid',
    ],
  ])('%s is an error that names it, and nothing is started', async (_what, config, message) => {
    setVariable('TINYELF_TEST_BAD_URL', 'file:///etc/passwd');
    const { service } = makePool();
    const draft = { name: 'odd', type: config.url ? ('http' as const) : ('stdio' as const), config };
    await expect(service.testConnection(draft)).rejects.toThrow(message);
    const { id } = await service.add(draft);
    await until(() => stateOf(service, id).status === 'failed', 'failed');
    expect(JSON.stringify(stateOf(service, id))).toContain(message);
  });
});

describe('an idle server', () => {
  it('is closed, keeps its tools, and starts again on demand', async () => {
    const { service } = makePool();
    const token = newToken();
    const config = oddServer(token);
    const { id } = await service.add({ name: 'odd', type: 'stdio', config, limits: { idleCloseMs: 1000 } });
    await service.connect(id);
    await until(() => JSON.stringify(stateOf(service, id)).includes('"asleep":true'), 'asleep');
    await until(() => pidsWith(token).length === 0, 'no process');

    expect((await service.listAllActiveServerTools()).length).toBeGreaterThan(5);
    expect((await service.listServerTools(id)).length).toBeGreaterThan(5);
    expect(pidsWith(token)).toEqual([]);
    const calls = ['a', 'b'].map((text) => service.callTool(id, 'echo', { text }, text));
    expect((await Promise.all(calls)).map(textOf)).toEqual(['a', 'b']);
    expect(pidsWith(token).length).toBe(1);
    await until(() => pidsWith(token).length === 0, 'asleep again');
    await service.setEnabled(id, false);
    expect(stateOf(service, id)).toEqual({ status: 'off' });
  });

  it('is not closed in the middle of a call, and not at all by default', async () => {
    const { service, states } = makePool();
    const limits = { idleCloseMs: 1000 };
    const { id } = await service.add({ name: 'odd', type: 'stdio', config: oddServer(), limits });
    expect(textOf(await service.callTool(id, 'slow', { ms: 2500 }, '1'))).toBe('slept');
    expect(states).toEqual(['connecting', 'ready']);
    await service.update(id, { name: 'odd', type: 'stdio', config: oddServer() });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(states).toEqual(['connecting', 'ready']);
  });
});

describe('waking up', () => {
  it('finds out that a remote server is gone, and tries at once when it is back', async () => {
    const server = await oddHttpServer();
    const { service } = makePool({ retryTimes: { ...DEFAULT_RETRY_TIMES, firstMs: 60_000, longestMs: 60_000 } });
    const { id } = await service.add({ name: 'remote', type: 'http', config: { url: server.url } });
    await service.connect(id);
    service.wake();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(stateOf(service, id).status).toBe('ready');
    expect(server.count('ping')).toBe(1);

    await server.close();
    service.wake();
    await until(() => stateOf(service, id).status === 'waiting-to-retry', 'loss noticed');
    await server.reopen();
    service.wake();
    await until(() => stateOf(service, id).status === 'ready', 'connected again');
  });

  it('starts a new session where the old one is lost', async () => {
    const server = await oddHttpServer({ lostSession: { status: 404, body: '' } });
    const { service } = makePool();
    const { id } = await service.add({ name: 'remote', type: 'http', config: { url: server.url } });
    await service.connect(id);
    server.forgetSessions();
    service.wake();
    await until(() => server.count('initialize') === 2 && stateOf(service, id).status === 'ready', 'a new session');
  });

  it('tries what was given up, and keeps to the number of attempts a minute', async () => {
    const notes = notesFile();
    const retryTimes = { ...DEFAULT_RETRY_TIMES, firstMs: 10, longestMs: 10, tries: 2, perMinute: 4 };
    const { service } = makePool({ retryTimes });
    const config = oddServer('exit-after-init', `notes=${notes.file}`);
    const { id } = await service.add({ name: 'odd', type: 'stdio', config });
    for (let i = 0; i < 8; i++) {
      await until(() => stateOf(service, id).status === 'failed', 'given up');
      service.wake();
    }
    // The first of them is started a second time, to see whether it was the probe that ended it.
    expect(notes.lines().filter((line) => line.startsWith('start')).length).toBeLessThanOrEqual(5);
    expect(stateOf(service, id).status).toBe('failed');
  });
});

describe('trying again by hand', () => {
  it.each([
    ['ends at the first question', 'exit-at-probe', 'exit-after-init'],
    ['dies after its start', 'exit-after-init'],
    ['is well', 'crlf'],
  ])('without a pause starts a server that %s ten times a minute at most', async (_what, ...behaviours) => {
    const notes = notesFile();
    const { service } = makePool();
    const config = oddServer(...behaviours, `notes=${notes.file}`);
    const { id } = await service.add({ name: 'odd', type: 'stdio', config });
    const starts = () => notes.lines().filter((line) => line.startsWith('start')).length;
    /** Waits longer than for any of the quick retries. */
    const isQueued = () => {
      const state = stateOf(service, id);
      return state.status === 'waiting-to-retry' && state.retryAt - Date.now() > 2000;
    };
    await until(() => {
      if (stateOf(service, id).status !== 'connecting' && !isQueued()) service.restart(id);
      return isQueued();
    }, 'too many tries');
    for (let i = 0; i < 20; i++) service.restart(id);
    expect(stateOf(service, id)).toMatchObject({ status: 'waiting-to-retry', error: { code: 'connect-failed' } });
    expect(starts()).toBeLessThanOrEqual(10);
    expect(starts()).toBeGreaterThan(7);
  });
});

describe('a redirect', () => {
  it.each([307, 308])(
    '%i within the same origin is followed, one to another is shown and gets no header',
    async (status) => {
      const server = await oddHttpServer();
      const { origin } = new URL(server.url);
      const seen: (string | null)[] = [];
      // Answers as an address without its last slash does.
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const url = new URL(String(input));
        if (url.origin !== origin) seen.push(new Headers(init?.headers).get('x-key'));
        const location = { '/old': server.url, '/away': 'http://127.0.0.1:9/mcp' }[url.pathname];
        if (location && init?.redirect === 'manual') return new Response(null, { status, headers: { location } });
        return globalThis.fetch(input, init);
      };
      const { service } = makePool({ fetch });
      const add = (name: string, path: string) =>
        service.add({ name, type: 'http', config: { url: `${origin}${path}`, headers: { 'x-key': 'secret' } } });
      const old = await add('old', '/old');
      expect(textOf(await service.callTool(old.id, 'echo', { a: 1 }, '1'))).toBe('{"a":1}');
      const away = await add('away', '/away');
      await expect(service.connect(away.id)).rejects.toThrow(String(status));
      expect(seen).toEqual([]);
    },
  );
});

describe('the revision that a server speaks', () => {
  it.each([
    ['is silent at the question', 'silent-probe', 1],
    ['ends at the question', 'exit-at-probe', 2],
  ])(
    'is remembered across restarts for one that %s, as long as it is the same program',
    async (_what, behaviour, startsAtFirst) => {
      const notes = notesFile();
      const starts = () => notes.lines().filter((line) => line.startsWith('start')).length;
      const probes = () => notes.lines().filter((line) => line === 'probe').length;
      const store = memoryStore();
      const first = makePool({ store }).service;
      const config = oddServer(behaviour, `notes=${notes.file}`);
      const { id } = await first.add({ name: 'odd', type: 'stdio', config });
      await first.connect(id);
      await until(() => store.text().includes('legacyFor'), 'remembered');
      await first.closeAll();
      expect([probes(), starts()]).toEqual([1, startsAtFirst]);

      const second = makePool({ store }).service;
      await second.connect(id);
      expect([probes(), starts()]).toEqual([1, startsAtFirst + 1]);
      await second.update(id, { name: 'odd', type: 'stdio', config: { ...config, cwd: os.tmpdir() } });
      await second.connect(id);
      expect(probes()).toBe(2);
    },
  );
});

describe('limits and refusals', () => {
  it('a frame limit of its own', async () => {
    const { service } = makePool();
    const limits = { maxFrameBytes: 1024 * 1024 };
    const { id } = await service.add({ name: 'odd', type: 'stdio', config: oddServer(), limits });
    await expect(service.callTool(id, 'big', { bytes: 1_100_000 }, '1')).rejects.toThrow('larger than 1 MiB');
    await service.update(id, { name: 'odd', type: 'stdio', config: oddServer(), limits: { maxFrameBytes: 2 ** 21 } });
    expect(textOf(await service.callTool(id, 'big', { bytes: 1_100_000 }, '2')).length).toBe(1_100_000);
  });

  it.each(['null', '[]', '{}', '"yes"'])('initialize answered with %s fails at once', async (answer) => {
    const { service, states } = makePool();
    const { id } = await service.add({ name: 'odd', type: 'stdio', config: oddServer(`initialize=${answer}`) });
    await until(() => states.includes('waiting-to-retry') || states.includes('failed'), 'failure', 20_000);
    expect(JSON.stringify(stateOf(service, id))).not.toContain('did not answer in time');
  });

  it('a disk that refuses does not keep a server on', async () => {
    const store = memoryStore();
    const { service } = makePool({ store });
    const token = newToken();
    const { id } = await service.add({ name: 'odd', type: 'stdio', config: oddServer(token) });
    await service.connect(id);
    store.write = () => {
      throw new AppError('store-failed', 'The disk is full.');
    };
    await expect(service.setEnabled(id, false)).rejects.toMatchObject({
      code: 'store-failed',
      hint: expect.stringContaining('off now'),
    });
    expect(service.listServers()[0]).toMatchObject({ server: { enabled: false }, state: { status: 'off' } });
    expect(pidsWith(token)).toEqual([]);
    await expect(service.callTool(id, 'echo', {}, '1')).rejects.toThrow('switched off');
  });
});

describe('a program that is downloaded first', () => {
  /** A program called `npx` that runs `before` and then the odd server. */
  function fakeNpx(before: string): McpServerConfig {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'tinyelf-npx-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const command = path.join(folder, 'npx');
    const { args = [] } = oddServer();
    writeFileSync(command, `#!/bin/sh\n${before}\nexec "${process.execPath}" "${args[0]}"\n`);
    chmodSync(command, 0o755);
    return { command };
  }

  it('shows what it writes, and may take longer than the start limit as long as it does', async () => {
    const { service } = makePool();
    const notes: (string | undefined)[] = [];
    service.events.on('state', ({ state }) => state.status === 'connecting' && notes.push(state.note));
    const config = fakeNpx('for i in 1 2 3 4 5 6 7 8 9; do echo "fetching $i" >&2; sleep 0.7; done');
    const { id } = await service.add({ name: 'slow', type: 'stdio', config, limits: { startMs: 4000 } });
    await service.connect(id);
    expect(notes).toContain('');
    expect(notes.filter((note) => note?.startsWith('fetching')).length).toBeGreaterThan(2);
    expect(stateOf(service, id).status).toBe('ready');
  });

  it('ends when it writes nothing for that long', async () => {
    const { service, states } = makePool();
    const limits = { startMs: 1500 };
    const { id } = await service.add({ name: 'slow', type: 'stdio', config: fakeNpx('sleep 60'), limits });
    await until(() => states.includes('waiting-to-retry'), 'given up');
    expect(JSON.stringify(stateOf(service, id))).toContain('did not answer in time');
  });
});
