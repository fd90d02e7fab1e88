import { describe, expect, it } from 'vitest';
import { delta, ended, message, messageEvent, started, textPart, toolEvent, toolPart } from '../testing/messages.ts';
import { type CompletionEvent, reduce, type Transcript, transcriptOf } from './chat-reducer.ts';

const applied = (transcript: Transcript, ...events: CompletionEvent[]): Transcript =>
  events.reduce((state, event) => reduce(state, event) ?? expect.fail(`refused ${event.type}`), transcript);

const user = message('u', { role: 'user', parts: [textPart('Hello')] });
const streaming = message('a', { parentId: 'u', status: 'streaming' });

describe('deltas', () => {
  it('begin the next part and are appended to it', () => {
    const state = applied(transcriptOf([user, streaming], true), delta('a', 'Good '), delta('a', 'day'));
    expect(state.messages.a?.parts).toEqual([textPart('Good day')]);
  });

  it('go to the part they name, whichever type', () => {
    const state = applied(
      transcriptOf([streaming], true),
      delta('a', 'hm', { partType: 'reasoning' }),
      delta('a', 'Yes', { partIndex: 1 }),
      delta('a', 'm', { partType: 'reasoning' }),
    );
    expect(state.messages.a?.parts).toEqual([{ type: 'reasoning', text: 'hmm' }, textPart('Yes')]);
  });

  it('leave every other message as the same object', () => {
    const before = transcriptOf([user, message('b'), streaming], true);
    const state = applied(before, delta('a', 'x'));
    expect(state.messages.u).toBe(before.messages.u);
    expect(state.messages.b).toBe(before.messages.b);
    expect(state.messages.a).not.toBe(before.messages.a);
    expect(state.rows).toBe(before.rows);
  });

  it('leave the other parts of their message as the same objects', () => {
    const call = toolPart();
    const before = transcriptOf([message('a', { parts: [call] })], true);
    const state = applied(before, delta('a', 'x', { partIndex: 1 }));
    expect(state.messages.a?.parts[0]).toBe(call);
  });

  it.each([
    ['to an unknown message', delta('gone', 'x')],
    ['that leave a hole', delta('a', 'x', { partIndex: 1 })],
    ['of another type than the part', delta('t', 'x')],
  ])('%s are refused', (_what, event) => {
    const state = transcriptOf([streaming, message('t', { parts: [toolPart()] })], true);
    expect(reduce(state, event)).toBeNull();
  });
});

describe('messages', () => {
  it('are appended in the order they come', () => {
    const state = applied(transcriptOf([], false), messageEvent(user), messageEvent(streaming));
    expect(state.rows).toEqual([
      { id: 'u', role: 'user' },
      { id: 'a', role: 'assistant' },
    ]);
  });

  it('replace the one of the same id in its place', () => {
    const before = transcriptOf([user, streaming, message('z', { parentId: 'a' })], true);
    const state = applied(before, messageEvent({ ...streaming, status: 'complete', parts: [textPart('Done')] }));
    expect(state.rows).toBe(before.rows);
    expect(state.messages.a).toMatchObject({ status: 'complete' });
  });

  it('take the place of an earlier answer to the same message and of what followed it', () => {
    const failed = message('f', { parentId: 'u', status: 'failed' });
    const state = applied(
      transcriptOf([user, failed, message('f2', { parentId: 'f' })], false),
      messageEvent(message('again', { parentId: 'u' })),
    );
    expect(state.rows.map(({ id }) => id)).toEqual(['u', 'again']);
    expect(Object.keys(state.messages).sort()).toEqual(['again', 'u']);
  });

  it('of an unknown parent are not lost', () => {
    const state = applied(transcriptOf([user], false), messageEvent(message('x', { parentId: 'elsewhere' })));
    expect(state.rows.map(({ id }) => id)).toEqual(['u', 'x']);
  });
});

describe('tool parts', () => {
  it('are set at their index, existing or next', () => {
    const state = applied(
      transcriptOf([streaming], true),
      toolEvent('a', 0, toolPart({ state: 'running' })),
      toolEvent('a', 1, toolPart({ callId: 'call-2', state: 'running' })),
      toolEvent('a', 0, toolPart({ state: 'done' })),
    );
    expect(state.messages.a?.parts).toMatchObject([{ state: 'done' }, { callId: 'call-2', state: 'running' }]);
  });

  it('that leave a hole are refused', () => {
    expect(reduce(transcriptOf([streaming], true), toolEvent('a', 2, toolPart()))).toBeNull();
  });
});

describe('turns', () => {
  it('run from their start to their end, and stop waiting with it', () => {
    const waiting: CompletionEvent = {
      type: 'completion.waiting',
      payload: { conversationId: 'chat-1', waiting: { for: 'servers', serverNames: ['Mail'] } },
    };
    const running = applied(transcriptOf([user], false), started, waiting);
    expect(running).toMatchObject({ running: true, waiting: { for: 'servers' } });
    expect(applied({ ...running, stopping: true }, ended('stopped'))).toMatchObject({
      running: false,
      stopping: false,
      waiting: null,
    });
  });
});
