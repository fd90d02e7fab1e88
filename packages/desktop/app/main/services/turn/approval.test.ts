import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../ports/errors.ts';
import { mcpTool } from './__fixtures__/scripted.ts';
import { Approvals } from './approval.ts';

const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

/** Settles pending promises without waiting for any that doesn't. */
const stateOf = async (promise: Promise<unknown>) => {
  const pending = Symbol();
  const first = await Promise.race([
    promise.then(
      (value) => value,
      (error) => `rejected: ${error}`,
    ),
    new Promise((resolve) => setImmediate(resolve, pending)),
  ]);
  return first === pending ? 'pending' : first;
};

describe('Approvals', () => {
  let document: unknown;
  let identities: Record<string, string | undefined>;
  let refuseWrites: boolean;
  let approvals: Approvals;
  const open = () =>
    new Approvals({
      store: {
        read: () => document,
        write: (value) => {
          if (refuseWrites) throw new AppError('store-failed', 'Disk full.');
          document = structuredClone(value);
        },
      },
      serverIdentity: (serverId) => identities[serverId],
      logger,
    });
  const ask = (
    callId: string,
    { conversationId = 'c', tool = mcpTool('f'), signal = new AbortController().signal, onAsk = () => {} } = {},
  ) => approvals.decide({ conversationId, callId, tool, args: { a: 1 } }, signal, onAsk);

  beforeEach(() => {
    document = undefined;
    identities = { s1: 'node server.js', s2: 'https://example.test/mcp' };
    refuseWrites = false;
    approvals = open();
  });

  it('asks, waits for ever, and gives the answer', async () => {
    vi.useFakeTimers();
    try {
      const onAsk = vi.fn(() => expect(approvals.pending('c')).toHaveLength(1));
      const decision = ask('1', { onAsk });
      await vi.advanceTimersByTimeAsync(30 * 24 * 3_600_000);
      expect(onAsk).toHaveBeenCalledOnce();
      expect(approvals.pending()).toMatchObject([{ conversationId: 'c', callId: '1', args: { a: 1 } }]);
      expect(approvals.answer('c', '1', 'deny')).toBe(true);
      expect(await decision).toBe('deny');
      expect(approvals.pending()).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('remembers neither a yes nor a no that was for once', async () => {
    for (const decision of ['allow-once', 'deny'] as const) {
      const first = ask('1');
      approvals.answer('c', '1', decision);
      expect(await first).toBe(decision);
      expect(await stateOf(ask('2'))).toBe('pending');
      approvals.answer('c', '2', 'deny');
    }
  });

  it('allows for one conversation, and answers what waits there for the same tool', async () => {
    const first = ask('1');
    const second = ask('2');
    const other = ask('3', { tool: mcpTool('g') });
    const elsewhere = ask('1', { conversationId: 'd' });
    approvals.answer('c', '1', 'allow-for-chat');
    expect(await first).toBe('allow-for-chat');
    expect(await second).toBe('allow-for-chat');
    expect(await ask('4')).toBe('allow-for-chat');
    expect(await stateOf(other)).toBe('pending');
    expect(await stateOf(elsewhere)).toBe('pending');
    expect(await stateOf(ask('5', { tool: mcpTool('f', { serverId: 's2' }) }))).toBe('pending');
    approvals = open();
    expect(await stateOf(ask('6'))).toBe('pending');
  });

  it('allows always, everywhere and after a restart, by server id and tool name', async () => {
    const first = ask('1');
    const elsewhere = ask('1', { conversationId: 'd' });
    approvals.answer('c', '1', 'allow-always');
    expect(await first).toBe('allow-always');
    expect(await elsewhere).toBe('allow-always');
    approvals = open();
    expect(await ask('2', { conversationId: 'e' })).toBe('allow-always');
    // Renamed in the settings: another wire name and another display name, the same tool.
    expect(await ask('3', { tool: mcpTool('f', { id: 'mcp__new__f', serverName: 'new' }) })).toBe('allow-always');
    // The separator doesn't make two pairs one.
    expect(await stateOf(ask('4', { tool: mcpTool('__f', { serverId: 's1' }) }))).toBe('pending');
  });

  it.each<[string, Partial<MCPTool>]>([
    ['description', { description: 'Does f and sends it away' }],
    ['schema', { inputSchema: { type: 'object', properties: { to: { type: 'string' } } } }],
    ['annotations', { annotations: { destructiveHint: true } }],
    ['title', { title: 'Harmless' }],
  ])('asks again when the tool’s %s changed', async (_what, change) => {
    for (const decision of ['allow-always', 'allow-for-chat'] as const) {
      void ask(decision);
      approvals.answer('c', decision, decision);
      expect(await ask('same')).toBe(decision === 'allow-always' ? decision : 'allow-always');
      expect(await stateOf(ask('changed', { tool: mcpTool('f', change) }))).toBe('pending');
    }
  });

  it('asks again when the server runs another command', async () => {
    void ask('1');
    approvals.answer('c', '1', 'allow-always');
    identities.s1 = 'node other.js';
    expect(await stateOf(ask('2'))).toBe('pending');
    identities.s1 = 'node server.js';
    expect(await ask('3')).toBe('allow-always');
  });

  it('does not mind the order of keys in a definition', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    void ask('1', { tool: mcpTool('f', { inputSchema: schema }) });
    approvals.answer('c', '1', 'allow-always');
    const turned = { properties: { a: { type: 'string' } }, type: 'object' };
    expect(await ask('2', { tool: mcpTool('f', { inputSchema: turned }) })).toBe('allow-always');
  });

  it('lists what is always allowed and takes it back', async () => {
    void ask('1');
    approvals.answer('c', '1', 'allow-always');
    expect(approvals.listAlwaysAllowed()).toEqual([{ serverId: 's1', serverName: 'srv', toolName: 'f' }]);
    approvals.revoke('s1', 'f');
    approvals.revoke('s1', 'never');
    expect(approvals.listAlwaysAllowed()).toEqual([]);
    expect(await stateOf(ask('2'))).toBe('pending');
    approvals = open();
    expect(await stateOf(ask('3'))).toBe('pending');
  });

  it('goes on waiting when a yes for ever can’t be kept', async () => {
    const decision = ask('1');
    refuseWrites = true;
    expect(() => approvals.answer('c', '1', 'allow-always')).toThrow('Disk full.');
    expect(await stateOf(decision)).toBe('pending');
    expect(approvals.answer('c', '1', 'allow-once')).toBe(true);
    expect(await decision).toBe('allow-once');
    expect(approvals.listAlwaysAllowed()).toEqual([]);
    expect(await stateOf(ask('2'))).toBe('pending');
  });

  it('ends with the signal, and takes no answer afterwards', async () => {
    const controller = new AbortController();
    const decision = ask('1', { signal: controller.signal });
    controller.abort('stopped');
    await expect(decision).rejects.toBe('stopped');
    expect(approvals.pending()).toEqual([]);
    expect(approvals.answer('c', '1', 'allow-always')).toBe(false);
    await expect(ask('2', { signal: controller.signal })).rejects.toBe('stopped');
  });

  describe('policies', () => {
    const f = mcpTool('f');
    const policy = (tool = f) => approvals.policyOf(tool).policy;

    it('are one thing with “always allow”: ask by default, bound to the definition, kept', async () => {
      expect(approvals.policyOf(f)).toEqual({ policy: 'ask', allowedBefore: false });
      void ask('1');
      approvals.answer('c', '1', 'allow-always');
      expect(policy()).toBe('allow');
      approvals.revoke('s1', 'f');
      expect(policy()).toBe('ask');
      approvals.setPolicy(f, 'allow');
      approvals = open();
      expect(await ask('2')).toBe('allow-always');
      expect(approvals.listAlwaysAllowed()).toHaveLength(1);
      const changed = mcpTool('f', { description: 'Sends everything away' });
      expect(approvals.policyOf(changed)).toEqual({ policy: 'ask', allowedBefore: true });
      expect(await stateOf(ask('3', { tool: changed }))).toBe('pending');
      identities.s1 = 'node other.js';
      expect(approvals.policyOf(f)).toEqual({ policy: 'ask', allowedBefore: true });
    });

    it('deny without asking, whatever becomes of the definition, and after a restart', async () => {
      const onAsk = vi.fn();
      approvals.setPolicy(f, 'allow');
      approvals.setPolicy(f, 'deny');
      expect(await ask('1', { onAsk })).toBe('deny-always');
      approvals = open();
      identities.s1 = 'node other.js';
      expect(await ask('2', { onAsk, tool: mcpTool('f', { description: 'Harmless now' }) })).toBe('deny-always');
      expect(onAsk).not.toHaveBeenCalled();
      expect(approvals.listAlwaysAllowed()).toEqual([]);
      expect(await stateOf(ask('3', { tool: mcpTool('f', { serverId: 's2' }) }))).toBe('pending');
    });

    it('answer what waits, and take back what was allowed for a chat', async () => {
      const first = ask('1');
      approvals.answer('c', '1', 'allow-for-chat');
      await first;
      const elsewhere = ask('1', { conversationId: 'd' });
      const other = ask('2', { conversationId: 'd', tool: mcpTool('g') });
      approvals.setPolicy(f, 'deny');
      expect(await elsewhere).toBe('deny-always');
      expect(await stateOf(other)).toBe('pending');
      approvals.setPolicy(f, 'ask');
      const again = ask('3');
      expect(await stateOf(again)).toBe('pending');
      approvals.setPolicy(f, 'allow');
      expect(await again).toBe('allow-always');
      expect(approvals.pending()).toHaveLength(1);
    });

    it('of one server are reset together', async () => {
      const elsewhere = mcpTool('f', { serverId: 's2' });
      approvals.setPolicy(f, 'allow');
      approvals.setPolicy(mcpTool('g'), 'deny');
      approvals.setPolicy(elsewhere, 'deny');
      void ask('1', { tool: mcpTool('h') });
      approvals.answer('c', '1', 'allow-for-chat');
      approvals.resetServer('s1');
      for (const reopened of [approvals, open()]) {
        approvals = reopened;
        expect([policy(), policy(mcpTool('g')), policy(elsewhere)]).toEqual(['ask', 'ask', 'deny']);
        expect(await stateOf(ask('2', { tool: mcpTool('h') }))).toBe('pending');
      }
    });

    it('that can’t be kept: a yes does not count, a no does until the app ends', async () => {
      refuseWrites = true;
      expect(() => approvals.setPolicy(f, 'allow')).toThrow('Disk full.');
      expect(policy()).toBe('ask');
      expect(() => approvals.setPolicy(f, 'deny')).toThrow('Disk full.');
      expect(policy()).toBe('deny');
      expect(() => approvals.resetServer('s1')).toThrow('Disk full.');
      expect(policy()).toBe('deny');
    });

    it('are read from a document of before there were any', async () => {
      approvals.setPolicy(f, 'allow');
      const { denied: _none, ...before } = document as { denied: unknown };
      document = before;
      approvals = open();
      expect(await ask('1')).toBe('allow-always');
    });
  });

  it.each([null, 'text', [], { version: 2 }, { version: 1, allowed: [{ serverId: 's1', toolName: 'f' }] }])(
    'asks for everything when the stored document is %j',
    async (stored) => {
      document = stored;
      approvals = open();
      expect(await stateOf(ask('1'))).toBe('pending');
      expect(logger.warn).toHaveBeenCalled();
    },
  );
});
