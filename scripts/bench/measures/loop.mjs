import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { importFromApp } from '../lib/app-modules.mjs';
import { cpuSince, threadCpu } from '../lib/thread-cpu.mjs';
import { pick, runWorker } from '../lib/workers.mjs';
import { generatedTools } from '../server/tools.mjs';

setFlagsFromString('--expose-gc');
/** So that what was thrown away before a turn isn't counted as the turn's. */
const collectGarbage = runInNewContext('gc');

const TOOLS = 300;
const SIZES = [200, 1000, 5000];
/** Each of a turn, so that what only its first round has to do counts for a tenth. */
const ROUNDS_OF_TURN = 10;
const TURNS = 5;
/** For the compiler: an app in which there is such a conversation has run many turns. */
const WARM_UP = 5;
const FORMAT = 'openai';
const MODEL = { providerId: 'bench', modelId: 'm' };

/** What a turn runs with: gives a `TurnSetup` for a conversation, with the engine's own tools, prompt and approvals. */
const PORTS = { chat: chatSetup, agent: agentSetup };

export const bars = Object.fromEntries(
  Object.keys(PORTS).flatMap((name) => [
    ...SIZES.map((size) => [
      `${name} ${size}`,
      {
        title: `The loop’s own CPU per round, ${name}, ${TOOLS} tools, ${size.toLocaleString('en-GB')} messages`,
        unit: 'ms',
        ...(size === 1000 && { limit: 5 }),
      },
    ]),
    [`${name} first`, { title: `of these with 1,000, the first round of a turn`, unit: 'ms' }],
    [`${name} growth`, { title: `5,000 messages take as many times as long as 1,000`, unit: '×', limit: 5.5 }],
  ]),
);

export async function measure({ rounds }) {
  const answers = [];
  for (let round = 0; round < rounds; round++) {
    const answer = {};
    for (const name of Object.keys(PORTS)) Object.assign(answer, await runWorker('loop', undefined, { name }));
    answers.push(answer);
  }
  return Object.fromEntries(Object.keys(bars).map((key) => [key, { app: pick(answers, key) }]));
}

