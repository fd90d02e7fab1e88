import { type AppEvent, contracts } from '@shared/contracts/index.ts';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { Message } from '@shared/contracts/message-types.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { openStore, temporaryFolder } from '../conversations/test-support.ts';
import { AppError, ModelError } from '../ports/errors.ts';
import type { ModelPort } from '../ports/model.ts';
import type { McpPool } from '../ports/tools.ts';
import {
  callsTools,
  mcpTool,
  partsOf,
  type Script,
  ScriptedModel,
  says,
  textResult,
  toolParts,
} from '../turn/__fixtures__/scripted.ts';
import { WindowedModel } from '../turn/__fixtures__/windowed-model.ts';
import { Approvals } from '../turn/approval.ts';
import { CompletionService } from './CompletionService.ts';
import { ChatEngine } from './chat-engine.ts';

const MODEL = { providerId: 'scripted', modelId: 'm' };
const never = new Promise<never>(() => {});
const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

/** A pool of one server. */
class FakePool implements McpPool {
  tools: MCPTool[] = [mcpTool('echo')];
  late: string[] = [];
  readonly waits: (number | undefined)[] = [];
  readonly callIds: string[] = [];
  listing: () => Promise<unknown> = async () => {};
  handler: (args: Record<string, unknown>, signal?: AbortSignal) => Promise<ReturnType<typeof textResult>> = async (
    args,
  ) => textResult(JSON.stringify(args));

  async listServerTools() {
    return this.tools;
  }
  async listAllActiveServerTools(options?: { waitMs?: number }) {
    this.waits.push(options?.waitMs);
    await this.listing();
    return this.tools;
  }
  lateServers() {
    return this.late;
  }
  callTool(...[, , args, callId, options]: Parameters<McpPool['callTool']>) {
    this.callIds.push(callId);
    return this.handler(args, options?.signal);
  }
  cancelCall() {
    return false;
  }
}

