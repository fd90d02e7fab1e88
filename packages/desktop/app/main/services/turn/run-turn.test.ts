import type { Message } from '@shared/contracts/message-types.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError, ModelError } from '../ports/errors.ts';
import type { StreamPart } from '../ports/model.ts';
import type { ApprovalPort } from '../ports/tools.ts';
import {
  allowAll,
  assistantRow,
  callsTools,
  partsOf,
  RecordingSink,
  type Script,
  ScriptedModel,
  ScriptedTools,
  says,
  textResult,
  toolParts,
  userRow,
} from './__fixtures__/scripted.ts';
import { Approvals } from './approval.ts';
import { MAX_PAUSES, MAX_ROUNDS, runTurn, type TurnInput } from './run-turn.ts';

const never = new Promise<never>(() => {});
const call = (name: string, args: unknown = {}): [string, unknown] => [`mcp__srv__${name}`, args];
const echo = { echo: (args: Record<string, unknown>) => textResult(JSON.stringify(args)) };

function setUp(script: ConstructorParameters<typeof ScriptedModel>[0], more: Partial<TurnInput> = {}) {
  const controller = new AbortController();
  const rows: Message[] = more.rows ?? [userRow('hello')];
  const sink = new RecordingSink();
  const model = new ScriptedModel(script);
  const tools = new ScriptedTools(echo);
  let ticks = 0;
  const input: TurnInput = {
    conversationId: 'c',
    rows,
    nextRow: () => assistantRow(),
    model,
    modelId: 'm',
    tools,
    approvals: allowAll,
    systemPrompt: () => 'system',
    sink,
    signal: controller.signal,
    clock: { now: () => ++ticks },
    ...more,
  };
  return { input, rows, sink, model, tools, controller, run: () => runTurn(input) };
}
type Setup = ReturnType<typeof setUp>;

const last = (rows: Message[]) => rows.at(-1)!;