/** Whole turns on a model that answers at once: assembly of tools, history, repair, one call, storage, events. */
export async function inWorker({ name }) {
  const { openStore, runTurnOver } = await loadApp();
  const folder = mkdtempSync(join(tmpdir(), 'tinyelf-bench-'));
  const store = openStore(join(folder, 'chats.db'));
  const result = {};
  try {
    const setupFor = await PORTS[name](folder);
    for (const size of SIZES) {
      const times = await timesOf(store, size, setupFor, runTurnOver);
      result[`${name} ${size}`] = times.all;
      if (size === 1000) result[`${name} first`] = times.first;
    }
    result[`${name} growth`] = result[`${name} 5000`] / result[`${name} 1000`];
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return result;
}

/** CPU milliseconds per round: of all, and of the first of a turn. */
async function timesOf(store, size, setupFor, runTurnOver) {
  const { id: conversationId } = store.create({ model: null });
  const stored = conversation(conversationId, size);
  // Not waited for by the disk, which isn't measured.
  for (const row of stored) store.putMessage({ ...row, status: 'streaming' });
  let all = 0;
  let first = 0;
  for (let turn = 0; turn < WARM_UP + TURNS; turn++) {
    // As a turn gets them: read anew, so that nothing is known of them.
    const rows = structuredClone(stored);
    const asked = [];
    collectGarbage();
    const model = benchModel(asked);
    const before = threadCpu();
    const setup = await setupFor(conversationId, rows);
    const { outcome } = await runTurnOver({ store, conversationId, rows, model, setup });
    const spent = cpuSince(before) / 1000;
    if (outcome !== 'complete' || asked.length !== ROUNDS_OF_TURN) throw new Error(`${outcome} after ${asked.length}`);
    if (asked.some(({ tools, messages }) => tools !== TOOLS || messages < size))
      throw new Error('A request lacks something');
    if (turn < WARM_UP) continue;
    all += spent / ROUNDS_OF_TURN / TURNS;
    first += asked[0].cpu(before) / TURNS;
  }
  return { all, first };
}

/** Calls a tool in every round but the last, and writes down what it was asked with. */
function benchModel(asked) {
  return {
    providerId: MODEL.providerId,
    toolFormat: FORMAT,
    contextWindow: 10_000_000,
    async *stream({ tools, messages }) {
      const now = threadCpu();
      asked.push({
        tools: tools.length,
        messages: messages.length,
        cpu: (before) => (now.user + now.system - before.user - before.system) / 1000,
      });
      const usage = { type: 'usage', usage: { inputTokens: 100_000, outputTokens: 10 } };
      if (asked.length === ROUNDS_OF_TURN) {
        yield { type: 'text-delta', text: 'Done.' };
        yield usage;
        yield { type: 'finish', reason: 'stop' };
        return;
      }
      // From the end: those of servers, behind the agent's own.
      const call = { callId: `call_${asked.length}`, name: tools.at(-asked.length).function.name };
      yield { type: 'tool-call-start', ...call };
      yield { type: 'tool-call-end', ...call, argsText: `{"round": ${asked.length}}` };
      yield usage;
      yield { type: 'finish', reason: 'tool-calls' };
    },
  };
}

/** `size` rows: a question, three answers that call tools with results of some 2 kB, and so on. */
function conversation(conversationId, size) {
  return Array.from({ length: size }, (_, index) => {
    const row = {
      id: `${conversationId}-${index}`,
      conversationId,
      parentId: null,
      status: 'complete',
      createdAt: index,
    };
    if (index % 4 === 0)
      return { ...row, role: 'user', parts: [{ type: 'text', text: `Question ${index}. ${WORDS}` }] };
    const part = {
      type: 'tool',
      callId: `c${index}`,
      wireName: 'mcp__bench__list_item_0',
      serverId: 'bench',
      toolName: 'list_item_0',
      args: { query: `part ${index}`, limit: 20, options: { order: 'name', deep: true } },
      state: 'done',
      result: { isError: false, content: [{ type: 'text', text: `${index}: ${WORDS.repeat(10)}` }] },
    };
    const parts = [{ type: 'text', text: `I look at ${index}.` }, part];
    return { ...row, role: 'assistant', model: MODEL, usage: { inputTokens: 1000, outputTokens: 50 }, parts };
  });
}

const WORDS =
  'the quick brown fox jumps over the lazy dog, and reports {"items": [1, 2, 3], "next": null} to whoever asked. '.repeat(
    2,
  );

async function loadApp() {
  const { SqliteConversationStore } = await importFromApp('main/services/conversations/SqliteConversationStore.ts');
  const { runTurn } = await importFromApp('main/services/turn/run-turn.ts');
  const { TurnRecorder } = await importFromApp('main/services/completion/turn-recorder.ts');
  const refuse = () => {
    throw new Error('The database was refused');
  };
  let made = 0;
  return {
    openStore: (file) =>
      new SqliteConversationStore({ file, clock: Date, logger, setAside: refuse, onSetAside: refuse }),
    runTurnOver: async ({ store, conversationId, rows, model, setup }) => {
      const recorder = new TurnRecorder(conversationId, { store, events: { emit: () => {} }, logger });
      const turn = runTurn({
        ...setup,
        conversationId,
        rows,
        nextRow: () => ({
          id: `new-${made++}`,
          conversationId,
          parentId: rows.at(-1)?.id ?? null,
          role: 'assistant',
          parts: [],
          status: 'streaming',
          model: MODEL,
          createdAt: 0,
        }),
        model,
        modelId: MODEL.modelId,
        sink: recorder,
        signal: new AbortController().signal,
        clock: Date,
      });
      return turn.finally(() => recorder.end());
    },
  };
}

/** A pool with so many tools. */
function poolOf(count) {
  const tools = generatedTools(count).map((tool, index) => ({
    ...tool,
    id: `mcp__bench__${tool.name}_${index}`,
    serverId: 'bench',
    serverName: 'bench',
  }));
  return {
    listServerTools: async () => tools,
    listAllActiveServerTools: async () => tools,
    lateServers: () => [],
    callTool: async () => ({ isError: false, content: [{ type: 'text', text: WORDS }] }),
    cancelCall: () => false,
  };
}

async function chatSetup() {
  const { ChatEngine } = await importFromApp('main/services/completion/chat-engine.ts');
  const approvals = { decide: async () => 'allow-once' };
  const engine = new ChatEngine({ mcpService: poolOf(TOOLS), approvals, clock: Date, logger });
  return (id) => engine.open({ conversation: { id }, onWaiting: () => {} });
}

/** The agent in a folder, with tools of its own and of servers, and with the three layers that decide about calls. */
async function agentSetup(folder) {
  const tinyelf = 'main/services/agent-core/engine/tinyelf';
  const { TinyElfEngine } = await importFromApp(`${tinyelf}/TinyElfEngine.ts`);
  const { TinyElfToolRegistryBuilder } = await importFromApp(`${tinyelf}/TinyElfToolRegistryBuilder.ts`);
  const { createTodoTool } = await importFromApp(`${tinyelf}/tools/todo.ts`);
  const { createNotifyTool } = await importFromApp(`${tinyelf}/tools/notify.ts`);
  const { createSafety } = await importFromApp(`${tinyelf}/safety/createSafety.ts`);
  const own = [createTodoTool(), createNotifyTool({ notify: () => true })];
  const pool = poolOf(TOOLS - own.length);
  const refuse = () => {
    throw new Error('Nobody is to be asked');
  };
  const engine = new TinyElfEngine({
    builder: new TinyElfToolRegistryBuilder([() => own]),
    mcpService: pool,
    openServers: refuse,
    approvalsFor: ({ workspace, toolOf }) =>
      createSafety({
        workspace,
        appFolders: [],
        allowedHosts: new Set(),
        toolOf,
        mode: () => 'bypass',
        approvals: { decide: refuse, answer: refuse, policyOf: () => ({ policy: 'ask', allowedBefore: false }) },
        guardian: { mode: 'off', openModel: refuse },
      }),
    clock: Date,
    logger,
  });
  const preset = {
    systemPrompt: WORDS,
    tools: own.map((tool) => tool.name),
    mcpTools: true,
    servers: [],
    maxRounds: 50,
    tokenBudget: null,
  };
  return (id, rows) =>
    engine.open({
      conversation: { id, agent: { preset, workspace: folder, goal: 'Measure', mode: 'bypass' } },
      rows,
      signal: new AbortController().signal,
      onWaiting: () => {},
    });
}

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
