import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { Message, ModelRef } from '@shared/contracts/message-types.ts';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import {
  FORMATS,
  MODELS,
  type ModelServer,
  type ModelServerFormat,
  type ModelStep,
  startModelServer,
  TEST_KEY,
} from '../../../../../../e2e/fixtures/model-servers/index.ts';
import { openStore, temporaryFolder } from '../conversations/test-support.ts';
import type { DocumentStore } from '../ports/infrastructure.ts';
import type { ModelPort } from '../ports/model.ts';
import type { McpPool } from '../ports/tools.ts';
import { createModelPort } from '../providers/index.ts';
import { Approvals } from '../turn/approval.ts';
import { CompletionService } from './CompletionService.ts';
import { ChatEngine } from './chat-engine.ts';

/**
 * Whole chats through the real SDKs, against model servers that answer 400 where the real APIs do: what a turn stores, mends
 * and sends back must please them.
 */
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const inMemory = (): DocumentStore => ({ read: () => undefined, write: () => {} });

const TOOL: MCPTool = {
  id: 'mcp__files__find',
  serverId: 's1',
  serverName: 'files',
  name: 'find',
  description: 'Finds files',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string' }, map: { type: 'object' } },
    required: ['query'],
  },
};
const calls = (query: string): ModelStep => ({ toolCall: { name: TOOL.id, args: { query } } });

const pool: McpPool = {
  listServerTools: async () => [TOOL],
  listAllActiveServerTools: async () => [TOOL],
  offeredTool: () => TOOL,
  lateServers: () => [],
  callTool: async (_serverId, _name, { query }, _callId, options) => {
    if (query === 'forever') {
      await new Promise((_resolve, reject) =>
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason)),
      );
    }
    return { isError: query === 'missing', content: [{ type: 'text', text: `found ${query}` }] };
  },
  cancelCall: () => true,
};

const folder = temporaryFolder();
const { store } = openStore(`${folder.folder}/chats.db`);
let cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  cleanUps = [];
});
afterAll(() => {
  store.close();
  folder[Symbol.dispose]();
});

/** One conversation, with a server of each format behind it. Calls are allowed as they are asked for. */
async function startChat(scripts: Partial<Record<ModelServerFormat, ModelStep[][]>>) {
  const servers = new Map<string, ModelServer>();
  const ports = new Map<string, ModelPort>();
  for (const format of Object.keys(scripts) as ModelServerFormat[]) {
    const server = await startModelServer(format, scripts[format] ?? []);
    cleanUps.push(server.close);
    servers.set(format, server);
    ports.set(format, createModelPort(format, { providerId: format, baseUrl: server.url, apiKey: TEST_KEY, fetch }));
  }
  const approvals = new Approvals({ store: inMemory(), serverIdentity: () => 'files', logger });
  const service = new CompletionService({
    engineOf: () => new ChatEngine({ mcpService: pool, approvals, clock: Date, logger }),
    store,
    approvals,
    openModel: ({ providerId }) => ports.get(providerId)!,
    events: { emit: () => {} },
    clock: Date,
    logger,
  });
  cleanUps.push(() => service.shutdown());
  const conversationId = store.create({ model: null }).id;
  const last = (): Message => service.liveMessages(conversationId).at(-1)!;
  return {
    service,
    conversationId,
    last,
    waitFor: (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 20 }),
    async start(format: ModelServerFormat, text: string) {
      const model: ModelRef = { providerId: format, modelId: MODELS[format] };
      await service.chatInSession(conversationId, { text, model });
    },
    /** Says something and waits for the end of the turn; the text of the last answer. */
    async say(format: ModelServerFormat, text: string): Promise<string> {
      await this.start(format, text);
      await this.waitFor(() => {
        for (const { callId } of approvals.pending(conversationId))
          service.approve(conversationId, callId, 'allow-for-chat');
        expect(service.isRunning(conversationId)).toBe(false);
      });
      expect(refusals()).toEqual([]);
      return store
        .messages(conversationId)
        .at(-1)!
        .parts.map((part) => (part.type === 'text' ? part.text : ''))
        .join('');
    },
  };

  function refusals(): (string | undefined)[] {
    return [...servers.values()].flatMap(({ journal }) => journal.flatMap(({ refusal }) => (refusal ? [refusal] : [])));
  }
}