describe('CompletionService', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let store: ReturnType<typeof openStore>['store'];
  let pool: FakePool;
  let approvals: Approvals;
  let events: AppEvent[];
  let model: ModelPort;
  let service: CompletionService;
  let conversationId: string;

  const script = (scripts: ConstructorParameters<typeof ScriptedModel>[0]) => {
    const scripted = new ScriptedModel(scripts);
    model = scripted;
    return scripted;
  };
  const create = (more: Partial<ConstructorParameters<typeof CompletionService>[0]> = {}) =>
    new CompletionService({
      engineOf: () => new ChatEngine({ mcpService: pool, approvals, clock: { now: () => Date.now() }, logger }),
      store,
      approvals,
      openModel: () => model,
      events: { emit: (event) => events.push(structuredClone(event)) },
      clock: { now: () => Date.now() },
      logger,
      ...more,
    });
  const chat = (text: string, id = conversationId) => service.chatInSession(id, { text, model: MODEL });
  const ended = async (id = conversationId) => {
    await vi.waitFor(() => expect(service.isRunning(id)).toBe(false), { timeout: 5_000 });
  };
  const stored = (id = conversationId) => store.messages(id);
  const lastStored = () => stored().at(-1)!;
  const of = <Type extends AppEvent['type']>(type: Type) =>
    events.filter((event): event is Extract<AppEvent, { type: Type }> => event.type === type);
  const outcomes = () => of('completion.turnEnded').map(({ payload }) => payload.outcome);

  beforeEach(() => {
    folder = temporaryFolder();
    ({ store } = openStore(`${folder.folder}/chats.db`));
    pool = new FakePool();
    approvals = new Approvals({
      store: { read: () => undefined, write: () => {} },
      serverIdentity: () => 'command',
      logger,
    });
    events = [];
    service = create();
    conversationId = store.create({ model: null }).id;
  });
  afterEach(async () => {
    await service.shutdown();
    store.close();
    folder[Symbol.dispose]();
    vi.useRealTimers();
  });

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
    const scripted = script([says('Read.')]);
    service = create({ readAttachments: async () => [attached] });
    await service.chatInSession(conversationId, { text: 'Read', model: MODEL, attachments: [request] });
    await ended();
    expect(stored()[0]!.parts).toEqual([{ type: 'text', text: 'Read' }, attached]);
    expect(scripted.requests[0]!.messages[0]).toMatchObject({
      text: 'Read',
      attached: expect.stringContaining('The notes.'),
    });
    expect(store.get(conversationId)).toMatchObject({ title: 'Read' });
  });

  it('does not take a message whose attachment can not be read, and is free for the next', async () => {
    script([says('Hi')]);
    const readAttachments = vi.fn().mockRejectedValueOnce(new AppError('refused', 'Gone.')).mockResolvedValue([]);
    service = create({ readAttachments });
    const message = { text: 'Read', model: MODEL, attachments: [request] };
    await expect(service.chatInSession(conversationId, message)).rejects.toMatchObject({ code: 'refused' });
    expect(stored()).toEqual([]);
    expect(events).toEqual([]);
    await service.chatInSession(conversationId, message);
    await ended();
    expect(stored()).toHaveLength(2);
  });

  it('stores the message, names the conversation, and answers', async () => {
    const scripted = script([says('Hi')]);
    const { messageId } = await chat('Hello\nworld');
    await ended();
    const [question, answer] = stored();
    expect(question).toMatchObject({ id: messageId, role: 'user', parentId: null, status: 'complete' });
    expect(answer).toMatchObject({ parentId: messageId, status: 'complete', model: MODEL, usage: { inputTokens: 10 } });
    expect(store.get(conversationId)).toMatchObject({ title: 'Hello', model: MODEL });
    expect(scripted.requests[0]!.system).toMatch(
      /^Today is .*\d{4}\.\nYou have tools of these connected servers: srv\./,
    );
    expect(scripted.requests[0]!.tools).toMatchObject([{ type: 'function', function: { name: 'mcp__srv__echo' } }]);
    expect(events.map(({ type }) => type.replace('completion.', ''))).toEqual([
      'message',
      'conversations.changed',
      'turnStarted',
      'message',
      'delta',
      'message',
      'turnEnded',
    ]);
    expect(of('completion.turnEnded')[0]!.payload).toMatchObject({ conversationId, usage: { outputTokens: 2 } });
  });

  it('keeps a name that the conversation has', async () => {
    script([]);
    store.rename(conversationId, 'Mine');
    await chat('Hello');
    await ended();
    expect(store.get(conversationId)!.title).toBe('Mine');
  });

  it('asks for approval, runs the tool, and sends what the contract says', async () => {
    const thinking: Script = [
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'reasoning-end', providerData: { signature: 'secret-signature' } },
      ...callsTools(['mcp__srv__echo', { a: 1 }]).map((piece) =>
        'type' in piece && piece.type === 'tool-call-end' ? { ...piece, providerData: 'secret-item' } : piece,
      ),
    ];
    const scripted = script([thinking, says('It is 1')]);
    await chat('What is a?');
    await vi.waitFor(() => expect(service.waitingCalls(conversationId)).toEqual(['call_0']));
    service.approve(conversationId, 'call_0', 'allow-once');
    await ended();
    expect(outcomes()).toEqual(['complete']);
    expect(scripted.requests[1]!.messages.at(-1)).toMatchObject({ results: [{ text: '{"a":1}' }] });
    expect(scripted.requests[1]!.messages.at(-2)).toMatchObject({
      content: [{ providerData: { signature: 'secret-signature' } }, { providerData: 'secret-item' }],
    });
    // What only the provider reads is stored, and goes to no window.
    expect(JSON.stringify(stored())).toContain('secret-signature');
    expect(JSON.stringify([events, service.liveMessages(conversationId)])).not.toContain('secret-');
    for (const { type, payload } of events) {
      const [domain, name] = type.split('.') as [keyof typeof contracts, string];
      const schema = (contracts[domain].events as Record<string, z.ZodType>)[name]!;
      expect(schema.safeParse(payload).error?.message, type).toBeUndefined();
    }
    expect(() => service.approve(conversationId, 'call_0', 'deny')).toThrow(
      expect.objectContaining({ code: 'not-running' }),
    );
  });

  it('lets a view that follows the events arrive at what is stored', async () => {
    script([callsTools(['mcp__srv__echo', { a: 1 }], ['mcp__srv__echo', '{"b":']), says('Done')]);
    await chat('go');
    await vi.waitFor(() => expect(approvals.pending(conversationId)).toHaveLength(1));
    service.approve(conversationId, 'call_0', 'allow-once');
    await ended();
    const view = new Map<string, Message>();
    for (const event of events) {
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
    expect(plain([...view.values()])).toEqual(plain(service.liveMessages(conversationId)));
    expect(plain(service.liveMessages(conversationId))).toEqual(plain(stored()));
  });

  it('refuses a second turn in a conversation, and runs several conversations at once', async () => {
    const gate = Promise.withResolvers<void>();
    script(() => [gate.promise, ...says('ok')]);
    const other = store.create({ model: null }).id;
    const first = chat('one');
    // Before the first has even started.
    await expect(chat('two')).rejects.toMatchObject({ code: 'busy' });
    await first;
    await chat('three', other);
    await expect(service.retry(conversationId, { model: MODEL })).rejects.toMatchObject({ code: 'busy' });
    expect(service.isRunning(conversationId) && service.isRunning(other)).toBe(true);
    gate.resolve();
    await Promise.all([ended(), ended(other)]);
    expect([stored().length, stored(other).length]).toEqual([2, 2]);
  });

  it('keeps the ids of calls of different conversations apart for the pool', async () => {
    script((_request, index) => (index < 2 ? callsTools(['mcp__srv__echo']) : says('ok')));
    const other = store.create({ model: null }).id;
    await chat('a');
    await chat('b', other);
    for (const id of [conversationId, other]) {
      await vi.waitFor(() => expect(approvals.pending(id)).toHaveLength(1));
      service.approve(id, 'call_0', 'allow-once');
    }
    await Promise.all([ended(), ended(other)]);
    expect(new Set(pool.callIds).size).toBe(2);
  });

  it('refuses what does not exist, without a trace', async () => {
    script([]);
    await expect(chat('x', 'nowhere')).rejects.toMatchObject({ code: 'not-found' });
    service = create({
      openModel: () => {
        throw new AppError('no-model', 'No such provider.');
      },
    });
    await expect(chat('x')).rejects.toMatchObject({ code: 'no-model' });
    expect(stored()).toEqual([]);
    expect(events).toEqual([]);
    expect(service.isRunning(conversationId)).toBe(false);
    await expect(service.stop(conversationId)).rejects.toMatchObject({ code: 'not-running' });
    await expect(service.retry(conversationId, { model: MODEL })).rejects.toMatchObject({ code: 'not-found' });
    await expect(service.proceed(conversationId, { model: MODEL })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('shows a model that can’t be opened as its answer, and asks no server for tools', async () => {
    service = create({
      openModel: async () => {
        throw new ModelError('key-missing', 'There is no key.', { hint: 'Enter it.' });
      },
    });
    await chat('x');
    await ended();
    expect(lastStored()).toMatchObject({
      status: 'failed',
      parts: [{ type: 'error', error: { code: 'key-missing', hint: 'Enter it.' } }],
    });
    expect(outcomes()).toEqual(['failed']);
    expect(pool.waits).toEqual([]);
  });

  it('shows the answer as it stands to a view that opens in the middle of it', async () => {
    const gate = Promise.withResolvers<void>();
    script([[{ type: 'text-delta', text: 'Half' }, gate.promise, ...says(' and whole')]]);
    await chat('x');
    await vi.waitFor(() => expect(of('completion.delta')).toHaveLength(1));
    const view = service.liveMessages(conversationId);
    expect(view).toMatchObject([{ role: 'user' }, { status: 'streaming', parts: [{ text: 'Half' }] }]);
    gate.resolve();
    await ended();
    expect(view[1]).toMatchObject({ status: 'streaming', parts: [{ text: 'Half' }] });
    expect(service.liveMessages(conversationId)[1]).toMatchObject({ parts: [{ text: 'Half and whole' }] });
  });

  it('stores a long answer twice a second, not with every token', async () => {
    vi.useFakeTimers();
    const put = vi.spyOn(store, 'putMessage');
    model = {
      providerId: 'scripted',
      toolFormat: 'openai',
      async *stream() {
        for (let word = 0; ; word++) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          yield { type: 'text-delta', text: `${word} ` };
        }
      },
    };
    await chat('x');
    put.mockClear();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(put.mock.calls.length).toBeGreaterThanOrEqual(4);
    expect(put.mock.calls.length).toBeLessThanOrEqual(7);
    const text = partsOf(lastStored(), 'text')[0]!.text;
    const live = partsOf(service.liveMessages(conversationId).at(-1), 'text')[0]!.text;
    expect(live.startsWith(text)).toBe(true);
    // Half a second of words at one every five milliseconds.
    expect(live.split(' ').length - text.split(' ').length).toBeLessThanOrEqual(100);
    await service.stop(conversationId);
    put.mockClear();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(put).not.toHaveBeenCalled();
  });

  it('does not write a row with large results again for each of many calls', async () => {
    approvals.decide = async () => 'allow-once';
    const put = vi.spyOn(store, 'putMessage');
    script([
      callsTools(...Array.from({ length: 60 }, (_, n): [string, unknown] => ['mcp__srv__echo', { n }])),
      says('ok'),
    ]);
    await chat('x');
    await ended();
    expect(toolParts(stored()[1]).map(({ state }) => state)).toEqual(Array.from({ length: 60 }, () => 'done'));
    // The question, twice each for the beginnings and ends of two answers, once before the calls, and a few in between.
    expect(put.mock.calls.length).toBeLessThan(20);
  });

  describe('stop', () => {
    it('ends the turn, keeps what is there, and the conversation goes on', async () => {
      script([[{ type: 'text-delta', text: 'Half' }, never], says('again')]);
      await chat('x');
      await vi.waitFor(() => expect(of('completion.delta')).toHaveLength(1));
      await service.stop(conversationId);
      expect(service.isRunning(conversationId)).toBe(false);
      expect(lastStored()).toMatchObject({ status: 'stopped', parts: [{ type: 'text', text: 'Half' }] });
      await chat('y');
      await ended();
      expect(outcomes()).toEqual(['stopped', 'complete']);
    });

    it('ends a turn whose model is still being opened, with the message kept', async () => {
      service = create({ openModel: () => never });
      const chatting = chat('x');
      await service.stop(conversationId);
      await chatting;
      expect(stored()).toMatchObject([{ role: 'user' }, { status: 'stopped', parts: [] }]);
      expect(outcomes()).toEqual(['stopped']);
    });

    it('ends the wait for servers, and shows no wait afterwards', async () => {
      const gate = Promise.withResolvers<void>();
      pool.late = ['slow'];
      pool.listing = () => gate.promise;
      script([]);
      await chat('x');
      await vi.waitFor(() =>
        expect(of('completion.waiting').at(-1)?.payload.waiting).toEqual({ for: 'servers', serverNames: ['slow'] }),
      );
      await service.stop(conversationId);
      expect(of('completion.waiting').at(-1)!.payload.waiting).toBeNull();
      const count = events.length;
      gate.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      expect(events).toHaveLength(count);
    });

    it('passes the signal on to a tool that runs', async () => {
      let signal: AbortSignal | undefined;
      pool.handler = (_args, given) => {
        signal = given;
        return never;
      };
      script([callsTools(['mcp__srv__echo'])]);
      await chat('x');
      await vi.waitFor(() => expect(approvals.pending()).toHaveLength(1));
      service.approve(conversationId, 'call_0', 'allow-for-chat');
      await vi.waitFor(() => expect(signal).toBeDefined());
      await service.stop(conversationId);
      expect(signal!.aborted).toBe(true);
      expect(toolParts(lastStored())).toMatchObject([{ state: 'cancelled' }]);
    });

    it('withdraws the question of a call that waits for approval', async () => {
      script([callsTools(['mcp__srv__echo'])]);
      await chat('x');
      await vi.waitFor(() => expect(approvals.pending()).toHaveLength(1));
      await service.stopIfRunning(conversationId);
      await service.stopIfRunning(conversationId);
      expect(approvals.pending()).toEqual([]);
      expect(pool.callIds).toEqual([]);
    });
  });

  it('waits for late servers once, names them, and takes them in when they are there', async () => {
    approvals.decide = async () => 'allow-once';
    pool.late = ['slow'];
    pool.handler = async () => {
      if (pool.callIds.length === 2) {
        pool.late = [];
        pool.tools = [...pool.tools, mcpTool('other', { serverId: 's2', serverName: 'slow', id: 'mcp__slow__other' })];
      }
      return textResult(String(pool.callIds.length));
    };
    const scripted = script([callsTools(['mcp__srv__echo']), callsTools(['mcp__srv__echo']), says('ok')]);
    await chat('x');
    await ended();
    expect(pool.waits).toEqual([undefined, 0, undefined]);
    expect(scripted.requests.map(({ tools }) => tools?.length)).toEqual([1, 1, 2]);
    expect(scripted.requests[2]!.system).toContain('srv, slow');
    expect(stored().flatMap((row) => partsOf(row, 'notice'))).toEqual([
      { type: 'notice', notice: 'servers-late', values: { servers: 'slow' } },
    ]);
  });

  it('summarises a conversation that outgrows the window, says so meanwhile, and keeps every message', async () => {
    approvals.decide = async () => 'allow-once';
    pool.handler = async ({ n }) => textResult(`${n}: ${'lorem ipsum '.repeat(80)}`);
    const windowed = new WindowedModel({ window: 3000 }, (_request, index) =>
      index < 12 ? callsTools(['mcp__srv__echo', { n: index }]) : says('done'),
    );
    model = windowed;
    await chat('Read it all');
    await ended();
    expect(outcomes()).toEqual(['complete']);
    const count = windowed.summaries.length;
    expect(count).toBeGreaterThan(0);
    expect(of('completion.waiting').map(({ payload }) => payload.waiting)).toEqual(
      Array.from({ length: count }, () => [{ for: 'summary' }, null]).flat(),
    );
    expect(stored().flatMap(toolParts)).toHaveLength(12);
    expect(stored().flatMap((row) => partsOf(row, 'summary'))).toHaveLength(count);
    expect(stored().map(({ parentId }) => parentId)).toEqual([
      null,
      ...stored()
        .slice(0, -1)
        .map(({ id }) => id),
    ]);

    // Another turn, from what is stored, goes on from the last summary.
    await chat('And now?');
    await ended();
    expect(windowed.requests.at(-1)!.messages[0]).toMatchObject({ text: expect.stringContaining(`Notes ${count}.`) });
    expect(windowed.requests.at(-1)!.messages.at(-1)).toMatchObject({ text: 'And now?' });
  });

  describe('retry and proceed', () => {
    it('replaces an answer that failed, in its place', async () => {
      script([[{ type: 'text-delta', text: 'Half' }, new ModelError('server-error', 'Broken.')], says('Whole')]);
      await chat('x');
      await ended();
      const failed = lastStored();
      expect(failed.status).toBe('failed');
      await service.retry(conversationId, { model: { ...MODEL, modelId: 'better' } });
      await ended();
      expect(stored()).toHaveLength(2);
      expect(lastStored()).toMatchObject({
        id: failed.id,
        parentId: failed.parentId,
        status: 'complete',
        parts: [{ type: 'text', text: 'Whole' }],
        model: { modelId: 'better' },
      });
      expect(store.get(conversationId)!.model).toEqual({ ...MODEL, modelId: 'better' });
    });

    it('never forgets calls that have run: the new answer follows them', async () => {
      approvals.decide = async () => 'allow-once';
      const scripted = script([
        callsTools(['mcp__srv__echo', { n: 1 }]),
        [new ModelError('server-error', 'x')],
        says('ok'),
      ]);
      await chat('x');
      await ended();
      expect(stored().map(({ status }) => status)).toEqual(['complete', 'complete', 'failed']);
      await service.retry(conversationId, { model: MODEL });
      await ended();
      expect(stored().map(({ status }) => status)).toEqual(['complete', 'complete', 'complete']);
      expect(pool.callIds).toHaveLength(1);
      expect(scripted.requests.at(-1)!.messages.at(-1)).toMatchObject({ role: 'tool' });
    });

    it('goes on after a stop in the middle of calls', async () => {
      approvals.decide = async () => 'allow-once';
      pool.handler = async ({ n }) => (n === 1 ? textResult('one') : never);
      const scripted = script([callsTools(['mcp__srv__echo', { n: 1 }], ['mcp__srv__echo', { n: 2 }]), says('ok')]);
      await chat('x');
      await vi.waitFor(() => expect(toolParts(service.liveMessages(conversationId).at(-1))[0]?.state).toBe('done'));
      await service.stop(conversationId);
      await service.retry(conversationId, { model: MODEL });
      await ended();
      expect(stored()).toHaveLength(3);
      expect(scripted.requests[1]!.messages.at(-1)).toMatchObject({
        results: [{ text: 'one' }, { text: expect.stringContaining('cancelled') }],
      });
    });

    it('goes on after the limit of rounds, and not after anything else', async () => {
      approvals.decide = async () => 'allow-once';
      script((_request, index) => (index < 30 ? callsTools(['mcp__srv__echo', { index }]) : says('finished')));
      await chat('x');
      await ended();
      expect(outcomes()).toEqual(['round-limit']);
      await service.proceed(conversationId, { model: MODEL });
      await ended();
      expect(outcomes()).toEqual(['round-limit', 'complete']);
      expect(stored()).toHaveLength(1 + 31);
      await expect(service.proceed(conversationId, { model: MODEL })).rejects.toMatchObject({ code: 'not-found' });
      expect(service.isRunning(conversationId)).toBe(false);
    });
  });

  it('closes at the start what a crash left open', async () => {
    const row: Message = {
      id: 'a1',
      conversationId,
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
    store.putMessage(row);
    service.recoverInterrupted();
    expect(lastStored()).toMatchObject({
      status: 'interrupted',
      parts: [
        { text: 'Let me see' },
        { state: 'cancelled', error: { code: 'interrupted' } },
        { state: 'done' },
        { type: 'notice', notice: 'interrupted' },
      ],
    });
    service.recoverInterrupted();
    expect(lastStored().parts).toHaveLength(4);
    const scripted = script([says('ok')]);
    await chat('go on');
    await ended();
    expect(outcomes()).toEqual(['complete']);
    expect(scripted.requests[0]!.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', results: [{ text: expect.stringContaining('interrupted') }, { text: 'r' }] },
      { role: 'user', text: 'go on' },
    ]);
  });

  describe('a disk that refuses', () => {
    const refuse = () => {
      throw new AppError('store-failed', 'Disk full.');
    };

    it('takes no message that it can’t keep', async () => {
      script([]);
      vi.spyOn(store, 'putMessage').mockImplementation(refuse);
      await expect(chat('x')).rejects.toMatchObject({ code: 'store-failed' });
      expect(service.isRunning(conversationId)).toBe(false);
      expect(events).toEqual([]);
    });

    it('lets the answer come to its end and says that it was not saved', async () => {
      script([says('Hi')]);
      await chat('x').then(() => vi.spyOn(store, 'putMessage').mockImplementation(refuse));
      await ended();
      const answer = of('completion.message').at(-1)!.payload.message;
      expect(answer.parts).toMatchObject([{ text: 'Hi' }, { type: 'error', error: { code: 'store-failed' } }]);
      expect(outcomes()).toEqual(['complete']);
    });
  });

  it('shuts down with everything kept, and takes no more', async () => {
    script(() => [{ type: 'text-delta', text: 'Half' }, never]);
    const other = store.create({ model: null }).id;
    await chat('a');
    await chat('b', other);
    await vi.waitFor(() => expect(of('completion.delta')).toHaveLength(2));
    await service.shutdown();
    await service.shutdown();
    for (const id of [conversationId, other]) {
      expect(stored(id).at(-1)).toMatchObject({ status: 'stopped', parts: [{ text: 'Half' }] });
    }
    await expect(chat('c')).rejects.toMatchObject({ code: 'busy' });
  });
});