/** The next turn of the same conversation must be possible at once: the scripted model refuses an invalid history. */
async function expectUsable({ rows }: Setup) {
  for (const part of rows.flatMap(toolParts)) expect(['done', 'failed', 'denied', 'cancelled']).toContain(part.state);
  for (const row of rows) expect(row.status).not.toBe('streaming');
  const next = setUp([], { rows: [...rows, userRow('go on')] });
  expect(await next.run()).toMatchObject({ outcome: 'complete' });
}

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

  describe('limits', () => {
    it('asks the person after 25 rounds, and goes on from there', async () => {
      const turn = setUp((_request, index) => callsTools(call('echo', { index })));
      expect(await turn.run()).toMatchObject({ outcome: 'round-limit' });
      expect(turn.model.requests).toHaveLength(MAX_ROUNDS);
      expect(partsOf(last(turn.rows), 'notice')).toEqual([
        { type: 'notice', notice: 'round-limit', values: { rounds: MAX_ROUNDS } },
      ]);
      const more = setUp([says('finished')], { rows: turn.rows });
      expect(await more.run()).toMatchObject({ outcome: 'complete' });
      expect(more.model.requests[0]!.messages.at(-1)).toMatchObject({ role: 'tool' });
    });

    it.each([1, 2, 3, 4])('notices a model that goes round in circles of %d', async (size) => {
      const turn = setUp((_request, index) => callsTools(call('echo', { step: index % size })));
      expect(await turn.run()).toMatchObject({ outcome: 'repeating' });
      expect(turn.model.requests).toHaveLength(size * 3);
      expect(partsOf(last(turn.rows), 'notice')).toMatchObject([{ notice: 'repeating' }]);
      await expectUsable(turn);
    });

    it('lets a poll go on whose result changes', async () => {
      const turn = setUp((_request, index) => (index < 20 ? callsTools(call('poll')) : says('ready')));
      let percent = 0;
      turn.tools.handlers.poll = () => textResult(`${++percent * 5} %`);
      expect(await turn.run()).toMatchObject({ outcome: 'complete' });
      expect(turn.model.requests).toHaveLength(21);
    });

    it('notices a model that asks again and again for what was declined or does not exist', async () => {
      const declined = setUp(() => callsTools(call('echo')), { approvals: { decide: async () => 'deny' } });
      expect(await declined.run()).toMatchObject({ outcome: 'repeating' });
      const unknown = setUp(() => callsTools(call('nosuch')));
      expect(await unknown.run()).toMatchObject({ outcome: 'repeating' });
    });

    it('sends a paused answer back as it is, a few times', async () => {
      const paused: Script = [
        { type: 'reasoning-delta', text: 'hm' },
        { type: 'reasoning-end', providerData: { signature: 's' } },
        ...says('searching ', 'pause'),
      ];
      const turn = setUp([paused, says('found')]);
      expect(await turn.run()).toMatchObject({ outcome: 'complete' });
      expect(turn.model.requests[1]!.messages.at(-1)).toMatchObject({
        role: 'assistant',
        content: [
          { type: 'reasoning', providerData: { signature: 's' } },
          { type: 'text', text: 'searching ' },
        ],
      });
      const endless = setUp(() => says('still searching', 'pause'));
      expect(await endless.run()).toMatchObject({ outcome: 'round-limit' });
      expect(endless.model.requests).toHaveLength(MAX_PAUSES + 1);
    });
  });

  describe('ends of an answer', () => {
    it('says when the answer was cut at the model’s limit', async () => {
      const turn = setUp([says('Once upon', 'length')]);
      expect(await turn.run()).toMatchObject({ outcome: 'complete' });
      expect(last(turn.rows).parts).toEqual([
        { type: 'text', text: 'Once upon' },
        { type: 'notice', notice: 'output-limit' },
      ]);
    });

    it('does not run a call that was cut off, and lets the model write it anew', async () => {
      const cut: Script = [
        { type: 'tool-call-start', callId: 'a', name: 'mcp__srv__echo' },
        { type: 'tool-call-delta', callId: 'a', argsText: '{"text":"very lo' },
        { type: 'finish', reason: 'length' },
      ];
      const turn = setUp([cut, says('ok')]);
      expect(await turn.run()).toMatchObject({ outcome: 'complete' });
      expect(turn.tools.calls).toEqual([]);
      expect(toolParts(turn.rows[1])).toMatchObject([
        { state: 'failed', error: { message: expect.stringContaining('cut off') } },
      ]);
      expect(partsOf(turn.rows[1], 'notice')).toMatchObject([{ notice: 'output-limit' }]);
    });

    it('runs nothing of an answer that a filter ended', async () => {
      const filtered = callsTools(call('echo')).map((piece) =>
        'type' in piece && piece.type === 'finish' ? { ...piece, reason: 'content-filter' as const } : piece,
      );
      const turn = setUp([filtered]);
      expect(await turn.run()).toMatchObject({ outcome: 'complete' });
      expect(turn.tools.calls).toEqual([]);
      expect(partsOf(last(turn.rows), 'notice')).toMatchObject([{ notice: 'filtered' }]);
      await expectUsable(turn);
    });

    it('runs calls whatever reason the answer ended with', async () => {
      const stop = callsTools(call('echo')).map((piece) =>
        'type' in piece && piece.type === 'finish' ? { ...piece, reason: 'stop' as const } : piece,
      );
      const turn = setUp([stop, says('ok')]);
      await turn.run();
      expect(turn.tools.calls).toHaveLength(1);
    });

    it('takes an empty answer for a failure at first, and for the end after tools', async () => {
      const empty: Script = [{ type: 'finish', reason: 'stop' }];
      const first = setUp([empty]);
      expect(await first.run()).toMatchObject({ outcome: 'failed' });
      expect(partsOf(last(first.rows), 'error')).toMatchObject([{ error: { code: 'empty-answer' } }]);
      const after = setUp([callsTools(call('echo')), empty]);
      expect(await after.run()).toMatchObject({ outcome: 'complete' });
      await expectUsable(after);
    });
  });

  describe('failures of the model', () => {
    it('keeps what was written and says what happened', async () => {
      const turn = setUp([
        [{ type: 'text-delta', text: 'The answer is' }, new ModelError('overloaded', 'Too busy.', { retryable: true })],
      ]);
      expect(await turn.run()).toMatchObject({ outcome: 'failed' });
      expect(last(turn.rows)).toMatchObject({
        status: 'failed',
        parts: [
          { type: 'text', text: 'The answer is' },
          { type: 'error', error: { code: 'overloaded' } },
        ],
      });
      expect(turn.sink.waits).toEqual([]);
      await expectUsable(turn);
    });

    it('closes a call that was being written when the stream broke, without blaming the person', async () => {
      const turn = setUp([callsTools(call('echo')).slice(0, 2)]);
      expect(await turn.run()).toMatchObject({ outcome: 'failed' });
      expect(partsOf(last(turn.rows), 'error')).toMatchObject([{ error: { code: 'broken-stream' } }]);
      expect(toolParts(last(turn.rows))).toMatchObject([{ state: 'cancelled', error: { code: 'broken-stream' } }]);
      await expectUsable(turn);
    });

    it('tries again when the model was overloaded before it said anything', async () => {
      vi.useFakeTimers();
      const busy = new ModelError('rate-limited', 'Slow down.', { retryable: true, retryAfterMs: 2_000 });
      const usage: StreamPart = { type: 'usage', usage: { inputTokens: 1, outputTokens: 0 } };
      const turn = setUp([[usage, busy], [busy], says('Hi')]);
      const running = turn.run();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await running).toMatchObject({ outcome: 'complete' });
      expect(turn.sink.waits).toMatchObject([
        { attempt: 2, error: { code: 'rate-limited' } },
        null,
        { attempt: 3 },
        null,
      ]);
      expect(turn.rows).toHaveLength(2);
    });

    it('fails when tools can’t be prepared', async () => {
      const turn = setUp([]);
      turn.tools.prepare = () => Promise.reject(new AppError('internal', 'No tools.'));
      expect(await turn.run()).toMatchObject({ outcome: 'failed' });
      await expectUsable(turn);
    });
  });

  // The other side heeds no signal in any of these: stopping must not depend on it.
  describe('stop', () => {
    const stopPoints: Record<
      string,
      { set: (turn: Setup) => Partial<TurnInput> | undefined; script: Script[]; at: RegExp | null; text?: string }
    > = {
      'while tools are prepared': {
        script: [],
        set: (turn) => {
          turn.tools.prepare = () => never;
          return undefined;
        },
        at: /row streaming/,
      },
      'before the model answers': { script: [[never]], set: () => undefined, at: null },
      'in the middle of text': {
        script: [[{ type: 'text-delta', text: 'Half of ' }, never]],
        set: () => undefined,
        at: /text Half/,
        text: 'Half of ',
      },
      'in the middle of a call': {
        script: [[...callsTools(call('echo', { a: 1 })).slice(0, 2), never]],
        set: () => undefined,
        at: /echo streaming/,
      },
      'while a call waits for approval': {
        script: [callsTools(call('echo'), call('echo', { b: 1 }))],
        set: () => ({
          approvals: {
            decide: (_request, _signal, onAsk) => {
              onAsk();
              return never;
            },
          } satisfies ApprovalPort,
        }),
        at: /awaiting-approval/,
      },
      'while tools run': {
        script: [callsTools(call('hang'), call('echo'))],
        set: (turn) => {
          turn.tools.handlers.hang = () => never;
          return undefined;
        },
        at: /hang running/,
      },
      'while it waits to try again': {
        script: [[new ModelError('overloaded', 'x', { retryable: true, retryAfterMs: 60_000 })]],
        set: () => undefined,
        at: null,
      },
    };

    it.each(Object.entries(stopPoints))('%s', async (_where, { script, set, at, text }) => {
      const turn = setUp(script);
      Object.assign(turn.input, set(turn));
      const running = turn.run();
      if (at) await vi.waitFor(() => expect(turn.sink.log.join('\n')).toMatch(at));
      else await vi.waitFor(() => expect(turn.model.requests).toHaveLength(1));
      turn.controller.abort();
      expect(await running).toMatchObject({ outcome: 'stopped' });
      const row = last(turn.rows);
      expect(row.status).toBe('stopped');
      expect(partsOf(row, 'error')).toEqual([]);
      if (text) expect(row.parts).toEqual([{ type: 'text', text }]);
      expect(turn.sink.stored.get(row.id)).toEqual(row);
      if (turn.sink.waits.length > 0) expect(turn.sink.waits.at(-1)).toBeNull();
      await expectUsable(turn);
    });

    it('keeps the results that are there, tells the server of the rest, and drops what comes late', async () => {
      const turn = setUp([callsTools(call('slow'), call('quick'))]);
      const late = Promise.withResolvers<void>();
      turn.tools.handlers.slow = async (_args, { onProgress }) => {
        await late.promise;
        onProgress({ progress: 99 });
        return textResult('late result');
      };
      turn.tools.handlers.quick = () => textResult('quick result');
      const running = turn.run();
      await vi.waitFor(() => expect(toolParts(turn.rows[1])[1]?.state).toBe('done'));
      turn.controller.abort();
      await running;
      expect(turn.tools.calls[0]!.signal.aborted).toBe(true);
      const rows = structuredClone(turn.rows);
      const logged = turn.sink.log.length;
      late.resolve();
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(turn.rows).toEqual(rows);
      expect(turn.sink.log).toHaveLength(logged);

      const next = setUp([], { rows: [...turn.rows, userRow('and now?')] });
      await next.run();
      expect(next.model.requests[0]!.messages).toMatchObject([
        { role: 'user' },
        { role: 'assistant' },
        {
          role: 'tool',
          results: [
            { isError: true, text: expect.stringContaining('The user cancelled this call') },
            { isError: false, text: 'quick result' },
          ],
        },
        { role: 'user', text: 'and now?' },
      ]);
    });

    it('is stopped from the start when it was stopped before', async () => {
      const turn = setUp([says('Hi')]);
      turn.controller.abort();
      expect(await turn.run()).toMatchObject({ outcome: 'stopped' });
      expect(turn.model.requests).toEqual([]);
    });
  });
});
