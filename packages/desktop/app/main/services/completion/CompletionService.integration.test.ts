import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProcessManager } from '../../platform/process/index.ts';
import { McpService } from '../capabilities/tools/mcp-users/McpService.ts';
import { openStore, temporaryFolder } from '../conversations/test-support.ts';
import type { DocumentStore, SecretBox } from '../ports/infrastructure.ts';
import { callsTools, type Script, ScriptedModel, says, toolParts } from '../turn/__fixtures__/scripted.ts';
import { Approvals } from '../turn/approval.ts';
import { CompletionService } from './CompletionService.ts';
import { ChatEngine } from './chat-engine.ts';

const MODEL = { providerId: 'scripted', modelId: 'm' };
const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const logger = { debug() {}, info() {}, warn() {}, error() {} };

function inMemory(): DocumentStore {
  let document: unknown;
  return {
    read: () => document,
    write: (value) => {
      document = structuredClone(value);
    },
  };
}
const plainSecrets: SecretBox = { seal: async (plain) => plain, open: async (sealed) => sealed };

/** Chats over the real pool with a real server, which writes down every line that it is sent. */
describe('CompletionService with a real MCP server', () => {
  const folder = temporaryFolder();
  const heard = join(folder.folder, 'heard.jsonl');
  const { store } = openStore(join(folder.folder, 'chats.db'));
  const processes = new ProcessManager();
  const mcp = new McpService({
    store: inMemory(),
    secrets: plainSecrets,
    processes,
    fetch,
    logger,
    clientInfo: { name: 'test', version: '1' },
  });
  const approvals = new Approvals({ store: inMemory(), serverIdentity: () => 'everything', logger });
  let model: ScriptedModel;
  let service: CompletionService;
  let conversationId: string;

  const messagesHeard = (): { id?: number; method?: string; params?: { name?: string; requestId?: number } }[] =>
    readFileSync(heard, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line));
  const chat = (scripts: Script[]) => {
    model = new ScriptedModel(scripts);
    return service.chatInSession(conversationId, { text: 'go', model: MODEL });
  };
  const approve = async (callId: string, decision: 'allow-once' | 'allow-for-chat' | 'deny') => {
    await vi.waitFor(
      () => expect(approvals.pending(conversationId).map((pending) => pending.callId)).toContain(callId),
      { timeout: 20_000 },
    );
    service.approve(conversationId, callId, decision);
  };
  const ended = () =>
    vi.waitFor(() => expect(service.isRunning(conversationId)).toBe(false), { timeout: 20_000, interval: 20 });

  beforeAll(async () => {
    await mcp.add({
      name: 'everything',
      type: 'stdio',
      config: {
        command: 'sh',
        args: ['-c', 'tee "$1" | "$2" "$3" stdio', 'sh', heard, process.execPath, everything],
        cwd: folder.folder,
      },
    });
    // A cold start may take longer than the five seconds that a request waits.
    await mcp.listServerTools(mcp.listServers()[0]!.server.id);
  });
  beforeEach(() => {
    conversationId = store.create({ model: null }).id;
    service = new CompletionService({
      engineOf: () => new ChatEngine({ mcpService: mcp, approvals, clock: Date, logger }),
      store,
      approvals,
      openModel: () => model,
      events: { emit: () => {} },
      clock: Date,
      logger,
    });
  });
  afterEach(() => service.shutdown());
  afterAll(async () => {
    await mcp.closeAll();
    await processes.stopAll();
    store.close();
    folder[Symbol.dispose]();
  });

  it('calls tools side by side, one allowed and one denied', async () => {
    await chat([
      callsTools(['mcp__everything__get-sum', { a: 2, b: 40 }], ['mcp__everything__echo', { message: 'never sent' }]),
      says('42'),
    ]);
    await approve('call_1', 'deny');
    await approve('call_0', 'allow-once');
    await ended();
    expect(model.requests[0]!.tools!.length).toBeGreaterThan(10);
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({
      results: [
        { isError: false, text: expect.stringContaining('42') },
        { isError: true, text: expect.stringContaining('declined') },
      ],
    });
    expect(readFileSync(heard, 'utf8')).not.toContain('never sent');
  });

  it('tells the server of a stop in the middle of a call, and goes on with the same connection', async () => {
    await chat([callsTools(['mcp__everything__trigger-long-running-operation', { duration: 60, steps: 120 }])]);
    await approve('call_0', 'allow-for-chat');
    await vi.waitFor(
      () =>
        expect(toolParts(service.liveMessages(conversationId).at(-1))[0]).toMatchObject({ progress: { total: 120 } }),
      { timeout: 20_000 },
    );
    await service.stop(conversationId);
    expect(toolParts(store.messages(conversationId).at(-1))).toMatchObject([{ state: 'cancelled' }]);
    // A slow start may have cancelled other requests before.
    const call = messagesHeard().find(({ params }) => params?.name === 'trigger-long-running-operation');
    const isCancelled = ({ method, params }: ReturnType<typeof messagesHeard>[number]) =>
      method === 'notifications/cancelled' && params?.requestId === call?.id;
    await vi.waitFor(() => expect(messagesHeard().filter(isCancelled)).toHaveLength(1), { timeout: 20_000 });

    await chat([callsTools(['mcp__everything__echo', { message: 'still here' }]), says('ok')]);
    await approve('call_0_2', 'allow-once');
    await ended();
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({
      results: [{ isError: false, text: expect.stringContaining('still here') }],
    });
    expect(messagesHeard().filter(({ method }) => method === 'initialize')).toHaveLength(1);
  });

  it('lets the model see what a server says about wrong arguments', async () => {
    await chat([callsTools(['mcp__everything__get-sum', { a: 'two' }]), says('sorry')]);
    await approve('call_0', 'allow-once');
    await ended();
    expect(toolParts(store.messages(conversationId)[1])).toMatchObject([{ state: 'failed' }]);
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({ results: [{ isError: true }] });
  });
});
