import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callsTools, says, toolParts } from '../turn/__fixtures__/scripted.ts';
import { never, TestChat } from './__fixtures__/test-chat.ts';

describe('CompletionService, stopped', () => {
  let t: TestChat;

  beforeEach(() => {
    t = new TestChat();
  });
  afterEach(() => t.end());

  it('ends the turn, keeps what is there, and the conversation goes on', async () => {
    t.script([[{ type: 'text-delta', text: 'Half' }, never], says('again')]);
    await t.chat('x');
    await vi.waitFor(() => expect(t.of('completion.delta')).toHaveLength(1));
    await t.service.stop(t.conversationId);
    expect(t.service.isRunning(t.conversationId)).toBe(false);
    expect(t.lastStored()).toMatchObject({ status: 'stopped', parts: [{ type: 'text', text: 'Half' }] });
    await t.chat('y');
    await t.ended();
    expect(t.outcomes()).toEqual(['stopped', 'complete']);
  });

  it('ends a turn whose model is still being opened, with the message kept', async () => {
    t.service = t.create({ openModel: () => never });
    const chatting = t.chat('x');
    await t.service.stop(t.conversationId);
    await chatting;
    expect(t.stored()).toMatchObject([{ role: 'user' }, { status: 'stopped', parts: [] }]);
    expect(t.outcomes()).toEqual(['stopped']);
  });

  it('ends the wait for servers, and shows no wait afterwards', async () => {
    const gate = Promise.withResolvers<void>();
    t.pool.late = ['slow'];
    t.pool.listing = () => gate.promise;
    t.script([]);
    await t.chat('x');
    await vi.waitFor(() =>
      expect(t.of('completion.waiting').at(-1)?.payload.waiting).toEqual({ for: 'servers', serverNames: ['slow'] }),
    );
    // To a view that opens meanwhile.
    expect(t.service.waits(t.conversationId)).toEqual({ for: 'servers', serverNames: ['slow'] });
    await t.service.stop(t.conversationId);
    expect(t.of('completion.waiting').at(-1)!.payload.waiting).toBeNull();
    expect(t.service.waits(t.conversationId)).toBeNull();
    const count = t.events.length;
    gate.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(t.events).toHaveLength(count);
  });

  it('passes the signal on to a tool that runs', async () => {
    let signal: AbortSignal | undefined;
    t.pool.handler = (_args, given) => {
      signal = given;
      return never;
    };
    t.script([callsTools(['mcp__srv__echo'])]);
    await t.chat('x');
    await vi.waitFor(() => expect(t.approvals.pending()).toHaveLength(1));
    t.service.approve(t.conversationId, 'call_0', 'allow-for-chat');
    await vi.waitFor(() => expect(signal).toBeDefined());
    await t.service.stop(t.conversationId);
    expect(signal!.aborted).toBe(true);
    expect(toolParts(t.lastStored())).toMatchObject([{ state: 'cancelled' }]);
  });

  it('withdraws the question of a call that waits for approval', async () => {
    t.script([callsTools(['mcp__srv__echo'])]);
    await t.chat('x');
    await vi.waitFor(() => expect(t.approvals.pending()).toHaveLength(1));
    await t.service.stopIfRunning(t.conversationId);
    await t.service.stopIfRunning(t.conversationId);
    expect(t.approvals.pending()).toEqual([]);
    expect(t.pool.callIds).toEqual([]);
  });

  it('shuts down with everything kept, and takes no more', async () => {
    t.script(() => [{ type: 'text-delta', text: 'Half' }, never]);
    const other = t.store.create({ model: null }).id;
    await t.chat('a');
    await t.chat('b', other);
    await vi.waitFor(() => expect(t.of('completion.delta')).toHaveLength(2));
    await t.service.shutdown();
    await t.service.shutdown();
    for (const id of [t.conversationId, other]) {
      expect(t.stored(id).at(-1)).toMatchObject({ status: 'stopped', parts: [{ text: 'Half' }] });
    }
    await expect(t.chat('c')).rejects.toMatchObject({ code: 'busy' });
  });
});
