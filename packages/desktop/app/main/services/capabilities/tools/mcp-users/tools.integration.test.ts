import { fileURLToPath } from 'node:url';
import type { AppEvent } from '@shared/contracts/index.ts';
import { describe, expect, it } from 'vitest';
import { makePool, silentLogger, until } from './__fixtures__/pool.ts';
import { programOf } from './__fixtures__/published-servers.ts';
import { McpService } from './McpService.ts';
import { resultForModel } from './result-for-model.ts';
import { ToolPlayground } from './ToolPlayground.ts';
import { ToolSettings } from './ToolSettings.ts';

const EVERYTHING = programOf('server-everything');
const ODD = fileURLToPath(new URL('__fixtures__/odd-server.mjs', import.meta.url));
const SCHEMAS = fileURLToPath(new URL('__fixtures__/schema-server.mjs', import.meta.url));
const LONG = 'trigger-long-running-operation';

const policies = {
  policyOf: () => ({ policy: 'ask' as const, allowedBefore: false }),
  setPolicy: () => {},
  resetServer: () => {},
};

async function setUp(program: string, ...args: string[]) {
  const pool = makePool();
  const events: AppEvent[] = [];
  const sink = { emit: (event: AppEvent) => events.push(event) };
  const settings = new ToolSettings({ mcp: pool.service, policies, events: sink });
  const kept: string[] = [];
  const results = { keep: (text: string) => `file-${kept.push(text)}`, find: () => undefined, remove: () => undefined };
  const playground = new ToolPlayground({ pool: pool.service, settings, events: sink, results });
  const config = { command: process.execPath, args: [program, ...args] };
  const { id } = await pool.service.add({ name: 'server', type: 'stdio', config });
  await pool.service.connect(id);
  return { ...pool, id, settings, playground, events, kept };
}

describe('a tool that is switched off', () => {
  it('is in no listing for models and in the one for people, over a new connection and a restart of the app', async () => {
    const { service, store, id, settings } = await setUp(EVERYTHING, 'stdio');
    const offered = async (pool: McpService) => (await pool.listAllActiveServerTools()).map(({ name }) => name);
    expect(await offered(service)).toContain('echo');
    const before = await settings.costs('anthropic');

    await settings.setEnabled(id, 'echo', false);
    expect(await offered(service)).not.toContain('echo');
    expect((await service.listServerTools(id)).map(({ name }) => name)).not.toContain('echo');
    expect((await service.tools(id)).tools.map(({ name }) => name)).toContain('echo');
    expect(service.offeredTool(id, 'echo')).toBe('off');
    expect(service.offeredTool(id, 'get-sum')).toMatchObject({ serverId: id, name: 'get-sum' });
    expect(service.offeredTool(id, 'made-up')).toBeUndefined();
    expect(service.offeredTool('made-up', 'echo')).toBeUndefined();
    const overview = await settings.overview(id, 'anthropic');
    expect(overview.find(({ name }) => name === 'echo')).toMatchObject({ enabled: false });
    const after = await settings.costs('anthropic');
    expect(after.toolCount).toBe(before.toolCount - 1);
    expect(after.tokens).toBeLessThan(before.tokens);

    await service.disconnect(id);
    expect(service.offeredTool(id, 'echo')).toBe('off');
    expect(service.offeredTool(id, 'get-sum')).toBeUndefined();
    // To ask has started nothing.
    expect(service.listServers()[0]?.state.status).not.toMatch(/ready|connecting/);
    service.restart(id);
    await service.connect(id);
    expect(await offered(service)).not.toContain('echo');
    // An edit of the server keeps it too.
    const config = { command: process.execPath, args: [EVERYTHING, 'stdio'] };
    await service.update(id, { name: 'renamed', type: 'stdio', config });
    expect(service.toolsOff(id)).toEqual(new Set(['echo']));
    const { processes } = makePool();
    const secrets = { seal: async (plain: string) => plain, open: async (sealed: string) => sealed };
    const clientInfo = { name: 'again', version: '0' };
    const again = new McpService({ store, secrets, processes, fetch, logger: silentLogger, clientInfo });
    expect(again.toolsOff(id)).toEqual(new Set(['echo']));

    await settings.setEnabled(id, 'echo', true);
    expect(await offered(service)).toContain('echo');
  });
});

