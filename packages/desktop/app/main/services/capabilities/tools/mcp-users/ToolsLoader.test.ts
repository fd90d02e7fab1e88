// The specification's document on ToolsLoader, line by line, and what it leaves open.
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { McpService as Pool } from './McpService.ts';
import { wireName } from './naming.ts';
import * as loader from './ToolsLoader.ts';
import {
  type AnthropicTool,
  type GeminiTools,
  type McpService,
  type OpenAITool,
  restoreToolArguments,
  toolWarnings,
} from './ToolsLoader.ts';

type Config = { enabled?: boolean; mode?: 'auto' | 'manual'; selectedServers?: string[] };
type Loaded = { tools: OpenAITool[] | AnthropicTool[] | GeminiTools; mcpTools: MCPTool[] };
/** The document's signatures: the compiler says where they aren't kept. */
const {
  setupMcpTools,
  fetchMcpTools,
  convertMcpToolsToOpenAI,
  convertMcpToolsToAnthropic,
  convertMcpToolsToGemini,
  processJsonSchema,
} = loader satisfies {
  setupMcpTools: (
    mcpService: Pool,
    config?: Config,
    apiFormat?: 'openai' | 'anthropic' | 'google',
  ) => Promise<Loaded | undefined>;
  fetchMcpTools: (mcpService: Pool, config?: Config) => Promise<MCPTool[]>;
  convertMcpToolsToOpenAI: (tools: MCPTool[]) => OpenAITool[];
  convertMcpToolsToAnthropic: (tools: MCPTool[]) => AnthropicTool[];
  convertMcpToolsToGemini: (tools: MCPTool[]) => GeminiTools;
  // biome-ignore lint/suspicious/noExplicitAny: the document's own signature
  processJsonSchema: (schema: any) => any;
};

function makeTool(
  serverName: string,
  name: string,
  inputSchema: Record<string, unknown> = { type: 'object' },
): MCPTool {
  const description = `${name} of ${serverName}`;
  return { id: wireName(serverName, name), serverId: `id-${serverName}`, serverName, name, description, inputSchema };
}

const echo = makeTool('a', 'echo', {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
  $schema: 'http://json-schema.org/draft-07/schema#',
});
const read = makeTool('b', 'read');
const list = makeTool('b', 'list');

/** A pool with two servers that answer and one that fails. */
function makePool(all: MCPTool[] = [echo, read, list]) {
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  return {
    logger,
    listAllActiveServerTools: vi.fn(async () => all),
    listServerTools: vi.fn(async (serverId: string) => {
      if (serverId === 'id-broken') throw new Error('exited with code 1');
      return all.filter((tool) => tool.serverId === serverId);
    }),
  } satisfies McpService;
}

