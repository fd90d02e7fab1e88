import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentPreset } from '@shared/contracts/agent-types.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appPaths } from '../platform/paths.ts';
import { agentRun } from '../services/agent-core/__fixtures__/runs.ts';
import { FileChanges } from '../services/agent-core/engine/tinyelf/changes/FileChanges.ts';
import {
  makePool,
  memoryStore,
  oddServer,
  silentLogger,
} from '../services/capabilities/tools/mcp-users/__fixtures__/pool.ts';
import { type BuiltinPlaces, builtinConfig } from '../services/capabilities/tools/mcp-users/builtin/builtin-config.ts';
import { openStore, temporaryFolder } from '../services/conversations/test-support.ts';
import type { TurnSetup } from '../services/ports/engine.ts';
import type { ToolSet } from '../services/ports/tools.ts';
import { Approvals } from '../services/turn/approval.ts';
import { createAgent } from './agent.ts';

const PRESETS = fileURLToPath(new URL('../../../../../resources/presets', import.meta.url));
const BUILTIN = 'Read Write Edit ListDir Glob Grep Bash WebFetch TodoWrite Notify connect_mcp'.split(' ');
const SAFE = ['Read', 'ListDir', 'Glob', 'Grep', 'WebFetch', 'TodoWrite', 'Notify'];
const signal = new AbortController().signal;
const namesOf = ({ tools }: ToolSet) => (tools as { function: { name: string } }[]).map((one) => one.function.name);

/** The agent as the app puts it together, with real servers. */
function makeAgent(more: Partial<BuiltinPlaces> = {}) {
  const temp = temporaryFolder();
  const events = { emit: () => {} };
  const { store } = openStore(join(temp.folder, 'c.db'));
  const paths = appPaths(join(temp.folder, 'data'));
  mkdirSync(paths.data);
  const places: BuiltinPlaces = {
    runtime: process.execPath,
    scriptOf: (packageName) => createRequire(import.meta.url).resolve(`${packageName}/dist/index.js`),
    sampleFolder: temp.folder,
    dataFolder: paths.data,
    memoryFile: paths.memory,
    ...more,
  };
  const { service: mcp, processes } = makePool({
    resolveBuiltin: (name, chosen) => builtinConfig(name, chosen, places),
  });
  const agent = createAgent({
    platform: { paths, logger: silentLogger, openDocument: () => memoryStore(), processes },
    conversations: store,
    mcp,
    approvals: new Approvals({ store: memoryStore(), serverIdentity: () => 'same', logger: silentLogger }),
    changes: new FileChanges({ folder: paths.agentChanges, events, logger: silentLogger }),
    results: { keep: () => undefined, find: () => undefined, remove: () => {} },
    events,
    post: () => {},
    messages: { chatInSession: async () => {}, say: () => {}, liveMessages: () => [] },
    openModel: () => {
      throw new Error('No model is asked.');
    },
    places,
    clientInfo: { name: 'tinyelf-test', version: '0' },
    notify: () => true,
    presetsFolder: PRESETS,
  });
  const turns: TurnSetup[] = [];
  onTestFinished(async () => {
    for (const turn of turns) await turn.dispose?.();
    store.close();
    temp[Symbol.dispose]();
  });
  const presetOf = (name: string) => agent.service.presets().find((preset) => preset.name === name)!;
  /** Begins a turn of a run with a preset. */
  async function open(preset: AgentPreset) {
    const { id } = store.create({ model: null, agent: { ...agentRun(temp.folder), preset } });
    const conversation = store.get(id)!;
    const turn = await agent.engine.open({ conversation, rows: [], signal, onWaiting: () => {} });
    turns.push(turn);
    return { turn, request: () => turn.tools.prepare('openai', signal) };
  }
  /** Adds a server to the pool, and waits until it is connected. */
  async function connected(name: string, ...behaviours: string[]): Promise<string> {
    const { id } = await mcp.add({ name, type: 'stdio', config: oddServer(...behaviours) });
    await mcp.connect(id);
    return id;
  }
  /** A call as the turn makes it. */
  async function call(turn: TurnSetup, name: string, args: Record<string, unknown> = {}): Promise<string> {
    const tool = (await turn.tools.prepare('openai', signal)).find(name)!;
    const response = await turn.tools.call(tool, args, 'k', { signal, onProgress: () => {} });
    return turn.tools.resultForModel(response).text;
  }
  return { agent, mcp, paths, connected, presetOf, open, call };
}

