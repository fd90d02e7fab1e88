// The specification's document on the adapters, line by line, as far as it needs no real server. Its parts on ToolsLoader and
// McpProcessTracker are in the tests beside those.
import type { MCPCallToolResponse, MCPTool, MCPToolResponseContent } from '@shared/contracts/mcp-types.ts';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { McpService } from '../../../../capabilities/tools/mcp-users/McpService.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { McpPool } from '../../../../ports/tools.ts';
import { CALL_LIMIT_MS } from './call-limit.ts';
import {
  type DirectMcpConnection,
  DirectMcpToolAdapter,
  loadDirectMcpTools,
  type ResolvedMcpServer,
} from './DirectMcpToolAdapter.ts';
import type { ITool, JsonSchema } from './ITool.ts';
import { flattenContent, loadMcpTools, McpToolAdapter } from './McpToolAdapter.ts';
import { createShellTools } from './shell/create-shell-tools.ts';
import { ToolRegistry } from './ToolRegistry.ts';

type CallOptions = NonNullable<Parameters<McpPool['callTool']>[4]>;

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tool = (serverName: string, name: string): MCPTool => ({
  id: `mcp__${serverName}__${name}`,
  serverId: `id-${serverName}`,
  serverName,
  name,
  description: `${name} of ${serverName}`,
  inputSchema: SCHEMA,
});
const text = (value: string): MCPToolResponseContent => ({ type: 'text', text: value });
const answer = (content: MCPToolResponseContent[], more: Partial<MCPCallToolResponse> = {}): MCPCallToolResponse => ({
  isError: false,
  content,
  ...more,
});

/** A pool that calls as told. */
function poolThat(call: (options: CallOptions) => Promise<MCPCallToolResponse>) {
  return { callTool: vi.fn<McpPool['callTool']>((_server, _tool, _args, _id, options = {}) => call(options)) };
}
const forecast = (pool: Pick<McpPool, 'callTool'>) => new McpToolAdapter(tool('weather', 'forecast'), pool);
const resultOf = (response: MCPCallToolResponse) => forecast(poolThat(async () => response)).execute({});

