// The specification's document on the adapters, line by line, as far as it needs no real server.
import type { MCPCallToolResponse, MCPTool, MCPToolResponseContent } from '@shared/contracts/mcp-types.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  convertMcpToolsToAnthropic,
  convertMcpToolsToGemini,
  convertMcpToolsToOpenAI,
  fetchMcpTools,
  processJsonSchema,
  setupMcpTools,
} from '../../../../capabilities/tools/mcp-users/ToolsLoader.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { McpPool } from '../../../../ports/tools.ts';
import { DirectMcpToolAdapter } from './DirectMcpToolAdapter.ts';
import type { ITool } from './ITool.ts';
import { flattenContent, loadMcpTools, McpToolAdapter } from './McpToolAdapter.ts';

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

describe('ToolsLoader', () => {
  const a = tool('a', 'one');
  const b = tool('b', 'two');
  const pool = () => ({
    listAllActiveServerTools: vi.fn(async () => [a, b]),
    listServerTools: vi.fn(async (id: string) => [a, b].filter(({ serverId }) => serverId === id)),
    logger: { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() },
  });

  describe('Entry Function: setupMcpTools › Execution flow', () => {
    it('2. is undefined without tools', async () => {
      expect(await setupMcpTools(pool(), { enabled: false })).toBeUndefined();
    });
    it('3. logs grouped by server', async () => {
      const service = pool();
      await setupMcpTools(service, { enabled: true });
      const logged = expect.objectContaining({ servers: { a: 1, b: 1 } });
      expect(service.logger.info).toHaveBeenCalledExactlyOnceWith(expect.any(String), logged);
    });
    it.each([
      [undefined, convertMcpToolsToOpenAI],
      ['openai', convertMcpToolsToOpenAI],
      ['anthropic', convertMcpToolsToAnthropic],
      ['google', convertMcpToolsToGemini],
    ] as const)('1., 4., 5. fetches, converts for %s, and gives the raw list besides', async (format, convert) => {
      expect(await setupMcpTools(pool(), { enabled: true }, format)).toEqual({
        tools: convert([a, b]),
        mcpTools: [a, b],
      });
    });
  });

  describe('fetchMcpTools — Get Tools', () => {
    it.each([[undefined], [{}], [{ enabled: false }]])(
      'enabled is false or not set (%j): an empty array',
      async (config) => {
        const service = pool();
        expect(await fetchMcpTools(service, config)).toEqual([]);
        expect(service.listAllActiveServerTools).not.toHaveBeenCalled();
      },
    );
    it.each([[{ enabled: true }], [{ enabled: true, mode: 'auto' as const }]])(
      'mode is auto or not set (%j): all active servers',
      async (config) => {
        const service = pool();
        expect(await fetchMcpTools(service, config)).toEqual([a, b]);
        expect(service.listServerTools).not.toHaveBeenCalled();
      },
    );
    it('mode is manual: each of the selected servers', async () => {
      const service = pool();
      const config = { enabled: true, mode: 'manual' as const, selectedServers: ['id-b', 'id-a'] };
      expect(await fetchMcpTools(service, config)).toEqual([b, a]);
      expect(service.listServerTools.mock.calls.map(([id]) => id)).toEqual(['id-b', 'id-a']);
      expect(service.listAllActiveServerTools).not.toHaveBeenCalled();
    });
  });

  describe('Output Format Comparison', () => {
    it('OpenAI Format', () => {
      const { id: name, description } = a;
      const wanted = { type: 'function', function: { name, description, parameters: SCHEMA } };
      expect(convertMcpToolsToOpenAI([a])).toEqual([wanted]);
    });
    it('Anthropic Format', () => {
      const wanted = { name: a.id, description: a.description, input_schema: SCHEMA };
      expect(convertMcpToolsToAnthropic([a])).toEqual([wanted]);
    });
    it('Gemini Format: all in one functionDeclarations array, in an outer array', () => {
      const declaration = ({ id: name, description }: MCPTool) => ({ name, description, parameters: SCHEMA });
      expect(convertMcpToolsToGemini([a, b])).toEqual([{ functionDeclarations: [declaration(a), declaration(b)] }]);
    });
  });

  describe('processJsonSchema — Schema Processing', () => {
    it.each([[undefined], [null], [{}], ['text'], [7]])(
      'empty or not an object (%j): the default object schema',
      (schema) => {
        expect(processJsonSchema(schema)).toEqual({ type: 'object', properties: {}, required: [] });
      },
    );
    it('already an object: properties, required, description', () => {
      expect(processJsonSchema({ ...SCHEMA, description: 'Where' })).toEqual({ ...SCHEMA, description: 'Where' });
    });
    it('otherwise wraps as object type', () => {
      expect(processJsonSchema({ properties: SCHEMA.properties })).toMatchObject({
        type: 'object',
        properties: SCHEMA.properties,
      });
    });
  });
});

describe('McpToolAdapter', () => {
  describe('ITool Interface Mapping', () => {
    it('name ← id, description ← description, parameters ← inputSchema', () => {
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

    it('calls callTool(serverId, toolName, args, callId) with a generated id, another each time', async () => {
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
    it('Promise.race with a timeout of 120 s: the loser is cancelled', async () => {
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
    it.each<[string, MCPToolResponseContent, string]>([
      ['text: as it is', text(' a\n'), ' a\n'],
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
    it('joins items with a line break, in their order', () => {
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
      return {
        ...poolThat(async () => answer([text('called')])),
        // Answers only when all have been asked, the last one first.
        listServerTools: vi.fn<McpPool['listServerTools']>(async (id) => {
          if (++asked === 4) everyone.resolve();
          await everyone.promise;
          if (id === 'slow') await new Promise((resolve) => setTimeout(resolve, 20));
          const tools = all[id];
          if (!tools) throw new AppError('connect-failed', `${id} is broken`);
          return tools;
        }),
      };
    }

    it('lists each server, all in parallel, and keeps the order of the ids', async () => {
      const pool = listing();
      const tools = await loadMcpTools(pool, ['slow', 'broken', 'empty', 'quick', 'slow']);
      expect(tools.map(({ name }) => name)).toEqual(['mcp__slow__a', 'mcp__slow__b', 'mcp__quick__c']);
      expect(tools.every((one) => one instanceof McpToolAdapter)).toBe(true);
      expect(await tools[2]?.execute({})).toBe('called');
      expect(pool.callTool).toHaveBeenCalledWith('id-quick', 'c', {}, expect.any(String), expect.any(Object));
    });
    it('one server’s failure does not affect others, and is reported', async () => {
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
    it('is serverName__toolName', () => {
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
});