describe('the built-in tools', () => {
  it('are these, and those that are safe run without asking', async () => {
    const tools = await makeAgent().agent.service.tools();
    expect(tools.map(({ name }) => name)).toEqual(BUILTIN);
    expect(tools.filter(({ changes }) => !changes).map(({ name }) => name)).toEqual(SAFE);
  });
});

describe('a preset that comes with the app', () => {
  it.each(['Assistant', 'Coder', 'Researcher'])('%s: its tools exist, and a request has them all', async (name) => {
    const { presetOf, open } = makeAgent();
    const preset = presetOf(name);
    expect(BUILTIN).toEqual(expect.arrayContaining(preset.tools));
    const { turn, request } = await open(preset);
    const set = await request();
    const builtin = namesOf(set).filter((tool) => set.find(tool)?.serverId === 'tinyelf');
    expect(builtin).toEqual(BUILTIN.filter((tool) => preset.tools.includes(tool)));
    expect(turn.systemPrompt(set)?.startsWith(`${preset.systemPrompt}\n\n`)).toBe(true);
    expect(turn.maxRounds).toBe(50);
    expect(turn.tokenBudget).toBe(2_000_000);
  });

  it('Assistant and Coder have the tools of the person’s servers, Researcher has not', async () => {
    const { connected, presetOf, open } = makeAgent();
    await connected('odd');
    const has = async (name: string) =>
      namesOf(await (await open(presetOf(name))).request()).includes('mcp__odd__echo');
    expect([await has('Assistant'), await has('Coder'), await has('Researcher')]).toEqual([true, true, false]);
  });

  it('Researcher: fetch, files and memory, the last a server of its own that lives as long as the turn', async () => {
    const { paths, presetOf, open, call } = makeAgent();
    const { turn, request } = await open(presetOf('Researcher'));
    const set = await request();
    expect(namesOf(set)).toEqual(expect.arrayContaining(['WebFetch', 'Read', 'Grep', 'memory__create_entities']));
    expect(turn.systemPrompt(set)).toContain('connected servers: memory.');
    const fox = { name: 'fox', entityType: 'animal', observations: ['red'] };
    await call(turn, 'memory__create_entities', { entities: [fox] });
    expect(readFileSync(paths.memory, 'utf8')).toContain('"fox"');
    await turn.dispose?.();
    await expect(call(turn, 'memory__read_graph')).rejects.toMatchObject({ code: 'call-lost' });
    // What it learned is there in later runs.
    const later = await open(presetOf('Researcher'));
    expect(await call(later.turn, 'memory__read_graph')).toContain('"fox"');
  });

  it('Researcher works without its server where that can’t be started, and its requests say why', async () => {
    const { presetOf, open } = makeAgent({ runtime: '/nowhere/node' });
    const { turn, request } = await open(presetOf('Researcher'));
    const set = await request();
    expect(set.failedServers).toMatchObject([
      { name: 'memory', error: { code: 'connect-failed', message: expect.stringContaining('/nowhere/node') } },
    ]);
    expect(namesOf(set)).toContain('Read');
    expect(turn.systemPrompt(set)).not.toContain('connected servers');
  });

  it('Researcher: what calls, runs and chats remember at the same time is all there', async () => {
    const { mcp, paths, presetOf, open, call } = makeAgent();
    const { id } = await mcp.addChosenBuiltin({ builtin: 'memory', isSingle: true });
    const turns = [await open(presetOf('Researcher')), await open(presetOf('Researcher'))];
    const names = Array.from({ length: 30 }, (_, index) => `fact ${index}`);
    const remember = (name: string, index: number): Promise<unknown> => {
      const args = { entities: [{ name, entityType: 'fact', observations: [] }] };
      const { turn } = turns[index % 3] ?? {};
      return turn ? call(turn, 'memory__create_entities', args) : mcp.callTool(id, 'create_entities', args, name);
    };
    await Promise.all(names.map(remember));
    const kept = readFileSync(paths.memory, 'utf8')
      .split('\n')
      .map((line) => JSON.parse(line).name);
    expect(kept.sort()).toEqual(names.sort());
  });

  it('is copied and edited: the copy is another preset, the original stays', async () => {
    const { agent, presetOf, open } = makeAgent();
    const { id: _id, shipped: _shipped, ...values } = presetOf('Coder');
    const copy = agent.service.savePreset({
      ...values,
      name: 'My coder',
      tools: ['Read'],
      mcpTools: false,
      maxRounds: 7,
    });
    const { turn, request } = await open(copy);
    expect(namesOf(await request())).toEqual(['Read']);
    expect(turn.maxRounds).toBe(7);
    expect(new Set(agent.service.presets().map(({ id }) => id)).size).toBe(4);
    expect(presetOf('Coder')).toMatchObject({ ...values, shipped: true });
  });
});

