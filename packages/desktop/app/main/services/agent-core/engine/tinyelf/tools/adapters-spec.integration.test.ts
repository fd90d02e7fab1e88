// The specification's document on the adapters, line by line, with real servers and real processes. Its section on
// McpProcessTracker has a file of its own.
import type { RequestAnswer } from '@shared/contracts/mcp-requests.contract.ts';
import type { McpServerConfig } from '@shared/contracts/mcp-types.ts';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newToken, pidsWith } from '../../../../../platform/process/__fixtures__/find-processes.ts';
import {
  makePool,
  memoryStore,
  notesFile,
  oddServer,
  silentLogger,
  until,
} from '../../../../capabilities/tools/mcp-users/__fixtures__/pool.ts';
import { ServerGrants } from '../../../../capabilities/tools/mcp-users/server-requests/ServerGrants.ts';
import { ServerRequests } from '../../../../capabilities/tools/mcp-users/server-requests/ServerRequests.ts';
import { setupMcpTools } from '../../../../capabilities/tools/mcp-users/ToolsLoader.ts';
import { ChatEngine } from '../../../../completion/chat-engine.ts';
import { byToolName, direct, EVERYTHING, fixture, MEMORY, node, tracker } from './__fixtures__/adapters.ts';
import type { ITool, ToolContext } from './ITool.ts';
import { loadMcpTools } from './McpToolAdapter.ts';
import { ToolRegistry } from './ToolRegistry.ts';

/** A pool with someone who can be asked, and the adapters of one server in it. */
async function pooled(config: McpServerConfig) {
  const requests = new ServerRequests({
    events: { emit: () => {} },
    clock: Date,
    openModel: () => {
      throw new Error('no model');
    },
    openExternal: async () => true,
  });
  const grants = new ServerGrants({ store: memoryStore(), chooseFolder: async () => undefined, onError: () => {} });
  const { service } = makePool({ person: { requests, grants } });
  const { id } = await service.add({ name: 'server', type: 'stdio', config });
  const tools = await loadMcpTools(service, [id]);
  return { service, id, tools, tool: byToolName(tools), requests };
}

/** Stops a run in a call of a tool that never answers, and sees the server told of it. */
async function stopInCall(silent: ITool, notes: ReturnType<typeof notesFile>) {
  const run = new AbortController();
  const call = silent.execute({}, { signal: run.signal });
  await until(() => notes.lines().includes('call silent'), 'the call arrives');
  run.abort();
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  await until(() => notes.lines().some((line) => line.startsWith('cancelled')), 'the server is told');
}

