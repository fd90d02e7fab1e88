import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '@shared/contracts/message-types.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  FORMATS,
  MODELS,
  type ModelStep,
  startModelServer,
  TEST_KEY,
} from '../../../../../../e2e/fixtures/model-servers/index.ts';
import { CompletionService } from '../completion/CompletionService.ts';
import { openStore, temporaryFolder } from '../conversations/test-support.ts';
import type { ApprovalPort } from '../ports/tools.ts';
import { createModelPort } from '../providers/index.ts';
import { mcpTool, partsOf, toolParts } from '../turn/__fixtures__/scripted.ts';
import { agentRun, FakePool, tool } from './__fixtures__/runs.ts';
import { TinyElfEngine } from './engine/tinyelf/TinyElfEngine.ts';
import { TinyElfToolRegistryBuilder } from './engine/tinyelf/TinyElfToolRegistryBuilder.ts';

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const call = (name: string, args: unknown = {}): ModelStep => ({ toolCall: { name, args } });

/** Whole runs through the real SDKs, against model servers that answer 400 where the real APIs do. */
describe.each(FORMATS)('a run of the agent on %s', (format) => {
  async function startRun(script: ModelStep[][]) {
    const temp = temporaryFolder();
    const workspace = join(temp.folder, 'project');
    mkdirSync(workspace);
    const { store } = openStore(join(temp.folder, 'c.db'));
    const server = await startModelServer(format, script);
    const pool = new FakePool();
    let stuck = 0;
    const builtin = [
      tool('connect_mcp', {
        execute: async () => {
          pool.tools = [mcpTool('add', { inputSchema: { type: 'object', properties: { a: { type: 'number' } } } })];
          return 'Connected “srv”: 1 tool.';
        },
      }),
      tool('Bash', { execute: async () => 'never' }),
      tool('Slow', {
        execute: () => {
          stuck++;
          return new Promise(() => {});
        },
      }),
    ];
    const approvals: ApprovalPort = {
      decide: async ({ tool: asked }) =>
        asked.name === 'Bash' ? { refused: { code: 'firewall', message: '[firewall] Blocked: no.' } } : 'allow-once',
    };
    const engine = new TinyElfEngine({
      builder: new TinyElfToolRegistryBuilder([() => builtin]),
      mcpService: pool,
      openServers: async () => ({ tools: [], close: async () => {} }),
      mayRead: () => true,
      approvalsFor: () => approvals,
      clock: Date,
      logger,
    });
    const service = new CompletionService({
      engineOf: () => engine,
      store,
      approvals: { answer: () => false, pending: () => [] },
      openModel: () => createModelPort(format, { providerId: format, baseUrl: server.url, apiKey: TEST_KEY, fetch }),
      events: { emit: () => {} },
      clock: Date,
      logger,
    });
    onTestFinished(async () => {
      await service.shutdown();
      await server.close();
      store.close();
      temp[Symbol.dispose]();
    });
    const tools = ['connect_mcp', 'Bash', 'Slow'];
    const { id } = store.create({ model: null, agent: agentRun(workspace, { tools }) });
    const model = { providerId: format, modelId: MODELS[format] };
    await service.chatInSession(id, { text: 'Add things', model });
    const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 20 });
    return {
      service,
      id,
      model,
      pool,
      waitFor,
      stuck: () => stuck,
      last: (): Message => service.liveMessages(id).at(-1)!,
      ended: () => waitFor(() => expect(service.isRunning(id)).toBe(false)),
      rows: () => store.messages(id),
      /** Bodies of the requests as they were sent. */
      requests: () => server.journal.map(({ body }) => JSON.stringify(body)),
      refusals: () => server.journal.flatMap(({ refusal }) => refusal ?? []),
    };
  }

  it('uses a server that it connected in its middle with the very next request, and takes a refusal', async () => {
    const run = await startRun([
      [{ reasoning: 'I need a server.' }, call('connect_mcp', { name: 'srv' }), call('Bash', { command: 'rm -rf /' })],
      [{ reasoning: 'There it is.' }, call('mcp__srv__add', { a: 2 })],
      [{ text: 'Added.' }],
    ]);
    await run.ended();
    expect(run.refusals()).toEqual([]);
    expect(run.requests().map((body) => body.includes('mcp__srv__add'))).toEqual([false, true, true]);
    expect(run.requests()[1]).toContain('connected servers: srv');
    expect(run.requests()[1]).toContain('[firewall] Blocked: no.');
    expect(run.pool.calls).toEqual([{ name: 'mcp__srv__add', params: { a: 2 } }]);
    expect(run.rows().flatMap(toolParts)).toMatchObject([{ state: 'done' }, { state: 'denied' }, { state: 'done' }]);
    expect(partsOf(run.rows().at(-1), 'text')).toMatchObject([{ text: 'Added.' }]);
  });

  it('is stopped in a tool, hears what was said meanwhile, and goes on', async () => {
    const run = await startRun([
      [{ reasoning: 'This takes long.' }, call('Slow')],
      [{ reasoning: 'Another way.' }, call('connect_mcp', { name: 'srv' })],
      [{ text: 'Done.' }],
    ]);
    await run.waitFor(() => expect(run.stuck()).toBe(1));
    run.service.say(run.id, 'Take the short way');
    await run.service.stop(run.id);
    await run.service.proceed(run.id, { model: run.model });
    await run.ended();
    expect(run.refusals()).toEqual([]);
    expect(run.stuck()).toBe(1);
    expect(run.requests()[1]).toContain('Take the short way');
    expect(run.requests()[1]).toContain('may have had an effect');
    expect(partsOf(run.last(), 'text')).toMatchObject([{ text: 'Done.' }]);
  });
});