describe('McpToolAdapter', () => {
  it('File path', () => {
    const path = '/packages/desktop/app/main/services/agent-core/engine/tinyelf/tools/McpToolAdapter.ts';
    expect(new URL('McpToolAdapter.ts', import.meta.url).pathname.slice(-path.length)).toBe(path);
  });

  it('Responsibilities: a tool of a server is called like any other of the engine', async () => {
    const registry = new ToolRegistry();
    registry.register(forecast(poolThat(async () => answer([text('sunny')]))));
    expect(await registry.get('mcp__weather__forecast')?.execute({ city: 'Oslo' })).toBe('sunny');
  });

  describe('ITool Interface Mapping', () => {
    it('class McpToolAdapter implements ITool, with the document’s signatures', () => {
      expectTypeOf(McpToolAdapter).toBeConstructibleWith({} as MCPTool, {} as McpService);
      expectTypeOf<McpToolAdapter['parameters']>().toEqualTypeOf<JsonSchema>();
      expectTypeOf<McpToolAdapter['execute']>().toBeCallableWith({} as Record<string, unknown>);
      const { signal } = new AbortController();
      expectTypeOf<McpToolAdapter['execute']>().toBeCallableWith({}, { signal, onProgress: () => {} });
      expectTypeOf<McpToolAdapter['execute']>().returns.toEqualTypeOf<Promise<string>>();
      // All that a tool needs to have.
      const least: ITool = { name: 'n', description: 'd', parameters: SCHEMA, execute: async () => 'done' };
      for (const member of Object.keys(least))
        expect(forecast(poolThat(async () => answer([])))).toHaveProperty(member);
    });
    it('name ← MCPTool.id, description ← MCPTool.description, parameters ← MCPTool.inputSchema', () => {
      const adapter: ITool = forecast(poolThat(async () => answer([])));
      expect(adapter).toMatchObject({
        name: 'mcp__weather__forecast',
        description: 'forecast of weather',
        parameters: SCHEMA,
        origin: { serverId: 'id-weather', serverName: 'weather', toolName: 'forecast' },
      });
    });
    it('asks before it runs, and shows the firewall its arguments', () => {
      const adapter: ITool = forecast(poolThat(async () => answer([])));
      expect(adapter.risk ?? 'asks').toBe('asks');
      expect(adapter.access?.({ path: '/etc' })).toEqual({ foreignArguments: { path: '/etc' } });
    });
  });

  describe('execute Method', () => {
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    /** A call that never ends by itself, seen from both sides. */
    function hanging(context: Parameters<ITool['execute']>[1] = {}) {
      let options: CallOptions = {};
      const pool = poolThat((given) => {
        options = given;
        return new Promise((_resolve, reject) => {
          given.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        });
      });
      const ended = vi.fn();
      const done = forecast(pool)
        .execute({}, context)
        .catch((error: unknown) => ended(error));
      return { ended, done, options: () => options };
    }

    it('generates a callId, another each time, and calls callTool(serverId, toolName, args, callId)', async () => {
      const pool = poolThat(async () => answer([text('sunny')]));
      expect(await forecast(pool).execute({ city: 'Oslo' })).toBe('sunny');
      await forecast(pool).execute({ city: 'Oslo' });
      expect(pool.callTool).toHaveBeenCalledWith(
        'id-weather',
        'forecast',
        { city: 'Oslo' },
        expect.any(String),
        expect.any(Object),
      );
      const ids = pool.callTool.mock.calls.map(([, , , id]) => id);
      expect(new Set(ids).size).toBe(2);
      expect(ids).not.toContain('');
    });
    it('uses the id by which the view knows the call, where there is one', async () => {
      const pool = poolThat(async () => answer([text('sunny')]));
      await forecast(pool).execute({}, { poolCallId: '["c","1"]' });
      expect(pool.callTool.mock.calls[0]?.[3]).toBe('["c","1"]');
    });
    it('Timeout handling: 120 seconds, consistent with ShellTool’s', () => {
      expect(CALL_LIMIT_MS).toBe(120_000);
      // Nothing of a run is needed to look at the tool.
      const [shellTool] = createShellTools({} as Parameters<typeof createShellTools>[0]);
      expect(shellTool?.parameters).toMatchObject({ properties: { timeout_ms: { default: CALL_LIMIT_MS } } });
    });
    it('Promise.race([callTool, timeout(120s)]): the loser is cancelled', async () => {
      const { ended, done, options } = hanging();
      await vi.advanceTimersByTimeAsync(119_999);
      expect(ended).not.toHaveBeenCalled();
      expect(options().signal?.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await done;
      expect(ended.mock.calls[0]?.[0]).toMatchObject({
        code: 'call-timeout',
        message: expect.stringContaining('120 s'),
      });
      expect(options().signal?.aborted).toBe(true);
      expect(vi.getTimerCount()).toBe(0);
    });
    it('a call that wins leaves no timer behind', async () => {
      await resultOf(answer([text('quick')]));
      expect(vi.getTimerCount()).toBe(0);
    });
    it('progress begins the time anew, and reaches the context', async () => {
      const onProgress = vi.fn();
      const { ended, options } = hanging({ onProgress });
      for (let n = 1; n <= 3; n++) {
        await vi.advanceTimersByTimeAsync(100_000);
        options().onProgress?.({ progress: n });
      }
      expect(onProgress.mock.calls).toEqual([[{ progress: 1 }], [{ progress: 2 }], [{ progress: 3 }]]);
      await vi.advanceTimersByTimeAsync(119_999);
      expect(ended).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(ended).toHaveBeenCalledOnce();
    });
    it('waiting for a person does not count', async () => {
      const { ended, options } = hanging();
      await vi.advanceTimersByTimeAsync(100_000);
      options().onWaiting?.(true);
      await vi.advanceTimersByTimeAsync(3_600_000);
      // Progress meanwhile gives the whole time back, and doesn't let it run.
      options().onProgress?.({ progress: 1 });
      await vi.advanceTimersByTimeAsync(3_600_000);
      options().onWaiting?.(false);
      await vi.advanceTimersByTimeAsync(100_000);
      options().onWaiting?.(true);
      await vi.advanceTimersByTimeAsync(3_600_000);
      options().onWaiting?.(false);
      await vi.advanceTimersByTimeAsync(19_999);
      expect(ended).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(ended).toHaveBeenCalledOnce();
    });
    it('a stopped run reaches the call, at once', async () => {
      const run = new AbortController();
      const { ended, done, options } = hanging({ signal: run.signal });
      run.abort();
      await done;
      expect(options().signal?.aborted).toBe(true);
      expect(ended.mock.calls[0]?.[0]).toMatchObject({ code: 'cancelled' });
    });
    it('nothing is called for a run that was stopped before', async () => {
      const pool = poolThat(async () => answer([]));
      const execute = forecast(pool).execute({}, { signal: AbortSignal.abort() });
      await expect(execute).rejects.toMatchObject({ code: 'cancelled' });
      expect(pool.callTool).not.toHaveBeenCalled();
    });
    it('a call without a result fails as the pool says', async () => {
      const lost = new AppError('call-lost', 'Gone.');
      await expect(forecast(poolThat(() => Promise.reject(lost))).execute({})).rejects.toBe(lost);
    });
    it('{ isError, content[] }: an error begins with `Error: `', async () => {
      expect(await resultOf(answer([text('no such city')], { isError: true }))).toBe('Error: no such city');
      expect(await resultOf(answer([text('Error: no such city')], { isError: true }))).toBe('Error: no such city');
      expect(await resultOf(answer([], { isError: true }))).toBe('Error: (no output)');
      expect(await resultOf(answer([], { isError: true, structuredContent: { n: 1 } }))).toBe('Error: {"n":1}');
    });
    it('structured content alone gives its JSON, and none beside text', async () => {
      expect(await resultOf(answer([], { structuredContent: { n: 3 } }))).toBe('{"n":3}');
      expect(await resultOf(answer([text(' ')], { structuredContent: [] }))).toBe('[]');
      expect(await resultOf(answer([text('three')], { structuredContent: { n: 3 } }))).toBe('three');
      expect(await resultOf(answer([], { structuredContent: null }))).toBe('(no output)');
    });
  });

  describe('flattenContent — Content Flattening', () => {
    it('has the document’s signature', () => {
      expectTypeOf(flattenContent).toEqualTypeOf<(content: MCPToolResponseContent[]) => string>();
      expect(flattenContent([text('a')])).toBe('a');
    });
    it.each<[string, MCPToolResponseContent, string]>([
      ['text: c.text directly', text(' a\n'), ' a\n'],
      ['image', { type: 'image', data: 'aGk=', mimeType: 'image/png' }, '[Image: image/png]'],
      ['audio', { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }, '[Audio: audio/wav]'],
      [
        'embedded text',
        { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'inside' } },
        'inside',
      ],
      [
        'embedded data',
        { type: 'resource', resource: { uri: 'file:///a', mimeType: 'image/gif', blob: 'aGk=' } },
        '[Resource: file:///a (image/gif)]',
      ],
      [
        'embedded data of no kind',
        { type: 'resource', resource: { uri: 'file:///a', blob: 'aGk=' } },
        '[Resource: file:///a]',
      ],
      [
        'link',
        { type: 'resource_link', uri: 'file:///b', name: 'b', mimeType: 'text/csv' },
        '[Resource: file:///b (text/csv)]',
      ],
      ['link of no kind', { type: 'resource_link', uri: 'file:///b' }, '[Resource: file:///b]'],
      ['unknown', { type: 'unknown', originalType: 'hologram', value: {} }, '[hologram]'],
    ])('%s', (_what, block, wanted) => {
      expect(flattenContent([block])).toBe(wanted);
    });
    it('Multiple content items are joined with \\n', () => {
      const image: MCPToolResponseContent = { type: 'image', data: '', mimeType: 'image/png' };
      expect(flattenContent([text('a'), image, text(''), text('b')])).toBe('a\n[Image: image/png]\n\nb');
    });
    it.each([[[]], [[text('')]], [[text('\n')]]])('nothing at all (%j) is `(no output)`', (content) => {
      expect(flattenContent(content)).toBe('(no output)');
    });
  });

  describe('loadMcpTools — Batch Loading', () => {
    const all: Record<string, MCPTool[]> = {
      slow: [tool('slow', 'a'), tool('slow', 'b')],
      quick: [tool('quick', 'c')],
      empty: [],
    };
    function listing() {
      let asked = 0;
      const everyone = Promise.withResolvers<void>();
      const others = Promise.withResolvers<void>();
      return {
        ...poolThat(async () => answer([text('called')])),
        // Answers only when all have been asked, the last one first.
        listServerTools: vi.fn<McpPool['listServerTools']>(async (id) => {
          if (++asked === 4) everyone.resolve();
          await everyone.promise;
          if (id === 'slow') await others.promise;
          if (id === 'quick') others.resolve();
          const tools = all[id];
          if (!tools) throw new AppError('connect-failed', `${id} is broken`);
          return tools;
        }),
      };
    }

    it('lists each server, all in parallel, and keeps the order of the ids', async () => {
      expectTypeOf(loadMcpTools).toBeCallableWith({} as McpService, [] as string[]);
      expectTypeOf(loadMcpTools).returns.toEqualTypeOf<Promise<McpToolAdapter[]>>();
      const pool = listing();
      const tools = await loadMcpTools(pool, ['slow', 'broken', 'empty', 'quick', 'slow']);
      expect(tools.map(({ name }) => name)).toEqual(['mcp__slow__a', 'mcp__slow__b', 'mcp__quick__c']);
      expect(tools.every((one) => one instanceof McpToolAdapter)).toBe(true);
      expect(await tools[2]?.execute({})).toBe('called');
      expect(pool.callTool).toHaveBeenCalledWith('id-quick', 'c', {}, expect.any(String), expect.any(Object));
    });
    it('Failure on individual server doesn’t affect others, and is reported', async () => {
      const onFailure = vi.fn();
      const tools = await loadMcpTools(listing(), ['broken', 'slow', 'quick', 'empty'], { onFailure });
      expect(tools).toHaveLength(3);
      expect(onFailure.mock.calls).toEqual([['broken', expect.objectContaining({ message: 'broken is broken' })]]);
    });
    it('a listing that throws at once does no harm either', async () => {
      const pool = {
        ...poolThat(async () => answer([])),
        listServerTools: (id: string): Promise<MCPTool[]> => {
          if (id === 'broken') throw new Error('at once');
          return Promise.resolve(all[id] ?? []);
        },
      };
      expect(await loadMcpTools(pool, ['broken', 'quick'])).toHaveLength(1);
    });
    it('rejects when the run is stopped meanwhile, and reports nobody', async () => {
      const run = new AbortController();
      const onFailure = vi.fn();
      const pool = {
        ...poolThat(async () => answer([])),
        listServerTools: async (_id: string, options: { signal?: AbortSignal } = {}): Promise<MCPTool[]> => {
          run.abort(new Error('stopped'));
          options.signal?.throwIfAborted();
          return [];
        },
      };
      await expect(loadMcpTools(pool, ['slow'], { signal: run.signal, onFailure })).rejects.toThrow('stopped');
      expect(onFailure).not.toHaveBeenCalled();
    });
  });
});