describe.each(FORMATS)('%s', (format) => {
  it('several rounds of tools with reasoning, and a next turn', async () => {
    const chat = await startChat({
      [format]: [
        [{ reasoning: 'I look twice.' }, { text: 'Looking. ' }, calls('a'), calls('missing')],
        [{ reasoning: 'Once more.' }, calls('b')],
        [{ text: 'Here it is.' }],
        [{ text: 'Bye.' }],
      ],
    });
    expect(await chat.say(format, 'find it')).toBe('Here it is.');
    expect(await chat.say(format, 'thanks')).toBe('Bye.');
  });

  it.each(['the answer', 'the reasoning', 'a call that is being written', 'a call that runs'])(
    'goes on after a stop in the middle of %s',
    async (what) => {
      const pause: ModelStep = { delay: 60_000 };
      const first: Record<string, ModelStep[]> = {
        'the answer': [{ reasoning: 'Hm.' }, { text: 'I will tell you ' }, pause],
        'the reasoning': [{ reasoning: 'I wonder whether', unsigned: true }, pause],
        'a call that is being written': [{ reasoning: 'Hm.' }, { text: 'So. ' }, calls('a'), pause],
        'a call that runs': [{ reasoning: 'Hm.' }, calls('a'), calls('forever')],
      };
      const chat = await startChat({ [format]: [first[what] ?? [], [{ text: 'As you like.' }], [{ text: 'Bye.' }]] });
      await chat.start(format, 'find it');
      const { service, conversationId } = chat;
      await chat.waitFor(() => expect(chat.last().role === 'assistant' && chat.last().parts.length > 0).toBe(true));
      if (what === 'a call that runs') {
        await chat.waitFor(() => expect(chat.last().parts.filter((part) => part.type === 'tool')).toHaveLength(2));
      }
      await service.stop(conversationId);
      expect(await chat.say(format, 'leave it')).toBe('As you like.');
      expect(await chat.say(format, 'thanks')).toBe('Bye.');
    },
  );

  it('goes on after a stream that broke off and one that failed', async () => {
    const chat = await startChat({
      [format]: [
        [{ reasoning: 'Hm.' }, { text: 'Half' }, calls('a'), { cut: true }],
        [{ text: 'Half again' }, { error: { status: 503, message: 'overloaded' } }],
        [{ text: 'Whole.' }],
      ],
    });
    await chat.say(format, 'find it');
    await chat.say(format, 'again');
    expect(await chat.say(format, 'and now')).toBe('Whole.');
  });

  it('sums the older part up when the request is too long, in the middle of a turn, and goes on', async () => {
    const tooLong: ModelStep = { error: { status: 400, message: 'prompt is too long: 9 tokens > 8 maximum' } };
    const round = (query: string): ModelStep[] => [{ reasoning: 'Hm.' }, calls(query), calls('missing')];
    const chat = await startChat({
      [format]: [
        ...[...'abcdefghij'].map(round),
        [tooLong],
        [{ text: 'Notes: a to j were found.' }],
        round('k'),
        [{ text: 'All found.' }],
        [{ text: 'Bye.' }],
      ],
    });
    expect(await chat.say(format, 'find them')).toBe('All found.');
    expect(await chat.say(format, 'thanks')).toBe('Bye.');
    const summaries = store
      .messages(chat.conversationId)
      .flatMap(({ parts }) => parts.filter((p) => p.type === 'summary'));
    expect(summaries).toMatchObject([{ text: 'Notes: a to j were found.' }]);
  });

  it('goes on, here and elsewhere, after calls of tools that there are not, under ids that are odd', async () => {
    const call = (name: string, id: string, args: unknown = { query: 'a' }): ModelStep => ({
      toolCall: { name, id, args },
    });
    const odd: ModelStep[][] = [
      [
        call('', 'c0'),
        call('functions.find', 'functions.find:0'),
        call('天気', 'x'.repeat(200)),
        call(TOOL.id, 'c1', [1]),
      ],
      [call(TOOL.id, 'c1'), call('x'.repeat(200), 'c0'), call('__proto__', ''), call(TOOL.id, 'c2', {})],
      [{ text: 'Found.' }],
      [{ text: 'Bye.' }],
    ];
    const others = FORMATS.filter((other) => other !== format);
    const chat = await startChat({
      [format]: odd,
      ...Object.fromEntries(others.map((other) => [other, [[{ text: 'Here too.' }]]])),
    });
    expect(await chat.say(format, 'find it')).toBe('Found.');
    for (const other of others) expect(await chat.say(other, 'and you')).toBe('Here too.');
    expect(await chat.say(format, 'thanks')).toBe('Bye.');
    const parts = store
      .messages(chat.conversationId)
      .flatMap((row) => row.parts.filter((part) => part.type === 'tool'));
    expect(parts.map(({ state }) => state)).toEqual([...Array(4).fill('failed'), 'done', 'failed', 'failed', 'done']);
    expect(new Set(parts.map(({ callId }) => callId)).size).toBe(parts.length);
  });

  it('goes on with a chat that models of other providers began, and they with it', async () => {
    const others = FORMATS.filter((other) => other !== format);
    const script: ModelStep[][] = [
      [{ reasoning: 'Hm.' }, calls('a'), calls('b')],
      [{ text: 'Found.' }],
      [{ text: 'Bye.' }],
    ];
    const chat = await startChat({
      [format]: [...script, ...script],
      ...Object.fromEntries(others.map((o) => [o, script])),
    });
    expect(await chat.say(format, 'find it')).toBe('Found.');
    for (const other of others) expect(await chat.say(other, 'now you')).toBe('Found.');
    expect(await chat.say(format, 'thanks')).toBe('Bye.');
  });
});
