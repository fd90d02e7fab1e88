import type { Message, ToolPart } from '@shared/contracts/message-types.ts';
import { describe, expect, it } from 'vitest';
import type { StreamPart } from '../ports/model.ts';
import { assistantRow, mcpTool, RecordingSink, toolParts } from './__fixtures__/scripted.ts';
import { CallIds } from './call-ids.ts';
import { StepAccumulator } from './step.ts';

const finish: StreamPart = { type: 'finish', reason: 'stop' };

function read(pieces: StreamPart[], more: { row?: Message; earlier?: Message[]; sink?: RecordingSink } = {}) {
  const row = more.row ?? assistantRow();
  const { sink = new RecordingSink() } = more;
  const known = [mcpTool('f', { title: 'Eff' }), mcpTool('g')];
  const find = (name: string) => known.find(({ id }) => id === name);
  const accumulator = new StepAccumulator(row, find, new CallIds(more.earlier), sink);
  for (const piece of pieces) accumulator.add(piece);
  return { row, sink, accumulator, result: () => accumulator.result() };
}
const start = (callId: string, name = 'mcp__srv__f'): StreamPart => ({ type: 'tool-call-start', callId, name });
const grow = (callId: string, argsText: string): StreamPart => ({ type: 'tool-call-delta', callId, argsText });
const end = (callId: string, argsText: string, name = 'mcp__srv__f', providerData?: unknown): StreamPart => ({
  type: 'tool-call-end',
  callId,
  name,
  argsText,
  providerData,
});

