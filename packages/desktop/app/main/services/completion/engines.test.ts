import { DatabaseSync } from 'node:sqlite';
import type { AppEvent } from '@shared/contracts/index.ts';
import type { Message } from '@shared/contracts/message-types.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { agentRun } from '../agent-core/__fixtures__/runs.ts';
import { openStore, temporaryFolder } from '../conversations/test-support.ts';
import type { Engine, TurnContext, TurnSetup } from '../ports/engine.ts';
import { AppError } from '../ports/errors.ts';
import { allowAll, callsTools, ScriptedModel, ScriptedTools, says, textResult } from '../turn/__fixtures__/scripted.ts';
import { CompletionService } from './CompletionService.ts';
import { dispatchEngine } from './dispatch-engine.ts';

const MODEL = { providerId: 'scripted', modelId: 'm' };
const TEXT = { text: 'go', model: MODEL };
const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const code = (expected: string) => expect.objectContaining({ code: expected });
const echoes = (count: number) => (_request: unknown, index: number) =>
  index < count ? callsTools(['mcp__srv__echo', { index }]) : says(`done ${index}`);

describe('CompletionService with an engine', () => {
  let temp: ReturnType<typeof temporaryFolder>;
  let store: ReturnType<typeof openStore>['store'];
  let events: AppEvent[];
  let model: ScriptedModel;
  let tools: ScriptedTools;
  let dispose: ReturnType<typeof vi.fn<() => Promise<void>>>;
  let open: ReturnType<typeof vi.fn<(context: TurnContext) => TurnSetup | Promise<TurnSetup>>>;
  let service: CompletionService;
  let runId: string;

  beforeEach(() => {
    temp = temporaryFolder();
    ({ store } = openStore(`${temp.folder}/c.db`));
    events = [];
    model = new ScriptedModel([says('Hi')]);
    tools = new ScriptedTools({ echo: () => textResult('ok') });
    dispose = vi.fn(async () => {});
    open = vi.fn((_context: TurnContext): TurnSetup | Promise<TurnSetup> => setup());
    service = new CompletionService({
      engineOf: () => ({ open }),
      store,
      approvals: { answer: () => false, pending: () => [] },
      openModel: () => model,
      events: { emit: (event) => events.push(structuredClone(event)) },
      clock: Date,
      logger,
    });
    runId = store.create({ model: null, agent: agentRun('/w') }).id;
  });
  afterEach(async () => {
    await service.shutdown();
    store.close();
    temp[Symbol.dispose]();
  });

  const setup = (): TurnSetup => ({ tools, approvals: allowAll, systemPrompt: () => 'Be good.', dispose });
  const ended = (id = runId) => vi.waitFor(() => expect(service.isRunning(id)).toBe(false), { timeout: 20_000 });
  const outcomes = () =>
    events.flatMap((event) => (event.type === 'completion.turnEnded' ? [event.payload.outcome] : []));
  const texts = (rows: Message[]) =>
    rows.map(({ role, parts }) => [role, parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join()]);
  const chain = (rows: Message[]) => [null, ...rows.slice(0, -1).map(({ id }) => id)];

  it('is dispatched by what the conversation is', () => {
    const [chat, agent] = [{} as Engine, {} as Engine];
    const engineOf = dispatchEngine({ chat, agent });
    expect(engineOf(store.get(runId)!)).toBe(agent);
    expect(engineOf(store.create({ model: null }))).toBe(chat);
  });

  it('opens it for each turn with the conversation, and runs with what it gives', async () => {
    open.mockImplementation(() => ({ ...setup(), maxRounds: 2 }));
    model = new ScriptedModel(echoes(9));
    await service.chatInSession(runId, TEXT);
    await ended();
    expect(outcomes()).toEqual(['round-limit']);
    expect(model.requests[0]).toMatchObject({ system: 'Be good.' });
    await service.proceed(runId, { model: MODEL });
    await ended();
    expect(open).toHaveBeenCalledTimes(2);
    expect(open.mock.calls[1]![0]).toMatchObject({ conversation: { id: runId, agent: agentRun('/w') } });
    expect(model.requests).toHaveLength(4);
  });

  it('waits for what was opened to end, however the turn ends, before another can begin', async () => {
    const closing = Promise.withResolvers<void>();
    dispose.mockImplementation(() => closing.promise);
    await service.chatInSession(runId, TEXT);
    await vi.waitFor(() => expect(dispose).toHaveBeenCalledOnce());
    await expect(service.chatInSession(runId, TEXT)).rejects.toEqual(code('busy'));
    expect(outcomes()).toEqual([]);
    closing.resolve();
    await ended();
    expect(outcomes()).toEqual(['complete']);

    model = new ScriptedModel([[new Error('broken')], [Promise.withResolvers().promise]]);
    await service.chatInSession(runId, TEXT);
    await ended();
    await service.chatInSession(runId, TEXT);
    await service.stop(runId);
    expect(outcomes()).toEqual(['complete', 'failed', 'stopped']);
    expect(dispose).toHaveBeenCalledTimes(3);
  });

  it('shows why it could not be opened as the answer, and is free for the next', async () => {
    open.mockImplementation(() => {
      throw new AppError('workspace-missing', 'There is no folder /w.');
    });
    await service.chatInSession(runId, TEXT);
    await ended();
    expect(outcomes()).toEqual(['failed']);
    expect(store.messages(runId).at(-1)).toMatchObject({
      status: 'failed',
      parts: [{ type: 'error', error: { code: 'workspace-missing' } }],
    });
    expect(model.requests).toEqual([]);
    open.mockImplementation(() => setup());
    await service.proceed(runId, { model: MODEL });
    await ended();
    expect(outcomes()).toEqual(['failed', 'complete']);
  });

  it('ends what comes after the turn was stopped already, and waits for that when the app ends', async () => {
    const opening = Promise.withResolvers<TurnSetup>();
    const closing = Promise.withResolvers<void>();
    open.mockImplementation(() => opening.promise);
    dispose.mockImplementation(() => closing.promise);
    await service.chatInSession(runId, TEXT);
    await service.stop(runId);
    expect(outcomes()).toEqual(['stopped']);
    opening.resolve(setup());
    await vi.waitFor(() => expect(dispose).toHaveBeenCalledOnce());
    let down = false;
    const shutdown = service.shutdown().then(() => {
      down = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(down).toBe(false);
    closing.resolve();
    await shutdown;
  });

  it('does not wait for ever for what doesn’t end, when the app ends', async () => {
    dispose.mockImplementation(() => new Promise(() => {}));
    await service.chatInSession(runId, TEXT);
    await service.shutdown();
    expect(service.isRunning(runId)).toBe(true);
  });

  describe('what is said meanwhile', () => {
    it('is stored and shown at once, and read with the next request', async () => {
      const calling = Promise.withResolvers<void>();
      tools.handlers.echo = async () => {
        await calling.promise;
        return textResult('ok');
      };
      model = new ScriptedModel(echoes(1));
      await service.chatInSession(runId, TEXT);
      await vi.waitFor(() => expect(tools.calls).toHaveLength(1));
      service.say(runId, 'Also this');
      service.say(runId, 'And that');
      const expected = [
        ['user', 'go'],
        ['assistant', ''],
        ['user', 'Also this'],
        ['user', 'And that'],
      ];
      expect(texts(store.messages(runId))).toEqual(expected);
      expect(texts(service.liveMessages(runId))).toEqual(expected);
      expect(events.at(-1)).toMatchObject({ type: 'completion.message', payload: { message: { role: 'user' } } });
      calling.resolve();
      await ended();
      expect(model.requests[1]!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
      expect(model.requests[1]!.messages.at(-1)).toMatchObject({ text: 'Also this\n\nAnd that' });
      expect(texts(store.messages(runId))).toEqual([...expected, ['assistant', 'done 1']]);
      expect(store.messages(runId).map(({ parentId }) => parentId)).toEqual(chain(store.messages(runId)));
      expect(outcomes()).toEqual(['complete']);
    });

    it('starts another turn where the turn makes no request any more', async () => {
      const thinking = Promise.withResolvers<void>();
      model = new ScriptedModel([[thinking.promise, ...says('first')], says('second')]);
      await service.chatInSession(runId, TEXT);
      await vi.waitFor(() => expect(model.requests).toHaveLength(1));
      service.say(runId, 'One more thing');
      thinking.resolve();
      await vi.waitFor(() => expect(outcomes()).toEqual(['complete', 'complete']), { timeout: 20_000 });
      expect(texts(store.messages(runId))).toEqual([
        ['user', 'go'],
        ['assistant', 'first'],
        ['user', 'One more thing'],
        ['assistant', 'second'],
      ]);
      expect(store.messages(runId).map(({ parentId }) => parentId)).toEqual(chain(store.messages(runId)));
      expect(dispose).toHaveBeenCalledTimes(2);
    });

    it('is not answered by a turn that the person has stopped, and not lost either', async () => {
      model = new ScriptedModel([[Promise.withResolvers().promise], says('now')]);
      await service.chatInSession(runId, TEXT);
      await vi.waitFor(() => expect(model.requests).toHaveLength(1));
      service.say(runId, 'Wait');
      await service.stop(runId);
      expect(outcomes()).toEqual(['stopped']);
      expect(() => service.say(runId, 'x')).toThrow(code('not-running'));
      await service.proceed(runId, { model: MODEL });
      await ended();
      expect(model.requests[1]!.messages.at(-1)).toMatchObject({ text: 'go\n\nWait' });
    });

    it('is refused while nothing runs, and before the first message is there', async () => {
      expect(() => service.say(runId, 'x')).toThrow(code('not-running'));
      const starting = service.chatInSession(runId, TEXT);
      expect(() => service.say(runId, 'x')).toThrow(code('not-running'));
      await starting;
      await ended();
      expect(store.messages(runId)).toHaveLength(2);
    });
  });

  describe('going on with a run', () => {
    const rows = () => store.messages(runId);
    const proceed = async () => {
      await service.proceed(runId, { model: MODEL });
      await ended();
    };

    it('goes on after a stop and after a failure, and replaces nothing', async () => {
      model = new ScriptedModel([
        [{ type: 'text-delta', text: 'Half' }, new Error('broken')],
        [{ type: 'text-delta', text: 'More' }, Promise.withResolvers().promise],
        says('Done'),
      ]);
      await service.chatInSession(runId, TEXT);
      await ended();
      await service.proceed(runId, { model: MODEL });
      await vi.waitFor(() => expect(texts(service.liveMessages(runId)).at(-1)).toEqual(['assistant', 'More']));
      await service.stop(runId);
      await proceed();
      expect(texts(rows()).map(([, text]) => text)).toEqual(['go', 'Half', 'More', 'Done']);
      expect(outcomes()).toEqual(['failed', 'stopped', 'complete']);
    });

    it('goes on where the app ended between two requests', async () => {
      const [row, ...more] = await finished();
      expect(more).toEqual([]);
      // As if the app had been killed after the calls had ended, and then before anything was answered.
      store.putMessage({ ...row!, id: 'calls', parts: [{ ...call(), state: 'done', result: textResult('ok') }] });
      await proceed();
      store.putMessage({ ...row!, id: 'word', role: 'user', parts: [{ type: 'text', text: 'hello?' }] });
      await proceed();
      expect(outcomes()).toEqual(['complete', 'complete', 'complete']);
    });

    it('does not go on when it is done, and a chat only where it was asked', async () => {
      await finished();
      await expect(service.proceed(runId, { model: MODEL })).rejects.toEqual(code('not-found'));
      const chat = store.create({ model: null }).id;
      await expect(service.proceed(runId, { model: MODEL })).rejects.toEqual(code('not-found'));
      model = new ScriptedModel([[new Error('broken')]]);
      await service.chatInSession(chat, TEXT);
      await ended(chat);
      await expect(service.proceed(chat, { model: MODEL })).rejects.toEqual(code('not-found'));
      const empty = store.create({ model: null, agent: agentRun('/w') }).id;
      await expect(service.proceed(empty, { model: MODEL })).rejects.toEqual(code('not-found'));
    });

    it('does not go on, neither as a run nor as a chat, where what makes it a run can’t be read', async () => {
      await finished();
      const raw = new DatabaseSync(`${temp.folder}/c.db`);
      raw.prepare('UPDATE conversations SET agent = ? WHERE id = ?').run('{"goal', runId);
      raw.close();
      const before = rows();
      const refusal = expect.objectContaining({ code: 'run-unreadable', hint: expect.stringContaining('new run') });
      await expect(service.chatInSession(runId, TEXT)).rejects.toEqual(refusal);
      await expect(service.retry(runId, { model: MODEL })).rejects.toEqual(refusal);
      await expect(service.proceed(runId, { model: MODEL })).rejects.toEqual(refusal);
      expect(open).toHaveBeenCalledOnce();
      expect(rows()).toEqual(before);
    });

    const call = () => ({ type: 'tool' as const, callId: 'k', wireName: 'mcp__srv__echo', args: {} });
    async function finished() {
      model = new ScriptedModel([]);
      await service.chatInSession(runId, TEXT);
      await ended();
      return rows().slice(1);
    }
  });
});
