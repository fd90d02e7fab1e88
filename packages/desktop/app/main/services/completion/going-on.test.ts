import type { Message } from '@shared/contracts/message-types.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ModelError } from '../ports/errors.ts';
import { callsTools, says, textResult, toolParts } from '../turn/__fixtures__/scripted.ts';
import { MODEL, never, TestChat } from './__fixtures__/test-chat.ts';

describe('CompletionService, going on', () => {
  let t: TestChat;

  beforeEach(() => {
    t = new TestChat();
  });
  afterEach(() => t.end());

  it('replaces an answer that failed, in its place', async () => {
    t.script([[{ type: 'text-delta', text: 'Half' }, new ModelError('server-error', 'Broken.')], says('Whole')]);
    await t.chat('x');
    await t.ended();
    const failed = t.lastStored();
    expect(failed.status).toBe('failed');
    await t.service.retry(t.conversationId, { model: { ...MODEL, modelId: 'better' } });
    await t.ended();
    expect(t.stored()).toHaveLength(2);
    expect(t.lastStored()).toMatchObject({
      id: failed.id,
      parentId: failed.parentId,
      status: 'complete',
      parts: [{ type: 'text', text: 'Whole' }],
      model: { modelId: 'better' },
    });
    expect(t.store.get(t.conversationId)!.model).toEqual({ ...MODEL, modelId: 'better' });
  });

  it('never forgets calls that have run: the new answer follows them', async () => {
    t.approvals.decide = async () => 'allow-once';
    const scripted = t.script([
      callsTools(['mcp__srv__echo', { n: 1 }]),
      [new ModelError('server-error', 'x')],
      says('ok'),
    ]);
    await t.chat('x');
    await t.ended();
    expect(t.stored().map(({ status }) => status)).toEqual(['complete', 'complete', 'failed']);
    await t.service.retry(t.conversationId, { model: MODEL });
    await t.ended();
    expect(t.stored().map(({ status }) => status)).toEqual(['complete', 'complete', 'complete']);
    expect(t.pool.callIds).toHaveLength(1);
    expect(scripted.requests.at(-1)!.messages.at(-1)).toMatchObject({ role: 'tool' });
  });

  it('goes on after a stop in the middle of calls', async () => {
    t.approvals.decide = async () => 'allow-once';
    t.pool.handler = async ({ n }) => (n === 1 ? textResult('one') : never);
    const scripted = t.script([callsTools(['mcp__srv__echo', { n: 1 }], ['mcp__srv__echo', { n: 2 }]), says('ok')]);
    await t.chat('x');
    await vi.waitFor(() => expect(toolParts(t.service.liveMessages(t.conversationId).at(-1))[0]?.state).toBe('done'));
    await t.service.stop(t.conversationId);
    await t.service.retry(t.conversationId, { model: MODEL });
    await t.ended();
    expect(t.stored()).toHaveLength(3);
    expect(scripted.requests[1]!.messages.at(-1)).toMatchObject({
      results: [{ text: 'one' }, { text: expect.stringContaining('cancelled') }],
    });
  });

  it('goes on after the limit of rounds, and not after anything else', async () => {
    t.approvals.decide = async () => 'allow-once';
    t.script((_request, index) => (index < 30 ? callsTools(['mcp__srv__echo', { index }]) : says('finished')));
    await t.chat('x');
    await t.ended();
    expect(t.outcomes()).toEqual(['round-limit']);
    await t.service.proceed(t.conversationId, { model: MODEL });
    await t.ended();
    expect(t.outcomes()).toEqual(['round-limit', 'complete']);
    expect(t.stored()).toHaveLength(1 + 31);
    await expect(t.service.proceed(t.conversationId, { model: MODEL })).rejects.toMatchObject({ code: 'not-found' });
    expect(t.service.isRunning(t.conversationId)).toBe(false);
  });

  it('closes at the start what a crash left open', async () => {
    const row: Message = {
      id: 'a1',
      conversationId: t.conversationId,
      parentId: null,
      role: 'assistant',
      parts: [
        { type: 'text', text: 'Let me see' },
        { type: 'tool', callId: 'c1', wireName: 'mcp__srv__echo', args: {}, state: 'running', startedAt: 1 },
        { type: 'tool', callId: 'c2', wireName: 'mcp__srv__echo', args: {}, state: 'done', result: textResult('r') },
      ],
      status: 'streaming',
      model: MODEL,
      createdAt: 1,
    };
    t.store.putMessage(row);
    t.service.recoverInterrupted();
    expect(t.lastStored()).toMatchObject({
      status: 'interrupted',
      parts: [
        { text: 'Let me see' },
        { state: 'cancelled', error: { code: 'interrupted' } },
        { state: 'done' },
        { type: 'notice', notice: 'interrupted' },
      ],
    });
    t.service.recoverInterrupted();
    expect(t.lastStored().parts).toHaveLength(4);
    const scripted = t.script([says('ok')]);
    await t.chat('go on');
    await t.ended();
    expect(t.outcomes()).toEqual(['complete']);
    expect(scripted.requests[0]!.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', results: [{ text: expect.stringContaining('interrupted') }, { text: 'r' }] },
      { role: 'user', text: 'go on' },
    ]);
  });
});
