import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../ports/errors.ts';
import { callsTools, partsOf, says, toolParts } from '../turn/__fixtures__/scripted.ts';
import { TestChat } from './__fixtures__/test-chat.ts';

describe('CompletionService, what it stores', () => {
  let t: TestChat;

  beforeEach(() => {
    t = new TestChat();
  });
  afterEach(() => t.end());

  it('stores a long answer twice a second, not with every token', async () => {
    vi.useFakeTimers();
    const put = vi.spyOn(t.store, 'putMessage');
    t.model = {
      providerId: 'scripted',
      toolFormat: 'openai',
      async *stream() {
        for (let word = 0; ; word++) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          yield { type: 'text-delta', text: `${word} ` };
        }
      },
    };
    await t.chat('x');
    put.mockClear();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(put.mock.calls.length).toBeGreaterThanOrEqual(4);
    expect(put.mock.calls.length).toBeLessThanOrEqual(7);
    const text = partsOf(t.lastStored(), 'text')[0]!.text;
    const live = partsOf(t.service.liveMessages(t.conversationId).at(-1), 'text')[0]!.text;
    expect(live.startsWith(text)).toBe(true);
    // Half a second of words at one every five milliseconds.
    expect(live.split(' ').length - text.split(' ').length).toBeLessThanOrEqual(100);
    await t.service.stop(t.conversationId);
    put.mockClear();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(put).not.toHaveBeenCalled();
  });

  it('does not write a row with large results again for each of many calls', async () => {
    t.approvals.decide = async () => 'allow-once';
    const put = vi.spyOn(t.store, 'putMessage');
    t.script([
      callsTools(...Array.from({ length: 60 }, (_, n): [string, unknown] => ['mcp__srv__echo', { n }])),
      says('ok'),
    ]);
    await t.chat('x');
    await t.ended();
    expect(toolParts(t.stored()[1]).map(({ state }) => state)).toEqual(Array.from({ length: 60 }, () => 'done'));
    // The question, twice each for the beginnings and ends of two answers, once before the calls, and a few in between.
    expect(put.mock.calls.length).toBeLessThan(20);
  });

  describe('a disk that refuses', () => {
    const refuse = () => {
      throw new AppError('store-failed', 'Disk full.');
    };

    it('takes no message that it can’t keep', async () => {
      t.script([]);
      vi.spyOn(t.store, 'putMessage').mockImplementation(refuse);
      await expect(t.chat('x')).rejects.toMatchObject({ code: 'store-failed' });
      expect(t.service.isRunning(t.conversationId)).toBe(false);
      expect(t.events).toEqual([]);
    });

    it('lets the answer come to its end and says that it was not saved', async () => {
      t.script([says('Hi')]);
      await t.chat('x').then(() => vi.spyOn(t.store, 'putMessage').mockImplementation(refuse));
      await t.ended();
      const answer = t.of('completion.message').at(-1)!.payload.message;
      expect(answer.parts).toMatchObject([{ text: 'Hi' }, { type: 'error', error: { code: 'store-failed' } }]);
      expect(t.outcomes()).toEqual(['complete']);
    });
  });
});