/** Waits on timers that no test holds still. */
async function untilWithHeldTimers(condition: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 30_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Not in time: ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Takes the timers over that are set from now on; the pool reads another clock, so that its own limits stay out of it. */
const holdTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
afterEach(() => {
  vi.useRealTimers();
});

describe('McpToolAdapter', () => {
  describe('execute Method', () => {
    it('McpService calls the server, and the result is a string', async () => {
      const { tool } = await pooled(EVERYTHING);
      expect(tool('echo')).toMatchObject({ name: 'mcp__server__echo', parameters: { properties: { message: {} } } });
      expect(await tool('echo').execute({ message: 'hi' })).toBe('Echo: hi');
      expect(await tool('get-tiny-image').execute({})).toMatch(/\n\[Image: image\/png\]\n/);
      expect(await tool('get-structured-content').execute({ location: 'Chicago' })).toContain('"temperature"');
      expect(await tool('get-resource-links').execute({ count: 2 })).toMatch(/\n\[Resource: \S+ \(\S+\)\]/);
      expect(await tool('get-sum').execute({ a: 'x' })).toMatch(/^Error: /);
      const progress = vi.fn();
      await tool('trigger-long-running-operation').execute({ duration: 1, steps: 3 }, { onProgress: progress });
      expect(progress).toHaveBeenCalledTimes(3);
    });

    it('keeps what is odd, and gives what there is', async () => {
      const { tool } = await pooled(oddServer());
      expect(await tool('odd').execute({})).toBe(
        '[text]\nkept\n[hologram]\n[image]\n[Image: image/png]\nbare\n[object]\n[Resource: file:///a]\nb\n[Audio: audio/wav]',
      );
      expect(await tool('structured').execute({})).toBe('{"n":3}');
      expect(await tool('error').execute({})).toBe('Error: no such file');
      expect(await tool('rpc-error').execute({})).toBe('Error: Unknown tool: rpc-error (error -32602)');
      await expect(tool('crash').execute({})).rejects.toMatchObject({ code: 'call-lost' });
    });

    it('a stopped run reaches the server', async () => {
      const notes = notesFile();
      const { tool } = await pooled(oddServer(`notes=${notes.file}`));
      await stopInCall(tool('silent'), notes);
    });

    it('after 120 s of silence the server is told that the call is cancelled', async () => {
      const notes = notesFile();
      const { tool } = await pooled(oddServer(`notes=${notes.file}`));
      holdTimers();
      const ended = vi.fn();
      void tool('silent').execute({}).catch(ended);
      await untilWithHeldTimers(() => notes.lines().includes('call silent'), 'the call arrives');
      await vi.advanceTimersByTimeAsync(119_000);
      expect(ended).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1000);
      expect(ended.mock.calls[0]?.[0]).toMatchObject({ code: 'call-timeout' });
      await untilWithHeldTimers(() => notes.lines().some((line) => line.startsWith('cancelled')), 'the server is told');
    });

    it.each([
      ['the older revisions', node(fixture('nosy-server.mjs')), 'ask'],
      ['the newer revision', node(fixture('asking-server.mjs')), 'form'],
    ])('waiting for a person doesn’t count, in %s', async (_era, config, name) => {
      const { tool, requests } = await pooled(config);
      holdTimers();
      const ended = vi.fn();
      const context: ToolContext = { poolCallId: '["run","1"]' };
      const call = tool(name).execute({}, context).finally(ended);
      await untilWithHeldTimers(() => requests.list().length > 0, 'the person is asked');
      expect(requests.list()[0]).toMatchObject({ call: '["run","1"]' });
      await vi.advanceTimersByTimeAsync(10 * 3_600_000);
      expect(ended).not.toHaveBeenCalled();
      const accept: RequestAnswer = { action: 'accept', values: [{ name: 'name', value: 'Ada' }] };
      await requests.answer(requests.list()[0]!.id, accept);
      expect(await call).toContain('Ada');
    });
  });

  describe('loadMcpTools — Batch Loading', () => {
    it('gives the tools of those that work, in the order of the ids', async () => {
      const { service, id: memory } = await pooled(MEMORY);
      const { id: broken } = await service.add({ name: 'broken', type: 'stdio', config: oddServer('exit-at-once') });
      const { id: odd } = await service.add({ name: 'odd', type: 'stdio', config: oddServer() });
      const { id: off } = await service.add({ name: 'off', type: 'stdio', config: MEMORY }, { enabled: false });
      const onFailure = vi.fn();
      const tools = await loadMcpTools(service, [odd, broken, off, memory, 'gone'], { onFailure });
      expect([...new Set(tools.map(({ origin }) => origin.serverId))]).toEqual([odd, memory]);
      expect(onFailure.mock.calls.map(([id]) => id)).toEqual([broken, off, 'gone']);
    });
  });
});