/** What the specification says of MCP in the harness, with real servers. */
describe('MCP in the harness', () => {
  it('connect_mcp connects by name, and the next request of the same run has the tools, both servers’ at once', async () => {
    const { mcp, presetOf, open, call } = makeAgent();
    for (const name of ['docs', 'deploy'])
      await mcp.add({ name, type: 'stdio', config: oddServer() }, { enabled: false });
    const { turn, request } = await open(presetOf('Assistant'));
    const before = await request();
    expect(namesOf(before).filter((name) => name.startsWith('mcp__'))).toEqual([]);
    expect(turn.systemPrompt(before)).not.toContain('connected servers');

    expect(await call(turn, 'connect_mcp', { name: 'docs' })).toMatch(/^Connected “docs”: \d+ tools\.\n- mcp__docs__/);
    const docs = await request();
    expect(namesOf(docs)).toContain('mcp__docs__echo');
    expect(turn.systemPrompt(docs)).toContain('connected servers: docs.');

    expect(await call(turn, 'connect_mcp', { name: 'deploy' })).toMatch(/^Connected “deploy”/);
    const both = await request();
    expect(namesOf(both)).toEqual(expect.arrayContaining(['mcp__docs__echo', 'mcp__deploy__echo']));
    expect(turn.systemPrompt(both)).toContain('connected servers: docs, deploy.');
    for (const server of ['docs', 'deploy']) {
      expect(await call(turn, `mcp__${server}__echo`, { text: server })).toBe(server);
    }
    expect(await call(turn, 'connect_mcp', { name: 'docs' })).toMatch(/^“docs” is already connected/);
    expect(await call(turn, 'connect_mcp', { name: 'jira' })).toMatch(/These can be connected:\n- docs\n- deploy$/);
  });

  it('names are mcp__{server}__{tool}, every other character replaced, and two servers’ are never the same', async () => {
    const { connected, presetOf, open, call } = makeAgent();
    for (const name of ['docs', 'my docs', 'my.docs']) await connected(name);
    const { turn, request } = await open(presetOf('Assistant'));
    const echoes = namesOf(await request()).filter((name) => /__echo(_|$)/.test(name));
    const replaced = expect.stringMatching(/^mcp__my_docs__echo_[\da-f]{8}$/);
    expect(echoes).toEqual(['mcp__docs__echo', replaced, replaced]);
    expect(new Set(echoes).size).toBe(3);
    for (const name of echoes) expect(await call(turn, name, { text: name })).toBe(name);
  });

  it('descriptions say (readOnly) or (destructive) where the server does', async () => {
    const { connected, presetOf, open } = makeAgent();
    await connected('docs', 'bad-tools');
    const set = await (await open(presetOf('Assistant'))).request();
    const descriptions = (set.tools as { function: { description: string } }[]).map((one) => one.function.description);
    expect(descriptions).toContain('(destructive)');
    expect(descriptions).toContain('The tool good_4 (readOnly)');
  });

  it('a server that is gone is gone from the next request', async () => {
    const { mcp, connected, presetOf, open } = makeAgent();
    const id = await connected('docs');
    const { turn, request } = await open(presetOf('Assistant'));
    expect(namesOf(await request())).toContain('mcp__docs__echo');
    await mcp.setEnabled(id, false);
    const after = await request();
    expect(namesOf(after)).not.toContain('mcp__docs__echo');
    expect(turn.systemPrompt(after)).not.toContain('connected servers');
  });
});
