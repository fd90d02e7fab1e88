import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError, ModelError } from '../ports/errors.ts';
import type { StreamPart } from '../ports/model.ts';
import type { ApprovalPort } from '../ports/tools.ts';
import { callsTools, partsOf, type Script, says, textResult, toolParts, userRow } from './__fixtures__/scripted.ts';
import { call, expectUsable, last, never, type Setup, setUp } from './__fixtures__/turn.ts';
import type { TurnInput } from './run-turn.ts';

afterEach(() => {
  vi.useRealTimers();
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
describe('stop of a turn', () => {
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