describe('ToolsLoader', () => {
  it('File path', () => {
    const path = '/packages/desktop/app/main/services/capabilities/tools/mcp-users/ToolsLoader.ts';
    expect(new URL('ToolsLoader.ts', import.meta.url).pathname.slice(-path.length)).toBe(path);
  });

  it('Responsibilities: a complete pipeline, from the servers’ tools to each form', async () => {
    const mcpTools = await fetchMcpTools(makePool(), { enabled: true });
    const [openai, anthropic, gemini] = [
      convertMcpToolsToOpenAI(mcpTools),
      convertMcpToolsToAnthropic(mcpTools),
      convertMcpToolsToGemini(mcpTools),
    ];
    const ids = mcpTools.map(({ id }) => id);
    expect(openai.map((tool) => tool.function.name)).toEqual(ids);
    expect(anthropic.map(({ name }) => name)).toEqual(ids);
    expect(gemini.flatMap((one) => one.functionDeclarations.map(({ name }) => name))).toEqual(ids);
  });

  describe('Entry Function: setupMcpTools', () => {
    describe('Execution flow', () => {
      it('1. calls fetchMcpTools() to get the raw list', async () => {
        const pool = makePool();
        const config = { enabled: true, mode: 'manual' as const, selectedServers: ['id-b'] };
        expect((await setupMcpTools(pool, config))?.mcpTools).toEqual(await fetchMcpTools(pool, config));
        expect(pool.listAllActiveServerTools).not.toHaveBeenCalled();
      });

      it('2. without tools, returns undefined', async () => {
        const pool = makePool([]);
        expect(await setupMcpTools(pool, { enabled: true })).toBeUndefined();
        expect(await setupMcpTools(makePool())).toBeUndefined();
        expect(pool.logger.info).not.toHaveBeenCalled();
      });

      it('3. logs grouped by server', async () => {
        const pool = makePool();
        await setupMcpTools(pool, { enabled: true }, 'anthropic');
        expect(pool.logger.info).toHaveBeenCalledExactlyOnceWith('MCP tools for the model: 3 of 2 servers', {
          apiFormat: 'anthropic',
          servers: { a: 1, b: 2 },
        });
      });

      it.each([
        [undefined, convertMcpToolsToOpenAI],
        ['openai', convertMcpToolsToOpenAI],
        ['anthropic', convertMcpToolsToAnthropic],
        ['google', convertMcpToolsToGemini],
      ] as const)('4., 5. converts for %s, and returns the raw list besides', async (format, convert) => {
        const all = [echo, read, list];
        expect(await setupMcpTools(makePool(), { enabled: true }, format)).toEqual({
          tools: convert(all),
          mcpTools: all,
        });
      });
    });

    it('works with a service that has no logger', async () => {
      const { logger: _, ...pool } = makePool([echo, { ...echo }]);
      expect((await setupMcpTools(pool, { enabled: true }))?.mcpTools).toEqual([echo]);
    });

    it('leaves the later of two tools with one name out, and logs it', async () => {
      const twin = { ...read, id: echo.id };
      const pool = makePool([echo, twin, list]);
      expect((await setupMcpTools(pool, { enabled: true }))?.mcpTools).toEqual([echo, list]);
      expect(pool.logger.warn).toHaveBeenCalledWith(expect.any(String), {
        id: echo.id,
        leftOut: 'b: read',
        kept: 'a: echo',
      });
    });

    it('converts a definition once: later requests get the same objects', async () => {
      const pool = makePool();
      for (const format of ['openai', 'anthropic'] as const) {
        const first = await setupMcpTools(pool, { enabled: true }, format);
        const second = await setupMcpTools(pool, { enabled: true }, format);
        expect(first?.tools[0]).toBe(second?.tools[0]);
      }
      const [first] = convertMcpToolsToGemini([echo]);
      const [second] = convertMcpToolsToGemini([echo]);
      expect(first?.functionDeclarations[0]).toBe(second?.functionDeclarations[0]);
    });

    it('takes more than 300 tools of one server', async () => {
      const many = Array.from({ length: 350 }, (_, i) => makeTool('big', `tool.${i}`));
      const tools = convertMcpToolsToOpenAI((await setupMcpTools(makePool(many), { enabled: true }))!.mcpTools);
      expect(new Set(tools.map((tool) => tool.function.name)).size).toBe(350);
    });
  });

  describe('fetchMcpTools — Get Tools', () => {
    it.each([
      [undefined],
      [{}],
      [{ enabled: false }],
      [{ enabled: false, mode: 'auto' as const }],
      [{ mode: 'manual' as const, selectedServers: ['id-a'] }],
    ])('enabled is false or not set: an empty array, and nobody is asked (%j)', async (config) => {
      const pool = makePool();
      expect(await fetchMcpTools(pool, config)).toEqual([]);
      expect(pool.listAllActiveServerTools).not.toHaveBeenCalled();
      expect(pool.listServerTools).not.toHaveBeenCalled();
    });

    it.each([[{ enabled: true }], [{ enabled: true, mode: 'auto' as const, selectedServers: ['id-a'] }]])(
      'mode is auto or not set: listAllActiveServerTools() (%j)',
      async (config) => {
        const pool = makePool();
        expect(await fetchMcpTools(pool, config)).toEqual([echo, read, list]);
        expect(pool.listServerTools).not.toHaveBeenCalled();
      },
    );

    it('mode is manual: listServerTools() for each of selectedServers, in their order, each once', async () => {
      const pool = makePool();
      const tools = await fetchMcpTools(pool, {
        enabled: true,
        mode: 'manual',
        selectedServers: ['id-b', 'id-a', 'id-b'],
      });
      expect(tools).toEqual([read, list, echo]);
      expect(pool.listServerTools.mock.calls).toEqual([['id-b'], ['id-a']]);
      expect(pool.listAllActiveServerTools).not.toHaveBeenCalled();
    });

    it.each([[undefined], [[]]])('gives nothing in manual mode with %j selected', async (selectedServers) => {
      expect(await fetchMcpTools(makePool(), { enabled: true, mode: 'manual', selectedServers })).toEqual([]);
    });

    it('keeps the tools of the others when one server fails, and logs it', async () => {
      const pool = makePool();
      const tools = await fetchMcpTools(pool, {
        enabled: true,
        mode: 'manual',
        selectedServers: ['id-broken', 'id-a'],
      });
      expect(tools).toEqual([echo]);
      expect(pool.logger.warn).toHaveBeenCalledWith(expect.any(String), {
        serverId: 'id-broken',
        reason: 'exited with code 1',
      });
    });

    it('survives a listing that throws at once', async () => {
      const pool: McpService = {
        ...makePool(),
        listServerTools: (serverId) => {
          if (serverId === 'id-x') throw new Error('no such server');
          return Promise.resolve([echo]);
        },
      };
      expect(await fetchMcpTools(pool, { enabled: true, mode: 'manual', selectedServers: ['id-x', 'id-a'] })).toEqual([
        echo,
      ]);
    });
  });

  describe('Output Format Comparison', () => {
    const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const empty = { type: 'object', properties: {}, required: [] };
    // biome-ignore lint/suspicious/noExplicitAny: the document's own type
    type Processed = { type: 'object'; properties: Record<string, any>; required: string[] };

    it('OpenAI Format', () => {
      type Declared = { type: 'function'; function: { name: string; description: string; parameters: Processed } };
      expectTypeOf<OpenAITool>().toEqualTypeOf<Declared>();
      expect(convertMcpToolsToOpenAI([echo, read])).toEqual([
        { type: 'function', function: { name: 'mcp__a__echo', description: 'echo of a', parameters: schema } },
        { type: 'function', function: { name: 'mcp__b__read', description: 'read of b', parameters: empty } },
      ]);
    });

    it('Anthropic Format', () => {
      expectTypeOf<AnthropicTool>().toEqualTypeOf<{ name: string; description: string; input_schema: Processed }>();
      expect(convertMcpToolsToAnthropic([echo, read])).toEqual([
        { name: 'mcp__a__echo', description: 'echo of a', input_schema: schema },
        { name: 'mcp__b__read', description: 'read of b', input_schema: empty },
      ]);
    });

    it('Gemini Format: all tools in one functionDeclarations array, in an outer array', () => {
      type Declared = { functionDeclarations: { name: string; description: string; parameters: Processed }[] }[];
      expectTypeOf<GeminiTools>().toEqualTypeOf<Declared>();
      expect(convertMcpToolsToGemini([echo, read])).toEqual([
        {
          functionDeclarations: [
            { name: 'mcp__a__echo', description: 'echo of a', parameters: schema },
            { name: 'mcp__b__read', description: 'read of b', parameters: empty },
          ],
        },
      ]);
    });

    it.each([[convertMcpToolsToOpenAI], [convertMcpToolsToAnthropic], [convertMcpToolsToGemini]])(
      'the name is MCPTool.id, the description MCPTool.description, and the definition stays as it was (%o)',
      (convert) => {
        const tool = { ...structuredClone(echo), id: 'any_id', description: 'Any words. (readOnly)' };
        const before = structuredClone(tool);
        const converted = JSON.stringify(convert([tool]));
        expect(converted).toContain('"name":"any_id"');
        expect(converted).toContain('"description":"Any words. (readOnly)"');
        expect(tool).toEqual(before);
      },
    );
  });

  describe('processJsonSchema — Schema Processing', () => {
    it.each([[null], [undefined], [''], ['x'], [0], [7], [true], [[]], [{}]])(
      'empty or not an object: the default empty object schema (%j)',
      (schema) => {
        expect(processJsonSchema(schema)).toEqual({ type: 'object', properties: {}, required: [] });
      },
    );

    it('already type: object: properties, required and description, nothing else', () => {
      const schema = {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        description: 'D',
        title: 'T',
        $id: 'x',
      };
      expect(processJsonSchema(schema)).toEqual({
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        description: 'D',
      });
    });

    it('otherwise wrapped as object type', () => {
      expect(processJsonSchema({ properties: { a: {} }, required: ['a'] })).toEqual({
        type: 'object',
        properties: { a: {} },
        required: ['a'],
      });
      expect(processJsonSchema({ type: 'array', items: { type: 'string' } }).type).toBe('object');
    });

    it('resolves references and says in the description what the form can not', () => {
      const processed = processJsonSchema({
        $ref: '#/$defs/A',
        $defs: { A: { properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] } },
      });
      expect(processed).toEqual({
        type: 'object',
        properties: { a: {}, b: {} },
        required: [],
        description: 'Rules for the arguments: give exactly one of: "a", or "b".',
      });
    });
  });
});

