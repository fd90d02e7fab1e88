import { describe, expect, it } from 'vitest';
import { callsTools, partsOf, type Script, says, textResult, toolParts } from './__fixtures__/scripted.ts';
import { call, expectUsable, last, setUp } from './__fixtures__/turn.ts';
import { MAX_PAUSES } from './run-turn.ts';

describe('limits of a turn', () => {
  it('asks the person after 25 rounds, and goes on from there', async () => {
    const turn = setUp((_request, index) => callsTools(call('echo', { index })));
    expect(await turn.run()).toMatchObject({ outcome: 'round-limit' });
    expect(turn.model.requests).toHaveLength(25);
    expect(partsOf(last(turn.rows), 'notice')).toEqual([
      { type: 'notice', notice: 'round-limit', values: { rounds: 25 } },
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
