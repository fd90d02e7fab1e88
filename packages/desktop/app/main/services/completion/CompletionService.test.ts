import { contracts } from '@shared/contracts/index.ts';
import type { Message } from '@shared/contracts/message-types.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { AppError, ModelError } from '../ports/errors.ts';
import {
  callsTools,
  mcpTool,
  partsOf,
  type Script,
  says,
  textResult,
  toolParts,
} from '../turn/__fixtures__/scripted.ts';
import { WindowedModel } from '../turn/__fixtures__/windowed-model.ts';
import { MODEL, TestChat } from './__fixtures__/test-chat.ts';

describe('CompletionService', () => {
  let t: TestChat;

  beforeEach(() => {
    t = new TestChat();
  });
  afterEach(() => t.end());

  const attached = {
    type: 'attachment' as const,
    serverId: 's',
    serverName: 'srv',
    name: 'notes',
    uri: 'x://notes',
    text: 'The notes.',
    size: 10,
    cut: false,
  };

  const request = { kind: 'resource' as const, serverId: 's', serverName: 'srv', uri: 'x://notes', name: 'notes' };

  it('reads what is attached, keeps it with the message and sends it', async () => {
    const scripted = t.script([says('Read.')]);
    t.service = t.create({ readAttachments: async () => [attached] });
    await t.service.chatInSession(t.conversationId, { text: 'Read', model: MODEL, attachments: [request] });
    await t.ended();
    expect(t.stored()[0]!.parts).toEqual([{ type: 'text', text: 'Read' }, attached]);
    expect(scripted.requests[0]!.messages[0]).toMatchObject({
      text: 'Read',
      attached: expect.stringContaining('The notes.'),
    });
    expect(t.store.get(t.conversationId)).toMatchObject({ title: 'Read' });
  });

  it('does not take a message whose attachment can not be read, and is free for the next', async () => {
    t.script([says('Hi')]);
    const readAttachments = vi.fn().mockRejectedValueOnce(new AppError('refused', 'Gone.')).mockResolvedValue([]);
    t.service = t.create({ readAttachments });
    const message = { text: 'Read', model: MODEL, attachments: [request] };
    await expect(t.service.chatInSession(t.conversationId, message)).rejects.toMatchObject({ code: 'refused' });
    expect(t.stored()).toEqual([]);
    expect(t.events).toEqual([]);
    await t.service.chatInSession(t.conversationId, message);
    await t.ended();
    expect(t.stored()).toHaveLength(2);
  });

  it('stores the message, names the conversation, and answers', async () => {
    const scripted = t.script([says('Hi')]);
    const { messageId } = await t.chat('Hello\nworld');
    await t.ended();
    const [question, answer] = t.stored();
    expect(question).toMatchObject({ id: messageId, role: 'user', parentId: null, status: 'complete' });
    expect(answer).toMatchObject({ parentId: messageId, status: 'complete', model: MODEL, usage: { inputTokens: 10 } });
    expect(t.store.get(t.conversationId)).toMatchObject({ title: 'Hello', model: MODEL });
    expect(scripted.requests[0]!.system).toMatch(
      /^Today is .*\d{4}\.\nYou have tools of these connected servers: srv\./,
    );
    expect(scripted.requests[0]!.tools).toMatchObject([{ type: 'function', function: { name: 'mcp__srv__echo' } }]);
    expect(t.events.map(({ type }) => type.replace('completion.', ''))).toEqual([
      'message',
      'conversations.changed',
      'turnStarted',
      'message',
      'delta',
      'message',
      'turnEnded',
    ]);
    expect(t.of('completion.turnEnded')[0]!.payload).toMatchObject({
      conversationId: t.conversationId,
      usage: { outputTokens: 2 },
    });
  });

  it('keeps a name that the conversation has', async () => {
    t.script([]);
    t.store.rename(t.conversationId, 'Mine');
    await t.chat('Hello');
    await t.ended();
    expect(t.store.get(t.conversationId)!.title).toBe('Mine');
  });

  it('asks for approval, runs the tool, and sends what the contract says', async () => {
    const thinking: Script = [
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'reasoning-end', providerData: { signature: 'secret-signature' } },
      ...callsTools(['mcp__srv__echo', { a: 1 }]).map((piece) =>
        'type' in piece && piece.type === 'tool-call-end' ? { ...piece, providerData: 'secret-item' } : piece,
      ),
    ];
    const scripted = t.script([thinking, says('It is 1')]);
    await t.chat('What is a?');
    await vi.waitFor(() => expect(t.service.waitingCalls(t.conversationId)).toEqual(['call_0']));
    t.service.approve(t.conversationId, 'call_0', 'allow-once');
    await t.ended();
    expect(t.outcomes()).toEqual(['complete']);
    expect(scripted.requests[1]!.messages.at(-1)).toMatchObject({ results: [{ text: '{"a":1}' }] });
    expect(scripted.requests[1]!.messages.at(-2)).toMatchObject({
      content: [{ providerData: { signature: 'secret-signature' } }, { providerData: 'secret-item' }],
    });
    // What only the provider reads is stored, and goes to no window.
    expect(JSON.stringify(t.stored())).toContain('secret-signature');
    expect(JSON.stringify([t.events, t.service.liveMessages(t.conversationId)])).not.toContain('secret-');
    for (const { type, payload } of t.events) {
      const [domain, name] = type.split('.') as [keyof typeof contracts, string];
      const schema = (contracts[domain].events as Record<string, z.ZodType>)[name]!;
      expect(schema.safeParse(payload).error?.message, type).toBeUndefined();
    }
    expect(() => t.service.approve(t.conversationId, 'call_0', 'deny')).toThrow(
      expect.objectContaining({ code: 'not-running' }),
    );
  });

  it('runs no tool that was switched off while its call waited for approval, and tells the model', async () => {
    const scripted = t.script([callsTools(['mcp__srv__echo', { a: 1 }]), says('Without it, then')]);
    await t.chat('What is a?');
    await vi.waitFor(() => expect(t.service.waitingCalls(t.conversationId)).toEqual(['call_0']));
    t.pool.off.add('echo');
    t.service.approve(t.conversationId, 'call_0', 'allow-once');
    await t.ended();
    expect(t.pool.callIds).toEqual([]);
    expect(scripted.requests[1]!.messages.at(-1)).toMatchObject({
      results: [{ text: expect.stringContaining('is switched off now. Go on without it.') }],
    });
    expect(t.outcomes()).toEqual(['complete']);
  });

  it('lets a view that follows the t.events arrive at what is stored', async () => {
    t.script([callsTools(['mcp__srv__echo', { a: 1 }], ['mcp__srv__echo', '{"b":']), says('Done')]);
    await t.chat('go');
    await vi.waitFor(() => expect(t.approvals.pending(t.conversationId)).toHaveLength(1));
    t.service.approve(t.conversationId, 'call_0', 'allow-once');
    await t.ended();
    const view = new Map<string, Message>();
    for (const event of t.events) {
      if (event.type === 'completion.message')
        view.set(event.payload.message.id, structuredClone(event.payload.message));
      if (event.type === 'completion.delta') {
        const { messageId, partIndex, partType, text } = event.payload;
        const { parts } = view.get(messageId)!;
        expect(partIndex).toBeLessThanOrEqual(parts.length);
        parts[partIndex] ??= { type: partType, text: '' };
        (parts[partIndex] as { text: string }).text += text;
      }
      if (event.type === 'completion.toolPart') {
        const { messageId, partIndex, part } = event.payload;
        expect(partIndex).toBeLessThanOrEqual(view.get(messageId)!.parts.length);
        view.get(messageId)!.parts[partIndex] = part;
      }
    }
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
    expect(plain([...view.values()])).toEqual(plain(t.service.liveMessages(t.conversationId)));
    expect(plain(t.service.liveMessages(t.conversationId))).toEqual(plain(t.stored()));
  });

  it('refuses a second turn in a conversation, and runs several conversations at once', async () => {
    const gate = Promise.withResolvers<void>();
    t.script(() => [gate.promise, ...says('ok')]);
    const other = t.store.create({ model: null }).id;
    const first = t.chat('one');
    // Before the first has even started.
    await expect(t.chat('two')).rejects.toMatchObject({ code: 'busy' });
    await first;
    await t.chat('three', other);
    await expect(t.service.retry(t.conversationId, { model: MODEL })).rejects.toMatchObject({ code: 'busy' });
    expect(t.service.isRunning(t.conversationId) && t.service.isRunning(other)).toBe(true);
    gate.resolve();
    await Promise.all([t.ended(), t.ended(other)]);
    expect([t.stored().length, t.stored(other).length]).toEqual([2, 2]);
  });

  it('keeps the ids of calls of different conversations apart for the pool', async () => {
    t.script((_request, index) => (index < 2 ? callsTools(['mcp__srv__echo']) : says('ok')));
    const other = t.store.create({ model: null }).id;
    await t.chat('a');
    await t.chat('b', other);
    for (const id of [t.conversationId, other]) {
      await vi.waitFor(() => expect(t.approvals.pending(id)).toHaveLength(1));
      t.service.approve(id, 'call_0', 'allow-once');
    }
    await Promise.all([t.ended(), t.ended(other)]);
    expect(new Set(t.pool.callIds).size).toBe(2);
  });

  it('refuses what does not exist, without a trace', async () => {
    t.script([]);
    await expect(t.chat('x', 'nowhere')).rejects.toMatchObject({ code: 'not-found' });
    t.service = t.create({
      openModel: () => {
        throw new AppError('no-model', 'No such provider.');
      },
    });
    await expect(t.chat('x')).rejects.toMatchObject({ code: 'no-model' });
    expect(t.stored()).toEqual([]);
    expect(t.events).toEqual([]);
    expect(t.service.isRunning(t.conversationId)).toBe(false);
    await expect(t.service.stop(t.conversationId)).rejects.toMatchObject({ code: 'not-running' });
    await expect(t.service.retry(t.conversationId, { model: MODEL })).rejects.toMatchObject({ code: 'not-found' });
    await expect(t.service.proceed(t.conversationId, { model: MODEL })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('shows a model that can’t be opened as its answer, and asks no server for tools', async () => {
    t.service = t.create({
      openModel: async () => {
        throw new ModelError('key-missing', 'There is no key.', { hint: 'Enter it.' });
      },
    });
    await t.chat('x');
    await t.ended();
    expect(t.lastStored()).toMatchObject({
      status: 'failed',
      parts: [{ type: 'error', error: { code: 'key-missing', hint: 'Enter it.' } }],
    });
    expect(t.outcomes()).toEqual(['failed']);
    expect(t.pool.waits).toEqual([]);
  });

  it('shows the answer as it stands to a view that opens in the middle of it', async () => {
    const gate = Promise.withResolvers<void>();
    t.script([[{ type: 'text-delta', text: 'Half' }, gate.promise, ...says(' and whole')]]);
    await t.chat('x');
    await vi.waitFor(() => expect(t.of('completion.delta')).toHaveLength(1));
    const view = t.service.liveMessages(t.conversationId);
    expect(view).toMatchObject([{ role: 'user' }, { status: 'streaming', parts: [{ text: 'Half' }] }]);
    gate.resolve();
    await t.ended();
    expect(view[1]).toMatchObject({ status: 'streaming', parts: [{ text: 'Half' }] });
    expect(t.service.liveMessages(t.conversationId)[1]).toMatchObject({ parts: [{ text: 'Half and whole' }] });
  });

  it('waits for late servers once, names them, and takes them in when they are there', async () => {
    t.approvals.decide = async () => 'allow-once';
    t.pool.late = ['slow'];
    t.pool.handler = async () => {
      if (t.pool.callIds.length === 2) {
        t.pool.late = [];
        t.pool.tools = [
          ...t.pool.tools,
          mcpTool('other', { serverId: 's2', serverName: 'slow', id: 'mcp__slow__other' }),
        ];
      }
      return textResult(String(t.pool.callIds.length));
    };
    const scripted = t.script([callsTools(['mcp__srv__echo']), callsTools(['mcp__srv__echo']), says('ok')]);
    await t.chat('x');
    await t.ended();
    expect(t.pool.waits).toEqual([undefined, 0, undefined]);
    expect(scripted.requests.map(({ tools }) => tools?.length)).toEqual([1, 1, 2]);
    expect(scripted.requests[2]!.system).toContain('srv, slow');
    expect(t.stored().flatMap((row) => partsOf(row, 'notice'))).toEqual([
      { type: 'notice', notice: 'servers-late', values: { servers: 'slow' } },
    ]);
  });

  it('summarises a conversation that outgrows the window, says so meanwhile, and keeps every message', async () => {
    t.approvals.decide = async () => 'allow-once';
    t.pool.handler = async ({ n }) => textResult(`${n}: ${'lorem ipsum '.repeat(80)}`);
    const windowed = new WindowedModel({ window: 3000 }, (_request, index) =>
      index < 12 ? callsTools(['mcp__srv__echo', { n: index }]) : says('done'),
    );
    t.model = windowed;
    await t.chat('Read it all');
    await t.ended();
    expect(t.outcomes()).toEqual(['complete']);
    const count = windowed.summaries.length;
    expect(count).toBeGreaterThan(0);
    expect(t.of('completion.waiting').map(({ payload }) => payload.waiting)).toEqual(
      Array.from({ length: count }, () => [{ for: 'summary' }, null]).flat(),
    );
    expect(t.stored().flatMap(toolParts)).toHaveLength(12);
    expect(t.stored().flatMap((row) => partsOf(row, 'summary'))).toHaveLength(count);
    expect(t.stored().map(({ parentId }) => parentId)).toEqual([
      null,
      ...t
        .stored()
        .slice(0, -1)
        .map(({ id }) => id),
    ]);

    // Another turn, from what is stored, goes on from the last summary.
    await t.chat('And now?');
    await t.ended();
    expect(windowed.requests.at(-1)!.messages[0]).toMatchObject({ text: expect.stringContaining(`Notes ${count}.`) });
    expect(windowed.requests.at(-1)!.messages.at(-1)).toMatchObject({ text: 'And now?' });
  });
});
