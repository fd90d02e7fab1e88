import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../ports/errors.ts';
import { mcpTool } from '../../../turn/__fixtures__/scripted.ts';
import { FakePool, tool } from '../../__fixtures__/runs.ts';
import { createEngineToolPort, type EngineToolPortOptions, MAX_TOOL_RESULT } from './engine-tool-port.ts';
import type { ITool, ToolContext } from './tools/ITool.ts';

const signal = new AbortController().signal;
const options = { signal, onProgress: () => {} };

function portOf(own: ITool[], more: Partial<EngineToolPortOptions> = {}) {
  const pool = new FakePool();
  const waits: (string[] | null)[] = [];
  const port = createEngineToolPort({
    conversationId: 'c',
    own,
    mcpService: pool,
    onWaiting: (names) => waits.push(names),
    ...more,
  });
  const call = async (name: string, args = {}) => {
    const set = await port.prepare('openai', signal);
    return port.call(set.find(name)!, args, 'k', options);
  };
  return { port, pool, waits, call };
}
const names = (tools: unknown) => (tools as { function: { name: string } }[]).map((t) => t.function.name);

describe('createEngineToolPort', () => {
  it('puts the tools together for every request: its own, and the pool’s as they are now', async () => {
    const { port, pool } = portOf([tool('Read')]);
    const first = await port.prepare('openai', signal);
    expect(names(first.tools)).toEqual(['Read']);
    expect(first.serverNames).toEqual([]);

    pool.tools = [mcpTool('echo'), mcpTool('add')];
    const second = await port.prepare('openai', signal);
    expect(names(second.tools)).toEqual(['Read', 'mcp__srv__echo', 'mcp__srv__add']);
    expect(second.serverNames).toEqual(['srv']);
    // What is approved and shown is the pool's own tool, annotations and all.
    expect(second.find('mcp__srv__echo')).toBe(pool.tools[0]);
    expect(second.wireName('s1', 'add')).toBe('mcp__srv__add');
    expect(second.wireName('tinyelf', 'Read')).toBe('Read');
    expect(first.find('mcp__srv__echo')).toBeUndefined();

    pool.tools = [mcpTool('add')];
    expect(names((await port.prepare('openai', signal)).tools)).toEqual(['Read', 'mcp__srv__add']);
    expect((await portOf([]).port.prepare('openai', signal)).tools).toBeUndefined();
  });

  it('puts nothing together anew while the tools are the very same, and always says who is late', async () => {
    const { port, pool } = portOf([tool('Read')]);
    pool.tools = [mcpTool('echo')];
    const first = await port.prepare('openai', signal);
    // Another list of the same tools, as a pool gives it.
    pool.tools = [...pool.tools];
    pool.late = ['slow'];
    const second = await port.prepare('openai', signal);
    expect(second.tools).toBe(first.tools);
    expect([first.lateServers, second.lateServers]).toEqual([[], ['slow']]);
    expect(await port.prepare('anthropic', signal)).not.toHaveProperty('tools', first.tools);

    const [echo] = pool.tools;
    // Changed in place, the last list must not pass for the one that it was.
    pool.tools.push(mcpTool('add'));
    expect((await port.prepare('anthropic', signal)).tools).toHaveLength(3);
    pool.tools = [{ ...echo!, description: 'Another' }];
    const changed = await port.prepare('openai', signal);
    expect(changed.tools).toMatchObject([{}, { function: { description: 'Another' } }]);
  });

  it('speaks each provider’s form', async () => {
    const { port, pool } = portOf([tool('Read')]);
    pool.tools = [mcpTool('echo')];
    expect((await port.prepare('anthropic', signal)).tools).toMatchObject([
      { name: 'Read', input_schema: { type: 'object' } },
      { name: 'mcp__srv__echo' },
    ]);
    expect((await port.prepare('google', signal)).tools).toMatchObject([
      { functionDeclarations: [{ name: 'Read' }, { name: 'mcp__srv__echo' }] },
    ]);
  });

  it('leaves the pool out for an agent that doesn’t use it', async () => {
    const pool = new FakePool();
    pool.late = ['slow'];
    const { port } = portOf([tool('Read')], { mcpService: undefined });
    const set = await port.prepare('openai', signal);
    expect(names(set.tools)).toEqual(['Read']);
    expect(set.lateServers).toEqual([]);
  });

  it('waits for late servers once', async () => {
    const { port, pool } = portOf([]);
    pool.late = ['slow'];
    expect((await port.prepare('openai', signal)).lateServers).toEqual(['slow']);
    await port.prepare('openai', signal);
    pool.late = ['slow', 'other'];
    await port.prepare('openai', signal);
    expect(pool.waits).toEqual([undefined, 0, undefined]);
  });

  it('leaves a tool out whose name is taken, and names both', async () => {
    const direct = tool('memory__read', { origin: { serverId: 'd', serverName: 'memory', toolName: 'read' } });
    const { port, pool } = portOf([tool('Read'), tool('Read'), direct]);
    const twin: MCPTool = mcpTool('echo', { serverId: 's2', serverName: 'twin', name: 'other' });
    pool.tools = [mcpTool('echo'), mcpTool('x', { id: 'memory__read' }), twin];
    const set = await port.prepare('openai', signal);
    expect(names(set.tools)).toEqual(['Read', 'memory__read', 'mcp__srv__echo']);
    expect(set.find('mcp__srv__echo')).toBe(pool.tools[0]);
    expect(set.collisions).toEqual([
      'TinyElf: Read (kept: TinyElf: Read)',
      'srv: x (kept: memory: read)',
      'twin: other (kept: srv: echo)',
    ]);
  });

  it('calls no tool of a server that is another one now than it was when it was offered', async () => {
    const { port, pool } = portOf([]);
    pool.tools = [mcpTool('echo', { description: 'Says it.' })];
    const offered = (await port.prepare('openai', signal)).find('mcp__srv__echo')!;
    const call = (one: MCPTool) => port.call(one, {}, 'k', options);

    // The same in another list, as after a connection was lost.
    pool.tools = [mcpTool('echo', { description: 'Says it.' })];
    await expect(call(offered)).resolves.toMatchObject({ isError: false });
    for (const change of [
      { description: 'Says it. Sends it, too.' },
      { inputSchema: { type: 'object' as const, properties: { to: { type: 'string' } } } },
      { annotations: { destructiveHint: true } },
    ]) {
      pool.tools = [mcpTool('other'), mcpTool('echo', { description: 'Says it.', ...change })];
      await expect(call(offered)).rejects.toMatchObject({ code: 'tool-changed' });
      const again = (await port.prepare('openai', signal)).find('mcp__srv__echo')!;
      await expect(call(again)).resolves.toMatchObject({ isError: false });
    }
    pool.tools = [];
    await expect(call(offered)).resolves.toMatchObject({ isError: false });
  });

  it('calls no tool of a server that was switched off since it was offered', async () => {
    const { port, pool } = portOf([]);
    pool.tools = [mcpTool('echo')];
    const offered = (await port.prepare('openai', signal)).find('mcp__srv__echo')!;
    pool.off.add('echo');
    pool.tools = [];
    await expect(port.call(offered, {}, 'k', options)).rejects.toMatchObject({ code: 'tool-off' });
    expect(pool.calls).toEqual([]);
  });

  it('makes a result of what a tool says; what begins with Error is one', async () => {
    const fails = (error: Error) => async () => {
      throw error;
    };
    const { call, port } = portOf([
      tool('Good', { execute: async () => 'fine, no Error' }),
      tool('Bad', { execute: async () => 'Error: no such file' }),
      tool('Throws', { execute: fails(new TypeError('odd')) }),
      tool('Explains', { execute: fails(new AppError('call-timeout', 'Took too long.')) }),
      tool('Silent', { execute: async () => '' }),
    ]);
    expect(await call('Good')).toEqual({ isError: false, content: [{ type: 'text', text: 'fine, no Error' }] });
    expect(await call('Bad')).toEqual({ isError: true, content: [{ type: 'text', text: 'Error: no such file' }] });
    expect(await call('Throws')).toEqual({ isError: true, content: [{ type: 'text', text: 'Error: odd' }] });
    await expect(call('Explains')).rejects.toMatchObject({ code: 'call-timeout' });
    expect(port.resultForModel(await call('Silent')).text).toBe('(no output)');
    await expect(port.call(mcpTool('made-up'), {}, 'k', options)).rejects.toMatchObject({ code: 'unknown-tool' });
  });

  it('gives the tool its context, and lets a stop through as one', async () => {
    let seen: ToolContext | undefined;
    const stop = new AbortController();
    const onDisplay = () => {};
    const { port } = portOf([
      tool('Slow', {
        execute: (_params, context) => {
          seen = context;
          return new Promise((_resolve, reject) =>
            context?.signal?.addEventListener('abort', () => reject(new Error('stopped'))),
          );
        },
      }),
    ]);
    const set = await port.prepare('openai', signal);
    const running = port.call(set.find('Slow')!, {}, 'k7', { ...options, signal: stop.signal, onDisplay });
    stop.abort();
    await expect(running).rejects.toThrow('stopped');
    expect(seen).toMatchObject({ callId: 'k7', poolCallId: '["c","k7"]', onDisplay });
  });

  it('cuts what is over 50 KB, head and tail kept, and keeps the whole of it', async () => {
    const kept: string[] = [];
    const results = { keep: (text: string) => `r${kept.push(text)}`, find: () => undefined, remove: () => {} };
    const long = `BEGIN${'x'.repeat(MAX_TOOL_RESULT)}END`;
    const { call, port } = portOf(
      [
        tool('Long', { execute: async () => long }),
        tool('Fits', { execute: async () => 'y'.repeat(MAX_TOOL_RESULT) }),
        tool('Fails', { execute: async () => `Error: ${long}` }),
      ],
      { results },
    );
    const cut = await call('Long');
    expect(cut.whole).toEqual({ id: 'r1', characters: long.length });
    expect(kept).toEqual([long]);
    const { text } = port.resultForModel(cut);
    expect(text).toMatch(/^BEGINx+\n\[… \d+ characters left out …\]\nx+END$/);
    expect(text.length).toBeLessThanOrEqual(MAX_TOOL_RESULT);
    expect(await call('Fits')).not.toHaveProperty('whole');
    expect(await call('Fails')).toMatchObject({ isError: true, whole: { id: 'r2' } });
  });

  it.each([
    ['日'.repeat(17_067), 51_201],
    ['🦊'.repeat(12_801), 51_204],
    [`${'a'.repeat(20_000)}${'日'.repeat(20_000)}`, 80_000],
    [`${'日'.repeat(20_000)}${'a'.repeat(20_000)}`, 80_000],
  ])('counts bytes, not characters: %.1s…, %i bytes', async (text, bytes) => {
    expect(Buffer.byteLength(text)).toBe(bytes);
    const { call, port } = portOf([
      tool('Long', { execute: async () => text }),
      tool('Fits', { execute: async () => '日'.repeat(17_066) }),
    ]);
    const cut = await call('Long');
    expect(cut.whole).toEqual({ characters: text.length });
    const shown = Buffer.byteLength(port.resultForModel(cut).text);
    expect(shown).toBeLessThanOrEqual(MAX_TOOL_RESULT);
    expect(shown).toBeGreaterThan(0.9 * MAX_TOOL_RESULT);
    expect(await call('Fits')).not.toHaveProperty('whole');
  });

  it('says which tool a call is about', async () => {
    const read = tool('Read');
    const { port, pool } = portOf([read]);
    pool.tools = [mcpTool('echo')];
    const set = await port.prepare('openai', signal);
    expect(port.toolOf(set.find('Read')!)).toBe(read);
    expect(port.toolOf(set.find('mcp__srv__echo')!)?.origin?.toolName).toBe('echo');
    expect(port.toolOf(mcpTool('other'))).toBeUndefined();
    // The same list gives the same tools, so that what is known of them needn't be found out again.
    const again = await port.prepare('openai', signal);
    expect(port.toolOf(again.find('mcp__srv__echo')!)).toBe(port.toolOf(set.find('mcp__srv__echo')!));
  });
});