describe('StepAccumulator', () => {
  it('joins deltas to parts in their order, each with its provider data', () => {
    const { row, sink } = read([
      { type: 'reasoning-delta', text: 'I ' },
      { type: 'reasoning-delta', text: 'think' },
      { type: 'reasoning-end', providerData: { signature: 's' } },
      { type: 'text-delta', text: 'Hel' },
      { type: 'text-delta', text: 'lo' },
      { type: 'text-end' },
      { type: 'text-delta', text: 'again' },
      { type: 'text-end', providerData: 1 },
      finish,
    ]);
    expect(row.parts).toEqual([
      { type: 'reasoning', text: 'I think', providerData: { signature: 's' } },
      { type: 'text', text: 'Hello' },
      { type: 'text', text: 'again', providerData: 1 },
    ]);
    expect(sink.log).toEqual(['reasoning I ', 'reasoning think', 'text Hel', 'text lo', 'text again']);
  });

  it('opens a part with its end where it has no text of its own', () => {
    const { row, sink } = read([
      { type: 'reasoning-end', providerData: 'redacted' },
      { type: 'reasoning-end' },
      { type: 'text-delta', text: 'x' },
      { type: 'text-end' },
      { type: 'text-end', providerData: 'signature' },
      { type: 'text-end' },
      finish,
    ]);
    expect(row.parts).toEqual([
      { type: 'reasoning', text: '', providerData: 'redacted' },
      { type: 'reasoning', text: '' },
      { type: 'text', text: 'x' },
      { type: 'text', text: '', providerData: 'signature' },
    ]);
    // Every part is announced, so that indexes agree on the other side.
    expect(sink.log).toEqual(['reasoning ', 'reasoning ', 'text x', 'text ']);
  });

  it('closes a part when another begins, and ignores empty deltas', () => {
    const { row } = read([
      { type: 'text-delta', text: '' },
      { type: 'text-delta', text: 'a' },
      { type: 'reasoning-delta', text: 'r' },
      { type: 'text-delta', text: 'b' },
      start('c'),
      { type: 'text-delta', text: 'after' },
      end('c', '{}'),
      finish,
    ]);
    expect(row.parts.map((part) => ('text' in part ? part.text : part.type))).toEqual(['a', 'r', 'b', 'tool', 'after']);
  });

  it('keeps interleaved calls apart and gives them in the order in which they began', () => {
    const { row, result } = read([
      start('c1'),
      start('c2', 'mcp__srv__g'),
      grow('c2', '{"b"'),
      grow('c1', '{"a":'),
      grow('c2', ':2}'),
      end('c2', '{"b":2}', 'mcp__srv__g'),
      grow('c1', '1}'),
      end('c1', '{"a":1}', 'mcp__srv__f', { id: 'item' }),
      finish,
    ]);
    expect(result().calls.map(({ part }) => [part.callId, part.args])).toEqual([
      ['c1', { a: 1 }],
      ['c2', { b: 2 }],
    ]);
    expect(toolParts(row)[0]).toMatchObject({
      serverId: 's1',
      serverName: 'srv',
      toolName: 'f',
      title: 'Eff',
      providerData: { id: 'item' },
    });
    expect(toolParts(row)[0]).not.toHaveProperty('argsText');
  });

  it('takes a call that comes only as a whole, and two with one id', () => {
    const { result } = read([end('x', '{"a":1}'), end('x', '{"a":2}'), start(''), end('', '{}'), finish]);
    expect(result().calls.map(({ part }) => [part.callId, part.args])).toEqual([
      ['x', { a: 1 }],
      ['x_2', { a: 2 }],
      ['call', {}],
    ]);
  });

  it('gives a call another id when an earlier answer used the same', () => {
    const earlier = read([end('call_0', '{}'), finish]).row;
    const { result } = read([start('call_0'), grow('call_0', '{"a":1}'), end('call_0', '{"a":1}'), finish], {
      earlier: [earlier],
    });
    expect(result().calls[0]!.part).toMatchObject({ callId: 'call_0_2', args: { a: 1 } });
  });

  it('keeps the model’s own text of arguments that are no object', () => {
    const { row, result } = read([end('c', '{}{}'), finish]);
    expect(result().calls[0]!.parsed.ok).toBe(false);
    expect(toolParts(row)[0]).toMatchObject({ args: null, argsText: '{}{}' });
  });

  it('does not run a call that was cut off', () => {
    const cut = read([start('a'), end('a', '{"x":1}'), start('b'), { type: 'finish', reason: 'length' }]).result();
    expect(cut.calls.map(({ parsed }) => parsed.ok)).toEqual([true, false]);
    // The adapter may close the call for us, still without arguments.
    const closed = read([start('b'), end('b', ''), { type: 'finish', reason: 'length' }]).result();
    expect(closed.calls.map(({ parsed }) => parsed.ok)).toEqual([false]);
    const halfway = read([start('b'), end('b', '{"x":"very lo'), { type: 'finish', reason: 'length' }]).result();
    expect(halfway.calls[0]!.parsed).toMatchObject({ ok: false, reason: expect.stringContaining('cut off') });
    // An answer that ended well may have calls without arguments.
    expect(read([start('b'), end('b', ''), finish]).result().calls[0]!.parsed).toEqual({ ok: true, args: {} });
  });

  it('says that a response without its end is broken', () => {
    const { result } = read([{ type: 'text-delta', text: 'Hel' }]);
    expect(result).toThrow(expect.objectContaining({ code: 'broken-stream' }));
  });

  it('counts only content as a beginning', () => {
    expect(read([{ type: 'usage', usage: { inputTokens: 1, outputTokens: 0 } }]).accumulator.begun).toBe(false);
    expect(read([start('c')]).accumulator.begun).toBe(true);
  });

  it('does as much for each delta however long the answer has grown', () => {
    const count = 5_000;
    const pieces: StreamPart[] = Array.from({ length: count }, () => ({ type: 'text-delta', text: 'word ' }));
    const growing: StreamPart[] = Array.from({ length: count }, () => grow('c', 'word '));
    const sink = new RecordingSink();
    const shown: number[] = [];
    sink.toolPart = (row, partIndex) => shown.push((row.parts[partIndex] as ToolPart).argsText!.length);
    const { row } = read([...pieces, start('c'), ...growing, end('c', '{}'), finish], { sink });
    expect((row.parts[0] as { text: string }).text).toHaveLength(count * 5);
    // What crosses to the renderer: of a text each piece alone; of a call, which goes as a whole, each doubling of it.
    expect(sink.log).toEqual(pieces.map(() => 'text word '));
    expect(shown.length).toBeLessThan(15);
    expect(shown.reduce((sum, length) => sum + length)).toBeLessThan(2 * count * 5);
  });
});
