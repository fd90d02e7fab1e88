import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentPreset, AgentServer } from '@shared/contracts/agent-types.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CompletionService } from '../completion/CompletionService.ts';
import { openStore, temporaryFolder } from '../conversations/test-support.ts';
import type { ProviderTools } from '../ports/tool-formats.ts';
import type { ApprovalPort } from '../ports/tools.ts';
import {
  allowAll,
  callsTools,
  mcpTool,
  partsOf,
  type Script,
  ScriptedModel,
  says,
  toolParts,
} from '../turn/__fixtures__/scripted.ts';
import { agentRun, FakePool, tool } from './__fixtures__/runs.ts';
import { TinyElfEngine, type TinyElfEngineDeps, type TurnPlace } from './engine/tinyelf/TinyElfEngine.ts';
import { TinyElfToolRegistryBuilder } from './engine/tinyelf/TinyElfToolRegistryBuilder.ts';
import type { ITool } from './engine/tinyelf/tools/ITool.ts';

const MODEL = { providerId: 'scripted', modelId: 'm' };
const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const toolNames = (tools: ProviderTools | undefined) =>
  ((tools ?? []) as { function: { name: string } }[]).map((one) => one.function.name);

/** Runs of the real engine over the real store, with tools and models made for the test. */
describe('a run of the agent', () => {
  let temp: ReturnType<typeof temporaryFolder>;
  let workspace: string;
  let store: ReturnType<typeof openStore>['store'];
  let pool: FakePool;
  let builtin: ITool[];
  let outcomes: string[];
  let engine: TinyElfEngine;
  const stores: { close(): void }[] = [];
  const services: CompletionService[] = [];

  beforeEach(() => {
    temp = temporaryFolder();
    workspace = join(temp.folder, 'project');
    mkdirSync(workspace);
    store = open(join(temp.folder, 'c.db'));
    pool = new FakePool();
    builtin = [tool('Echo')];
    outcomes = [];
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.shutdown();
    for (const one of stores.splice(0)) one.close();
    temp[Symbol.dispose]();
  });

  function open(file: string) {
    const opened = openStore(file).store;
    stores.push(opened);
    return opened;
  }
  function app(model: ScriptedModel, more: Partial<TinyElfEngineDeps> = {}) {
    engine = new TinyElfEngine({
      builder: new TinyElfToolRegistryBuilder([() => builtin]),
      mcpService: pool,
      openServers: async () => ({ tools: [], close: async () => {} }),
      mayRead: () => true,
      approvalsFor: () => allowAll,
      clock: Date,
      logger,
      ...more,
    });
    const service = new CompletionService({
      engineOf: () => engine,
      store,
      approvals: { answer: () => false, pending: () => [] },
      openModel: () => model,
      events: {
        emit: (event) => {
          if (event.type === 'completion.turnEnded') outcomes.push(event.payload.outcome);
        },
      },
      clock: Date,
      logger,
    });
    services.push(service);
    return service;
  }
  const newRun = (more: Partial<AgentPreset> = {}) =>
    store.create({ model: null, agent: agentRun(workspace, more) }).id;
  const begin = (service: CompletionService, id: string) =>
    service.chatInSession(id, { text: 'Test it', model: MODEL });
  const ended = (service: CompletionService, id: string) =>
    vi.waitFor(() => expect(service.isRunning(id)).toBe(false), { timeout: 30_000 });
  async function run(
    script: Script[] | ((request: unknown, index: number) => Script),
    preset: Partial<AgentPreset> = {},
    deps: Partial<TinyElfEngineDeps> = {},
  ) {
    const model = new ScriptedModel(script);
    const service = app(model, deps);
    const id = newRun(preset);
    await begin(service, id);
    await ended(service, id);
    return { model, service, id, rows: store.messages(id) };
  }

  it('has the tools that its preset names, and no others', async () => {
    builtin = [tool('Echo'), tool('Bash'), tool('connect_mcp')];
    pool.tools = [mcpTool('add')];
    const { model, rows } = await run([callsTools(['Echo', { text: 'hi' }], ['Bash', {}]), says('done')], {
      tools: ['Echo', 'connect_mcp', 'NoSuchTool'],
      mcpTools: false,
    });
    expect(toolNames(model.requests[0]!.tools)).toEqual(['Echo']);
    expect(toolParts(rows[1])).toMatchObject([
      { state: 'done', serverId: 'tinyelf', toolName: 'Echo', result: { content: [{ text: '{"text":"hi"}' }] } },
      { state: 'failed', error: { code: 'unknown-tool' } },
    ]);
    expect(outcomes).toEqual(['complete']);
  });

  it('has the tools of a server in the very next request after it is connected', async () => {
    builtin = [
      tool('connect_mcp', {
        execute: async () => {
          pool.tools = [mcpTool('add')];
          return 'Connected “srv”: 1 tool.';
        },
      }),
    ];
    const { model, rows } = await run(
      [callsTools(['connect_mcp', { name: 'srv' }]), callsTools(['mcp__srv__add', { a: 1 }]), says('2')],
      { tools: ['connect_mcp'] },
    );
    expect(model.requests.map(({ tools }) => toolNames(tools))).toEqual([
      ['connect_mcp'],
      ['connect_mcp', 'mcp__srv__add'],
      ['connect_mcp', 'mcp__srv__add'],
    ]);
    expect(model.requests.map(({ system }) => system?.includes('connected servers: srv'))).toEqual([false, true, true]);
    expect(pool.calls).toEqual([{ name: 'mcp__srv__add', params: { a: 1 } }]);
    expect(toolParts(rows[2])).toMatchObject([{ state: 'done', serverName: 'srv', toolName: 'add' }]);
  });

  it('tells the model where it works, what the workspace says, and what is still to do', async () => {
    writeFileSync(join(workspace, 'AGENTS.md'), 'Use tabs.');
    builtin = [
      tool('TodoWrite', {
        execute: async (_params, context) => {
          context?.onDisplay?.({ kind: 'todo', items: [{ text: 'Write it', status: 'pending' }] });
          rmSync(join(workspace, 'AGENTS.md'));
          return 'Kept.';
        },
      }),
    ];
    const { model } = await run([callsTools(['TodoWrite']), says('ok')], { tools: ['TodoWrite'] });
    const [first, second] = model.requests.map(({ system }) => system);
    expect(first).toMatch(/^You test\./);
    expect(first).toContain(workspace);
    expect(first).toContain('Use tabs.');
    expect(first).not.toContain('Open work');
    expect(second).toContain('- [pending] Write it');
    expect(second).not.toContain('Use tabs.');
  });

  it('runs its own servers for as long as a turn', async () => {
    const log: string[] = [];
    const origin = { serverId: 'direct', serverName: 'memory', toolName: 'read' };
    const openServers = async (servers: readonly AgentServer[]) => {
      log.push(`open ${servers.join()}`);
      return {
        tools: [tool('memory__read', { origin, execute: async () => 'remembered' })],
        close: async () => {
          log.push('close');
          throw new Error('too late');
        },
      };
    };
    const { model, rows } = await run(
      [callsTools(['memory__read']), says('ok')],
      { servers: ['memory'] },
      { openServers },
    );
    expect(toolNames(model.requests[0]!.tools)).toEqual(['Echo', 'memory__read']);
    expect(model.requests[0]!.system).toContain('connected servers: memory.');
    expect(toolParts(rows[1])).toMatchObject([{ state: 'done', serverName: 'memory' }]);
    await run([[new Error('broken')]], { servers: ['memory'] }, { openServers });
    await run([says('ok')], {}, { openServers });
    expect(log).toEqual(['open memory', 'close', 'open memory', 'close']);
    expect(outcomes).toEqual(['complete', 'failed', 'complete']);
  });

  it('says in its timeline which of its servers could not be started, and works without it', async () => {
    const error = { code: 'connect-failed', message: 'The server “memory” did not answer.', details: 'exit code 3' };
    const openServers = async () => ({ tools: [], failed: [{ name: 'memory', error }], close: async () => {} });
    const { rows, model } = await run([callsTools(['Echo']), says('ok')], { servers: ['memory'] }, { openServers });
    expect(toolNames(model.requests[0]!.tools)).toEqual(['Echo']);
    // Once in a turn.
    expect(rows.flatMap(({ parts }) => parts.filter(({ type }) => type === 'notice'))).toEqual([
      {
        type: 'notice',
        notice: 'server-failed',
        values: { servers: 'memory', reason: error.message, details: 'exit code 3' },
      },
    ]);
  });

  it('lets others decide about its calls, who know the tool behind each', async () => {
    const places: TurnPlace[] = [];
    const seen: (string | undefined)[] = [];
    pool.tools = [mcpTool('add')];
    builtin = [tool('Echo', { risk: 'safe' })];
    const approvalsFor = (place: TurnPlace): ApprovalPort => {
      places.push(place);
      return {
        decide: async ({ tool: asked }) => {
          const found = place.toolOf(asked);
          seen.push(found?.risk ?? found?.origin?.toolName);
          return found?.risk === 'safe' ? 'allow-once' : { refused: { code: 'plan', message: 'Not while planning.' } };
        },
      };
    };
    const { rows, model, id } = await run([callsTools(['Echo'], ['mcp__srv__add']), says('ok')], {}, { approvalsFor });
    expect(places).toMatchObject([{ conversationId: id, agent: agentRun(workspace), workspace: { root: workspace } }]);
    expect(seen).toEqual(['safe', 'add']);
    expect(toolParts(rows[1]).map(({ state }) => state)).toEqual(['done', 'denied']);
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({ results: [{}, { text: 'Not while planning.' }] });
    expect(pool.calls).toEqual([]);
  });

  it('tells those who decide of another mode, while the turn runs', async () => {
    const modeChanged = vi.fn();
    const asked = Promise.withResolvers<'allow-once'>();
    const service = app(new ScriptedModel([callsTools(['Echo']), says('ok')]), {
      approvalsFor: () => ({ decide: () => asked.promise, modeChanged }),
    });
    const id = newRun();
    engine.modeChanged(id);
    await begin(service, id);
    await vi.waitFor(() => expect(toolParts(service.liveMessages(id).at(-1))).toHaveLength(1));
    expect(modeChanged).not.toHaveBeenCalled();
    engine.modeChanged(id);
    engine.modeChanged(newRun());
    expect(modeChanged).toHaveBeenCalledOnce();
    asked.resolve('allow-once');
    await ended(service, id);
    engine.modeChanged(id);
    expect(modeChanged).toHaveBeenCalledOnce();
  });

  it('leaves nothing of a turn that was stopped while its servers opened, and doesn’t disturb the next one', async () => {
    const begun = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const close = vi.fn(async () => {});
    const late = vi.fn();
    const modeChanged = vi.fn();
    app(new ScriptedModel([]), {
      openServers: async () => {
        begun.resolve();
        await opened.promise;
        return { tools: [], close };
      },
      approvalsFor: ({ agent }) => ({ ...allowAll, modeChanged: agent.preset.servers.length > 0 ? late : modeChanged }),
    });
    const conversation = store.get(newRun({ servers: ['memory'] }))!;
    const stop = new AbortController();
    const onWaiting = () => {};
    const stopped = engine.open({ conversation, rows: [], signal: stop.signal, onWaiting });
    await begun.promise;
    stop.abort();
    const next = { ...conversation, agent: agentRun(workspace) };
    await engine.open({ conversation: next, rows: [], signal: new AbortController().signal, onWaiting });
    opened.resolve();
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(close).toHaveBeenCalledOnce();
    engine.modeChanged(conversation.id);
    expect(late).not.toHaveBeenCalled();
    expect(modeChanged).toHaveBeenCalledOnce();
  });

  it('asks after its rounds and after its tokens, and goes on with as many again', async () => {
    const forever = (_request: unknown, index: number) => callsTools(['Echo', { text: `${index}` }]);
    const { model, service, id } = await run(forever);
    expect(model.requests).toHaveLength(50);
    const budgeted = await run(forever, { maxRounds: 100, tokenBudget: 1000 });
    expect(budgeted.model.requests).toHaveLength(67);
    expect(partsOf(budgeted.rows.at(-1), 'notice')).toMatchObject([
      { notice: 'token-budget', values: { tokens: 1005 } },
    ]);
    await budgeted.service.proceed(budgeted.id, { model: MODEL });
    await ended(budgeted.service, budgeted.id);
    expect(budgeted.model.requests).toHaveLength(134);
    await service.proceed(id, { model: MODEL });
    await ended(service, id);
    expect(model.requests).toHaveLength(100);
    expect(outcomes).toEqual(['round-limit', 'token-budget', 'token-budget', 'round-limit']);
  });

  it('stops when it goes round in circles', async () => {
    const { model, rows } = await run(() => callsTools(['Echo', { text: 'again' }]));
    expect(outcomes).toEqual(['repeating']);
    expect(model.requests).toHaveLength(3);
    expect(partsOf(rows.at(-1), 'notice')).toMatchObject([{ notice: 'repeating' }]);
  });

  it('says that its workspace is gone, and goes on when it is back', async () => {
    const service = app(new ScriptedModel([says('Done')]));
    const id = newRun();
    rmSync(workspace, { recursive: true });
    await begin(service, id);
    await ended(service, id);
    expect(store.messages(id).at(-1)?.parts).toMatchObject([{ type: 'error', error: { code: 'workspace-missing' } }]);
    mkdirSync(workspace);
    await service.proceed(id, { model: MODEL });
    await ended(service, id);
    expect(outcomes).toEqual(['failed', 'complete']);
  });

  it('reads what is said to it while a tool runs', async () => {
    const running = Promise.withResolvers<string>();
    builtin = [tool('Slow', { execute: () => running.promise })];
    const model = new ScriptedModel([callsTools(['Slow']), says('Both done')]);
    const service = app(model);
    const id = newRun();
    await begin(service, id);
    await vi.waitFor(() => expect(toolParts(service.liveMessages(id).at(-1))[0]?.state).toBe('running'));
    service.say(id, 'And the docs');
    running.resolve('slow result');
    await ended(service, id);
    expect(model.requests[1]!.messages.slice(-2)).toMatchObject([
      { role: 'tool', results: [{ text: 'slow result' }] },
      { role: 'user', text: 'And the docs' },
    ]);
  });

  /** What `kill -9` leaves: the files as they are at this moment. */
  function kill(): void {
    const left = join(temp.folder, `left-${stores.length}`);
    mkdirSync(left);
    for (const suffix of ['', '-wal', '-shm']) cpSync(join(temp.folder, `c.db${suffix}`), join(left, `c.db${suffix}`));
    store = open(join(left, 'c.db'));
  }

  it.each([['while a tool runs'], ['when it was stopped in a tool']])(
    'goes on from what is stored, killed %s',
    async (when) => {
      let begun = 0;
      builtin = [
        tool('Echo'),
        tool('Slow', {
          execute: () => {
            begun++;
            return new Promise(() => {});
          },
        }),
      ];
      const before = app(
        new ScriptedModel([callsTools(['Echo', { text: 'kept' }]), callsTools(['Slow'], ['Echo', { n: 2 }])]),
      );
      const id = newRun();
      await begin(before, id);
      const states = (messages: ReturnType<typeof store.messages>) =>
        toolParts(messages.at(-1)).map(({ state }) => state);
      await vi.waitFor(() => expect(states(store.messages(id))).toEqual(['running', 'done']), { timeout: 20_000 });
      if (when !== 'while a tool runs') await before.stop(id);
      kill();

      const model = new ScriptedModel([callsTools(['Echo', { text: 'again' }]), says('All done')]);
      const after = app(model);
      after.recoverInterrupted();
      expect(states(store.messages(id))).toEqual(['cancelled', 'done']);
      expect(store.messages(id).at(-1)).toMatchObject({
        status: when === 'while a tool runs' ? 'interrupted' : 'stopped',
      });
      expect(store.get(id)?.agent).toEqual(agentRun(workspace));
      await after.proceed(id, { model: MODEL });
      await ended(after, id);

      // Nothing that has run is run again by itself, and the model knows what became of it.
      expect(begun).toBe(1);
      const [request] = model.requests;
      expect(request!.system).toContain(workspace);
      expect(request!.messages).toMatchObject([
        { role: 'user', text: 'Test it' },
        { role: 'assistant' },
        { role: 'tool', results: [{ text: '{"text":"kept"}' }] },
        { role: 'assistant' },
        {
          role: 'tool',
          results: [{ isError: true, text: expect.stringContaining('may have had an effect') }, { text: '{"n":2}' }],
        },
      ]);
      expect(
        store
          .messages(id)
          .map(({ status }) => status)
          .slice(-2),
      ).toEqual(['complete', 'complete']);
      expect(partsOf(store.messages(id).at(-1), 'text')).toMatchObject([{ text: 'All done' }]);
      expect(outcomes.at(-1)).toBe('complete');
    },
  );
});
