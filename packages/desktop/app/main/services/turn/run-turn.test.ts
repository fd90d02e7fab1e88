import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../ports/errors.ts';
import { callsTools, partsOf, says, textResult, toolParts } from './__fixtures__/scripted.ts';
import { call, last, setUp } from './__fixtures__/turn.ts';
import { Approvals } from './approval.ts';

describe('runTurn', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('answers without tools in one row', async () => {
    const turn = setUp([says('Hi')]);
    expect(await turn.run()).toEqual({
      outcome: 'complete',
      usage: { inputTokens: 10, outputTokens: 2, reasoningTokens: undefined, cachedInputTokens: undefined },
    });
    expect(last(turn.rows)).toMatchObject({ status: 'complete', parts: [{ type: 'text', text: 'Hi' }] });
    expect(turn.sink.log).toEqual(['row streaming', 'text Hi', 'row complete']);
    expect(turn.model.requests[0]).toMatchObject({ modelId: 'm', system: 'system' });
  });

  it('runs calls, gives their results back, and assembles the tools anew for every request', async () => {
    const turn = setUp([callsTools(call('echo', { a: 1 })), says('It is 1')]);
    expect(await turn.run()).toMatchObject({ outcome: 'complete', usage: { inputTokens: 20, outputTokens: 7 } });
    expect(turn.tools.prepared).toBe(2);
    expect(turn.rows.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
    expect(toolParts(turn.rows[1])).toMatchObject([
      { state: 'done', args: { a: 1 }, result: { isError: false }, startedAt: expect.any(Number) },
    ]);
    expect(turn.model.requests[1]!.messages.at(-1)).toEqual({
      role: 'tool',
      results: [{ callId: 'call_0', name: 'mcp__srv__echo', isError: false, text: '{"a":1}' }],
    });
  });

  it('runs the calls of one answer side by side and keeps their order', async () => {
    const turn = setUp([callsTools(call('slow'), call('quick')), says('ok')]);
    const quickRan = Promise.withResolvers<void>();
    turn.tools.handlers.slow = async () => {
      await quickRan.promise;
      return textResult('slow');
    };
    turn.tools.handlers.quick = () => {
      quickRan.resolve();
      return textResult('quick');
    };
    expect(await turn.run()).toMatchObject({ outcome: 'complete' });
    expect(turn.model.requests[1]!.messages.at(-1)).toMatchObject({ results: [{ text: 'slow' }, { text: 'quick' }] });
  });

  it('runs what is approved while another call still asks', async () => {
    const approvals = new Approvals({
      store: { read: () => undefined, write: () => {} },
      serverIdentity: () => 'id',
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
    const turn = setUp([callsTools(call('echo', { n: 1 }), call('other')), says('ok')], { approvals });
    turn.tools.handlers.other = () => textResult('other');
    const running = turn.run();
    await vi.waitFor(() => expect(approvals.pending('c')).toHaveLength(2));
    expect(turn.sink.log).toContain('mcp__srv__echo awaiting-approval');
    approvals.answer('c', 'call_0', 'allow-once');
    await vi.waitFor(() => expect(toolParts(turn.rows[1])[0]!.state).toBe('done'));
    expect(toolParts(turn.rows[1])[1]!.state).toBe('awaiting-approval');
    approvals.answer('c', 'call_1', 'deny');
    expect(await running).toMatchObject({ outcome: 'complete' });
    expect(toolParts(turn.rows[1])[1]).toMatchObject({ state: 'denied' });
    expect(turn.tools.calls.map(({ name }) => name)).toEqual(['echo']);
    expect(turn.model.requests[1]!.messages.at(-1)).toMatchObject({
      results: [{ isError: false }, { isError: true, text: expect.stringMatching(/^The user declined this call\./) }],
    });
  });

  it('tells the model that a tool is denied for good, without asking, and runs the others', async () => {
    const decide = async ({ tool }: { tool: { name: string } }) =>
      tool.name === 'other' ? ('deny-always' as const) : ('allow-once' as const);
    const turn = setUp([callsTools(call('echo', { n: 1 }), call('other')), says('ok')], { approvals: { decide } });
    turn.tools.handlers.other = () => textResult('other');
    expect(await turn.run()).toMatchObject({ outcome: 'complete' });
    expect(toolParts(turn.rows[1])[1]).toMatchObject({ state: 'denied', error: { code: 'denied-by-policy' } });
    expect(turn.sink.log).not.toContain('mcp__srv__other awaiting-approval');
    expect(turn.tools.calls.map(({ name }) => name)).toEqual(['echo']);
    expect(turn.model.requests[1]!.messages.at(-1)).toMatchObject({
      results: [{ isError: false }, { isError: true, text: expect.stringMatching(/must not be used/) }],
    });
  });

  it('lets the model correct a call that can’t be run', async () => {
    const turn = setUp([
      callsTools(call('echo', '{"a":1'), call('nosuch'), call('echo', '[1]'), ['', {}]),
      callsTools(call('echo', { a: 1 })),
      says('ok'),
    ]);
    expect(await turn.run()).toMatchObject({ outcome: 'complete' });
    expect(turn.tools.calls).toHaveLength(1);
    expect(toolParts(turn.rows[1]).map(({ state, error }) => [state, error?.code])).toEqual([
      ['failed', 'invalid-arguments'],
      ['failed', 'unknown-tool'],
      ['failed', 'invalid-arguments'],
      ['failed', 'unknown-tool'],
    ]);
    expect(turn.model.requests[1]!.messages.at(-1)).toMatchObject({
      results: [
        { isError: true, text: expect.stringContaining('not valid JSON') },
        { isError: true, text: expect.stringContaining('"mcp__srv__nosuch"') },
        { isError: true },
        { isError: true },
      ],
    });
  });

  it('goes on when a tool fails, whichever way', async () => {
    const turn = setUp([callsTools(call('says'), call('throws'), call('breaks')), says('sorry')]);
    turn.tools.handlers.says = () => textResult('no such file', true);
    turn.tools.handlers.throws = async () => {
      throw new AppError('call-timeout', 'The server did not answer in 120 s.');
    };
    turn.tools.handlers.breaks = () => {
      throw new TypeError('secret detail');
    };
    expect(await turn.run()).toMatchObject({ outcome: 'complete' });
    expect(toolParts(turn.rows[1]).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    const told = turn.model.requests[1]!.messages.at(-1);
    expect(told).toMatchObject({
      results: [{ text: 'no such file' }, { text: 'The server did not answer in 120 s.' }, { isError: true }],
    });
    expect(JSON.stringify(told)).not.toContain('secret detail');
  });

  it('shows progress, but not a thousand times a second', async () => {
    vi.useFakeTimers();
    const turn = setUp([callsTools(call('long')), says('ok')]);
    turn.tools.handlers.long = async (_args, { onProgress }) => {
      for (let progress = 1; progress <= 1_000; progress++) onProgress({ progress, total: 1_000 });
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      onProgress({ progress: 1_000, message: 'nearly' });
      return textResult('done');
    };
    const running = turn.run();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(toolParts(turn.rows[1])[0]!.progress).toEqual({ progress: 1_000, total: 1_000 });
    expect(turn.sink.log.filter((line) => line === 'mcp__srv__long running')).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(10_000);
    await running;
    expect(toolParts(turn.rows[1])[0]).not.toHaveProperty('progress');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('names servers that are late, once, and not again until others are', async () => {
    const turn = setUp([callsTools(call('echo', { n: 1 })), callsTools(call('echo', { n: 2 })), says('ok')]);
    turn.tools.late = ['slow one', 'slow two'];
    turn.tools.handlers.echo = () => {
      if (turn.tools.calls.length === 2) turn.tools.late = ['slow two'];
      return textResult(String(turn.tools.calls.length));
    };
    await turn.run();
    expect(turn.rows.map((row) => partsOf(row, 'notice').map(({ values }) => values?.servers))).toEqual([
      [],
      ['slow one, slow two'],
      [],
      ['slow two'],
    ]);
  });

  it('says which tools a provider does not take, once', async () => {
    const turn = setUp((request, index) => {
      request.onToolsLeftOut?.(['mcp__srv__echo', 'mcp__gone__x'], 'It takes one at a time.');
      return index < 2 ? callsTools(call('echo', { index })) : says('ok');
    });
    expect(await turn.run()).toMatchObject({ outcome: 'complete' });
    expect(turn.rows.flatMap((row) => partsOf(row, 'notice'))).toEqual([
      {
        type: 'notice',
        notice: 'tools-refused',
        values: { count: 2, tools: 'echo, mcp__gone__x', reason: 'It takes one at a time.' },
      },
    ]);
  });
});