describe('DirectMcpToolAdapter', () => {
  const direct = (serverName: string, name: string, callTool = vi.fn(async () => answer([text('called')]))) =>
    new DirectMcpToolAdapter({ name, description: 'd', inputSchema: SCHEMA }, { serverName, callTool });

  describe('Differences from McpToolAdapter › Tool Name Format', () => {
    it('serverName__toolName, where McpToolAdapter has mcp__serverName__toolName', () => {
      expect(forecast(poolThat(async () => answer([]))).name).toBe('mcp__weather__forecast');
      expect(direct('memory', 'read_graph').name).toBe('memory__read_graph');
    });
    it('has every other character replaced, stays within 64 characters, and unique', () => {
      const pairs: [string, string][] = [
        ['my memory', 'read'],
        ['my-memory', 'read'],
        ['my.memory', 'read'],
        ['my_memory', 'read'],
        ['天気', 'get'],
        ['a', 'b__c'],
        ['a__b', 'c'],
        ['a_', 'x'],
        ['a', '_x'],
        ['s'.repeat(80), 't'.repeat(80)],
        ['s'.repeat(80), `${'t'.repeat(80)}u`],
      ];
      const names = pairs.map(([server, name]) => direct(server, name).name);
      expect(new Set(names).size).toBe(pairs.length);
      for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    });
    it('is never the name of a tool of the pool', () => {
      expect(direct('mcp', 'weather__forecast').name).not.toBe(tool('weather', 'forecast').id);
    });
  });

  it('maps the rest as McpToolAdapter does, and flattens results the same way', async () => {
    const callTool = vi.fn(async () => answer([text('full')], { isError: true }));
    const adapter: ITool = direct('memory', 'add', callTool);
    expect(adapter).toMatchObject({
      description: 'd',
      parameters: SCHEMA,
      origin: { serverId: 'direct:memory', serverName: 'memory', toolName: 'add' },
    });
    expect(adapter.access?.({ a: 1 })).toEqual({ foreignArguments: { a: 1 } });
    expect(await adapter.execute({ a: 1 })).toBe('Error: full');
    expect(callTool).toHaveBeenCalledWith(
      'add',
      { a: 1 },
      expect.objectContaining({ signal: expect.any(AbortSignal) }),
    );
  });

  it('has the same 120 s', async () => {
    vi.useFakeTimers();
    try {
      const ended = vi.fn();
      const done = direct(
        'memory',
        'add',
        vi.fn(() => new Promise<never>(() => {})),
      )
        .execute({})
        .catch(ended);
      await vi.advanceTimersByTimeAsync(120_000);
      await done;
      expect(ended.mock.calls[0]?.[0]).toMatchObject({ code: 'call-timeout' });
    } finally {
      vi.useRealTimers();
    }
  });

  describe('loadDirectMcpTools — Direct Connection Loading', () => {
    it('has the document’s signature', async () => {
      type Loaded = { tools: DirectMcpToolAdapter[]; connections: DirectMcpConnection[] };
      expectTypeOf(loadDirectMcpTools).toBeCallableWith([] as ResolvedMcpServer[]);
      expectTypeOf(loadDirectMcpTools).returns.toEqualTypeOf<Promise<Loaded>>();
      expect(await loadDirectMcpTools([])).toEqual({ tools: [], connections: [] });
    });
  });
});