describe('DirectMcpToolAdapter', () => {
  describe('Differences from McpToolAdapter', () => {
    it('Connection Management, Process Tracking: delegated to McpService, not needed | direct, through McpProcessTracker', async () => {
      const track = vi.spyOn(tracker, 'track');
      onTestFinished(() => track.mockRestore());
      const { service, tool: ofPool } = await pooled(EVERYTHING);
      const callTool = vi.spyOn(service, 'callTool');
      expect(await ofPool('echo').execute({ message: 'hi' })).toBe('Echo: hi');
      expect(callTool).toHaveBeenCalledOnce();
      expect(track).not.toHaveBeenCalled();

      const { tool: ofRun, connections } = await direct([{ name: 'server', ...EVERYTHING }]);
      expect(await ofRun('echo').execute({ message: 'hi' })).toBe('Echo: hi');
      expect(callTool).toHaveBeenCalledOnce();
      expect(track).toHaveBeenCalledExactlyOnceWith(connections[0]);
    });

    it('Lifecycle: follows McpService | follows the session', async () => {
      const { service, id, tool: ofPool } = await pooled(MEMORY);
      const { tool: ofRun, connections } = await direct([{ name: 'memory', ...MEMORY }]);
      await service.setEnabled(id, false);
      await expect(ofPool('read_graph').execute({})).rejects.toMatchObject({ code: 'connect-failed' });
      expect(JSON.parse(await ofRun('read_graph').execute({}))).toMatchObject({ entities: [], relations: [] });
      await service.setEnabled(id, true);
      await tracker.closeConnection(connections[0]!);
      await expect(ofRun('read_graph').execute({})).rejects.toMatchObject({ code: 'call-lost' });
      expect(JSON.parse(await ofPool('read_graph').execute({}))).toMatchObject({ entities: [], relations: [] });
    });

    it('Tool Name Format: mcp__serverName__toolName | serverName__toolName', async () => {
      const { tools: ofPool } = await pooled(MEMORY);
      const { tools: ofRun } = await direct([{ name: 'server', ...MEMORY }]);
      expect(ofPool.map(({ name }) => name)).toContain('mcp__server__read_graph');
      expect(ofPool.map(({ name }) => name)).toEqual(ofRun.map(({ name }) => `mcp__${name}`));
    });

    it('has the same results, progress and cancellation as a tool of the pool', async () => {
      const notes = notesFile();
      const { tool } = await direct([{ name: 'odd', ...node(fixture('odd-server.mjs'), `--notes=${notes.file}`) }]);
      expect(await tool('structured').execute({})).toBe('{"n":3}');
      expect(await tool('error').execute({})).toBe('Error: no such file');
      expect(await tool('rpc-error').execute({})).toBe('Error: Unknown tool: rpc-error (error -32602)');
      const onProgress = vi.fn();
      expect(await tool('progress').execute({ times: 3, every: 5 }, { onProgress })).toBe('finished');
      expect(onProgress).toHaveBeenCalledTimes(3);
      await stopInCall(tool('silent'), notes);
    });

    it('says why there is no result of a server that ends, and leaves nothing of it', async () => {
      const token = newToken();
      const { tool } = await direct([{ name: 'odd', ...node(fixture('odd-server.mjs'), `--x=${token}`) }]);
      await expect(tool('crash').execute({})).rejects.toMatchObject({
        code: 'call-lost',
        message: expect.stringContaining('exit code 7'),
        details: expect.stringContaining('out of cheese'),
      });
      await expect(tool('echo').execute({ text: 'x' })).rejects.toMatchObject({
        code: 'call-lost',
        message: expect.stringContaining('not running any more'),
      });
      await until(() => pidsWith(token).length === 0, 'nothing is left');
    });

    it.each([
      ['the older revisions', node(fixture('nosy-server.mjs')), 'ask', 'Method not found'],
      ['the newer revision', node(fixture('asking-server.mjs')), 'form', 'client capabilities do not declare'],
    ])('asks nobody anything, and its server is told so, in %s', async (_era, command, name, answer) => {
      const { tool } = await direct([{ name: 'asks', ...command }]);
      expect(await tool(name).execute({})).toContain(answer);
    });

    it('speaks the newer protocol revision too', async () => {
      const { tool } = await direct([{ name: 'modern', ...node(fixture('modern-server.mjs')) }]);
      expect(await tool('add').execute({ a: 1, b: 2 })).toBe('3');
    });
  });

  describe('loadDirectMcpTools — Direct Connection Loading › Execution flow', () => {
    it('1.–5. a transport and a client for each, tracked, its tools discovered; tools and connections are returned', async () => {
      const token = newToken();
      const track = vi.spyOn(tracker, 'track');
      onTestFinished(() => track.mockRestore());
      const servers = [
        { name: 'slow', ...node(fixture('odd-server.mjs'), '--slow-start=700', `--x=${token}`) },
        { name: 'pages', ...node(fixture('odd-server.mjs'), '--pages', `--x=${token}`) },
        { name: 'bad', ...node(fixture('odd-server.mjs'), '--bad-tools', `--x=${token}`) },
      ];
      const { tools, connections } = await direct(servers);
      expect(connections.map(({ serverName }) => serverName)).toEqual(['slow', 'pages', 'bad']);
      expect([...new Set(tools.map(({ origin }) => origin.serverName))]).toEqual(['slow', 'pages', 'bad']);
      for (const connection of connections) expect(track).toHaveBeenCalledWith(connection);
      const names = (server: string) =>
        tools.filter(({ origin }) => origin.serverName === server).map(({ name }) => name);
      expect(names('pages')).toEqual(
        ['a0', 'b0', 'on_every_page', 'a1', 'b1', 'a2', 'b2'].map((name) => `pages__${name}`),
      );
      expect(names('bad')).toEqual(['good_1', 'good_2', 'good_3', 'good_4', 'good_5'].map((name) => `bad__${name}`));
      expect(pidsWith(token)).toHaveLength(3);
      await Promise.all(connections.map((connection) => tracker.closeConnection(connection)));
      expect(pidsWith(token)).toEqual([]);
    });

    it('a server that fails leaves no process, harms no other, and is reported', async () => {
      const token = newToken();
      const onFailure = vi.fn();
      const odd = (...behaviours: string[]) => node(fixture('odd-server.mjs'), ...behaviours, `--x=${token}`);
      const servers = [
        { name: 'exits', ...odd('--exit-at-once') },
        { name: 'missing', command: 'no-such-program-of-tinyelf', args: [] },
        { name: 'good', ...odd() },
        { name: 'dies', ...odd('--exit-after-init') },
        { name: 'no place', ...odd(), cwd: '/no/such/folder' },
      ];
      const { tools, connections } = await direct(servers, { onFailure });
      expect(new Set(tools.map(({ origin }) => origin.serverName))).toEqual(new Set(['good']));
      expect(connections).toHaveLength(1);
      expect(onFailure.mock.calls.map(([name]) => name).sort()).toEqual(['dies', 'exits', 'missing', 'no place']);
      const exits = onFailure.mock.calls.find(([name]) => name === 'exits')?.[1];
      expect(exits).toMatchObject({
        code: 'connect-failed',
        details: expect.stringContaining('cannot open the database'),
      });
      expect(pidsWith(token)).toHaveLength(1);
    });

    it('a run that is stopped meanwhile leaves nothing', async () => {
      const token = newToken();
      const notes = notesFile();
      const run = new AbortController();
      const servers = [
        { name: 'ready', ...node(fixture('odd-server.mjs'), `--x=${token}`) },
        {
          name: 'never',
          ...node(fixture('odd-server.mjs'), '--silent-start', `--notes=${notes.file}`, `--x=${token}`),
        },
      ];
      const onFailure = vi.fn();
      const loading = direct(servers, { signal: run.signal, onFailure });
      await until(() => notes.lines().includes('probe'), 'both are being started');
      run.abort(new Error('stopped'));
      await expect(loading).rejects.toThrow('stopped');
      expect(onFailure).not.toHaveBeenCalled();
      expect(pidsWith(token)).toEqual([]);
    });
  });
});