describe('the playground', () => {
  it('runs a tool and shows what a person and a model get to see', async () => {
    const { id, playground } = await setUp(EVERYTHING, 'stdio');
    const call = { serverId: id, toolName: 'echo', args: { message: 'hello there' } };
    const run = await playground.run('r1', call);
    expect(run.result).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: expect.stringContaining('hello there') }],
    });
    expect(run.forModel).toEqual({ text: resultForModel(run.result).text, imageCount: 0 });
    expect(run.ms).toBeGreaterThanOrEqual(0);
    const image = await playground.run('r2', { serverId: id, toolName: 'get-tiny-image', args: {} });
    expect(image.forModel.imageCount).toBe(1);
  });

  it('warns of arguments that don’t fit and runs them all the same', async () => {
    const { id, playground } = await setUp(EVERYTHING, 'stdio');
    expect(await playground.check(id, 'echo', { message: 'x' })).toEqual([]);
    expect(await playground.check(id, 'echo', { message: 1 })).toEqual([
      { text: '“message” must be text.', missing: false },
    ]);
    const run = await playground.run('r1', { serverId: id, toolName: 'echo', args: { message: 1 } });
    expect(run.result.isError).toBe(true);
    await expect(playground.check(id, 'gone', {})).rejects.toMatchObject({ code: 'not-found' });
  });

  it('tells of progress, and ends at once when it is cancelled', async () => {
    const { id, playground, events } = await setUp(EVERYTHING, 'stdio');
    const args = { duration: 120, steps: 400 };
    const running = playground.run('long', { serverId: id, toolName: LONG, args });
    const outcome = running.then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
    const steps = () => events.filter(({ type }) => type === 'mcpTools.progress');
    await until(() => steps().length > 1, 'progress is told');
    expect(steps()[0]).toMatchObject({ payload: { runId: 'long', progress: { total: 400 } } });
    playground.cancel('another');
    playground.cancel('long');
    expect(await outcome).toBe('cancelled');
    // The server goes on as if nothing had been.
    const next = { serverId: id, toolName: 'echo', args: { message: 'still here' } };
    expect((await playground.run('next', next)).result.isError).toBe(false);
  });

  it('shows what a chat would keep of a huge result, and keeps the whole of it', async () => {
    const { id, playground, kept } = await setUp(ODD);
    const size = 25_000_000;
    const call = { serverId: id, toolName: 'big', args: { bytes: size } };
    const { result, forModel } = await playground.run('r1', call);
    expect(result.whole).toEqual({ id: 'file-1', characters: size });
    expect(kept[0]).toHaveLength(size);
    expect(JSON.stringify({ result, forModel }).length).toBeLessThan(250_000);
    expect(forModel.text).toContain('characters left out');
  });

  it('says why there is no result', async () => {
    const { id, service, playground } = await setUp(EVERYTHING, 'stdio');
    await service.setEnabled(id, false);
    const call = { serverId: id, toolName: 'echo', args: { message: 'x' } };
    await expect(playground.run('r1', call)).rejects.toMatchObject({ code: 'connect-failed' });
  });
});

describe('output schemas', () => {
  it('are checked per tool; no result is lost, and errors pass', async () => {
    const { id, service } = await setUp(SCHEMAS);
    let calls = 0;
    const result = (tool: string) => service.callTool(id, tool, { n: 1 }, `c${calls++}`);
    const content = [{ type: 'text', text: 'an answer' }];
    expect(await result('kept')).toEqual({ isError: false, content, structuredContent: { n: 1 } });
    expect(await result('other')).toEqual({ isError: false, content, structuredContent: { n: 'one' } });
    expect(await result('broken')).toEqual({
      isError: false,
      content,
      structuredContent: { n: 'one' },
      warnings: [expect.stringContaining('“n” must be a number')],
    });
    expect(await result('missing')).toMatchObject({ content, warnings: [expect.stringContaining('sent none')] });
    expect(await result('failed')).toEqual({ isError: true, content });
    expect(await result('unusable')).toMatchObject({
      content,
      structuredContent: { n: 1 },
      warnings: [expect.stringContaining('not checked')],
    });
  });

  it('of server-everything are kept by it', async () => {
    const { id, service } = await setUp(EVERYTHING, 'stdio');
    const response = await service.callTool(id, 'get-structured-content', { location: 'Chicago' }, 'c');
    expect(response.structuredContent).toBeTypeOf('object');
    expect(response.warnings).toBeUndefined();
  });
});