it('restores arguments and tells warnings for a format', () => {
  const tool = makeTool('a', 'x', { type: 'object', properties: { $top: { enum: [1, 2] }, r: { $ref: '#/gone' } } });
  expect(restoreToolArguments(tool, { top: '2' }, 'google')).toEqual({ $top: 2 });
  expect(restoreToolArguments(tool, { $top: 2 }, 'openai')).toEqual({ $top: 2 });
  expect(toolWarnings(tool, 'openai')).toEqual(['The reference #/gone leads nowhere; anything is allowed there.']);
  expect(toolWarnings(echo, 'google')).toEqual([]);
});

it('is quick: 500 known tools in far less than a frame, new ones in well under a millisecond each', async () => {
  const fresh = () =>
    Array.from({ length: 500 }, (_, i) => makeTool(`s${i % 20}`, `t${i}`, structuredClone(echo.inputSchema)));
  const pool = makePool(fresh());
  await setupMcpTools(pool, { enabled: true });
  const best = async (run: () => unknown): Promise<number> => {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 10; i++) {
      const start = performance.now();
      await run();
      least = Math.min(least, performance.now() - start);
    }
    return least;
  };
  // The bars of the bench are 2 ms and 150 µs a tool; here only a slip of a whole order fails.
  expect(await best(() => setupMcpTools(pool, { enabled: true }))).toBeLessThan(10);
  expect(await best(() => convertMcpToolsToGemini(fresh()))).toBeLessThan(500);
});