describe('Integration Points', () => {
  it.each(['openai', 'anthropic', 'google'] as const)(
    'CompletionService Integration: setupMcpTools() before each request gives its tools, as %s takes them',
    async (format) => {
      const logger = { ...silentLogger, info: vi.fn() };
      const { service } = makePool({ logger });
      const chat = new ChatEngine({
        mcpService: service,
        approvals: { decide: async () => 'allow-once' },
        clock: Date,
        logger: silentLogger,
      });
      const turn = chat.open({
        conversation: { id: 'c', title: '', model: null, createdAt: 0, updatedAt: 0 },
        rows: [],
        signal: new AbortController().signal,
        onWaiting: () => {},
      });
      const request = () => turn.tools.prepare(format, new AbortController().signal);
      expect(await setupMcpTools(service, { enabled: true, mode: 'auto' }, format)).toBeUndefined();
      expect((await request()).tools).toBeUndefined();

      for (const name of ['one', 'two']) {
        const { id } = await service.add({ name, type: 'stdio', config: MEMORY });
        await service.connect(id);
        const mcpResult = await setupMcpTools(service, { enabled: true, mode: 'auto' }, format);
        expect(mcpResult?.mcpTools.map((tool) => tool.id)).toContain(`mcp__${name}__read_graph`);
        expect((await request()).tools).toEqual(mcpResult?.tools);
      }
      const servers = { one: expect.any(Number), two: expect.any(Number) };
      expect(logger.info).toHaveBeenCalledWith(expect.any(String), { apiFormat: format, servers });
    },
  );

  it('TinyElf Engine Integration: user-configured and built-in servers, registered with ToolRegistry', async () => {
    const { service } = makePool();
    const { id } = await service.add({ name: 'memory', type: 'stdio', config: MEMORY });
    const mcpTools = await loadMcpTools(service, [id]);
    const { tools: directTools, connections } = await direct([{ name: 'memory', ...MEMORY }]);
    const toolRegistry = new ToolRegistry();
    for (const tool of [...mcpTools, ...directTools]) {
      expect(toolRegistry.register(tool)).toBe(true);
    }
    expect(toolRegistry.getNames()).toEqual([...mcpTools, ...directTools].map(({ name }) => name));
    expect(toolRegistry.getDefinitions()).toHaveLength(2 * mcpTools.length);
    expect(connections).toHaveLength(1);
    const graph = '{\n  "entities": [],\n  "relations": []\n}';
    expect(await toolRegistry.get('mcp__memory__read_graph')?.execute({})).toBe(graph);
    expect(await toolRegistry.get('memory__read_graph')?.execute({})).toBe(graph);
  });
});
