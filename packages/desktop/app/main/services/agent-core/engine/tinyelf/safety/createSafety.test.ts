import type { GuardianMode, PermissionMode } from '@shared/contracts/agent-types.ts';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { ToolDecision } from '@shared/contracts/message-types.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelPort } from '../../../../ports/model.ts';
import { mcpTool } from '../../../../turn/__fixtures__/scripted.ts';
import { Approvals } from '../../../../turn/approval.ts';
import type { ITool } from '../tools/ITool.ts';
import { type Machine, makeMachine } from './__fixtures__/machine.ts';
import { createSafety, type Safety } from './createSafety.ts';

const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const FIVE_MINUTES = 5 * 60_000;

const tools: Record<string, Pick<ITool, 'risk' | 'access' | 'origin'>> = {
  read: { risk: 'safe', access: ({ path }) => ({ reads: [String(path)] }) },
  todo: { risk: 'safe' },
  fetch: { risk: 'safe', access: ({ url }) => ({ url: String(url) }) },
  write: { risk: 'edit', access: ({ path }) => ({ writes: [String(path)] }) },
  bash: { access: ({ command }) => ({ command: String(command) }) },
  server: { origin: { serverId: 's1', serverName: 'S', toolName: 'server' } },
};

let machine: Machine;
let approvals: Approvals;
let mode: PermissionMode;
let guardian: GuardianMode;
let answer: string | undefined;
let rated: number;
let safety: Safety;
let decisions: string[];
let allowedHosts: Set<string>;
let lookedUp: string[];

beforeAll(async () => {
  machine = await makeMachine();
});
afterAll(() => machine.remove());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  approvals = new Approvals({ store: { read: () => undefined, write: () => {} }, serverIdentity: () => 'x', logger });
  mode = 'ask';
  guardian = 'off';
  answer = undefined;
  rated = 0;
  decisions = [];
  allowedHosts = new Set();
  lookedUp = [];
  open();
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const model = {
    async *stream() {
      rated++;
      if (answer === undefined) await new Promise(() => undefined);
      yield { type: 'text-delta', text: JSON.stringify({ risk: answer, reason: 'r' }) };
    },
  } as unknown as ModelPort;
  safety = createSafety({
    workspace: machine.workspace,
    home: machine.home,
    appFolders: [],
    platform: 'linux',
    approvals,
    mode: () => mode,
    allowedHosts,
    resolve: async (host) => {
      lookedUp.push(host);
      return [{ address: host === 'printer.lan' ? '192.168.1.9' : '93.184.215.14', family: 4 }];
    },
    guardian: { mode: guardian, openModel: async () => ({ model, modelId: 'm' }) },
    toolOf: ({ name }: MCPTool) =>
      tools[name] && { name, description: '', parameters: {}, execute: async () => '', ...tools[name] },
  });
}

/** Decides a call; `answered` is told when it waits for the person. */
function call(
  name: string,
  args: Record<string, unknown> = {},
  { callId = 'c1', signal = new AbortController().signal } = {},
) {
  const asked = Promise.withResolvers<void>();
  const onDecision = ({ layer, outcome }: ToolDecision) => decisions.push(`${layer} ${outcome}`);
  const result = safety.decide(
    { conversationId: 'r', callId, tool: mcpTool(name), args },
    signal,
    asked.resolve,
    onDecision,
  );
  return { result, asked: asked.promise };
}

async function answered(name: string, args: Record<string, unknown>, decision: Parameters<Approvals['answer']>[2]) {
  const { result, asked } = call(name, args);
  await asked;
  expect(approvals.answer('r', 'c1', decision)).toBe(true);
  return result;
}

describe('the layers in their order', () => {
  it('ends with the first refusal, and reports each layer that was asked', async () => {
    guardian = 'strict';
    open();
    answer = 'low';
    const { result } = call('bash', { command: 'cat /etc/shadow' });
    expect(await result).toEqual({
      refused: { code: 'firewall', message: expect.stringMatching(/^\[firewall\] Blocked/) },
    });
    expect(decisions).toEqual(['firewall deny']);
    expect(rated).toBe(0);

    decisions = [];
    answer = 'medium';
    expect(await call('bash', { command: 'ls' }).result).toMatchObject({ refused: { code: 'guardian' } });
    expect(decisions).toEqual(['firewall allow', 'guardian deny']);

    decisions = [];
    answer = 'low';
    expect(await answered('bash', { command: 'ls' }, 'allow-once')).toBe('allow-once');
    expect(decisions).toEqual(['firewall allow', 'guardian allow', 'permission ask', 'person allow']);
  });

  it('says in reasons only what the layer and the outcome leave open', async () => {
    const reasons = async (decision: Parameters<Approvals['answer']>[2]) => {
      const asked = Promise.withResolvers<void>();
      const said: ToolDecision[] = [];
      const result = safety.decide(
        { conversationId: 'r', callId: 'c1', tool: mcpTool('bash'), args: { command: 'frobnicate; git frob' } },
        new AbortController().signal,
        asked.resolve,
        (one) => said.push(one),
      );
      await asked.promise;
      approvals.answer('r', 'c1', decision);
      await result;
      return said;
    };
    const [firewall, , person] = await reasons('allow-once');
    expect(firewall).toMatchObject({
      layer: 'firewall',
      reason: 'The app can’t tell what “frobnicate” will do. The app can’t tell what “git frob” will do.',
    });
    expect(person).toEqual({ layer: 'person', outcome: 'allow', reason: '' });
    expect((await reasons('deny')).at(-1)).toEqual({ layer: 'person', outcome: 'deny', reason: '' });
  });

  it('lets the guardian rate what is not safe, leaves the workspace or goes to the web', async () => {
    guardian = 'guard';
    open();
    answer = 'low';
    await call('read', { path: 'src/a.ts' }).result;
    await call('todo').result;
    expect(rated).toBe(0);
    await call('fetch', { url: 'https://example.com' }).result;
    expect(rated).toBe(1);
    await answered('read', { path: '../notes.txt' }, 'deny');
    expect(rated).toBe(2);
  });

  it('lets the person decide where the guardian can not', async () => {
    guardian = 'guard';
    mode = 'accept-edits';
    open();
    const { result, asked } = call('write', { path: 'src/a.ts' });
    await vi.waitFor(() => expect(rated).toBe(1));
    await vi.advanceTimersByTimeAsync(15_000);
    await asked;
    approvals.answer('r', 'c1', 'allow-once');
    expect(await result).toBe('allow-once');
    expect(decisions).toEqual(['firewall allow', 'guardian ask', 'permission ask', 'person allow']);
  });

  it('looks through the arguments of tools that are not ours, known or not', async () => {
    for (const name of ['server', 'unknown']) {
      expect(await call(name, { deep: { path: '/etc/shadow' } }).result).toMatchObject({
        refused: { code: 'firewall' },
      });
    }
    expect(await answered('server', { path: 'src' }, 'allow-once')).toBe('allow-once');
  });
});

describe('the log', () => {
  const calls: [string, Record<string, unknown>][] = [
    ['read', { path: 'src/a.ts' }],
    ['read', { path: '../notes.txt' }],
    ['read', { path: '/etc/shadow' }],
    ['todo', {}],
    ['fetch', { url: 'https://example.com/' }],
    ['fetch', { url: 'http://printer.lan/' }],
    ['write', { path: 'src/a.ts' }],
    ['write', { path: '.git/config' }],
    ['bash', { command: 'ls' }],
    ['bash', { command: 'cat $X' }],
    ['server', { text: 'x' }],
    ['unknown', {}],
  ];
  const everything = (['ask', 'accept-edits', 'plan', 'bypass'] as const).flatMap((now) =>
    (['off', 'guard', 'strict'] as const).flatMap((watch) =>
      (['ask', 'allow', 'deny'] as const).map((policy) => [now, watch, policy] as const),
    ),
  );

  it.each(everything)(
    'has every decision, with its layer and reason: mode %s, guardian %s, tool set to %s',
    async (now, watch, policy) => {
      for (const [name, args] of calls) {
        for (const risk of ['low', 'medium', 'critical']) {
          for (const says of ['allow-once', 'deny'] as const) {
            mode = now;
            guardian = watch;
            answer = risk;
            open();
            approvals.setPolicy(mcpTool(name), policy);
            const log: ToolDecision[] = [];
            const result = await safety.decide(
              { conversationId: 'r', callId: 'c1', tool: mcpTool(name), args },
              new AbortController().signal,
              () => queueMicrotask(() => approvals.answer('r', 'c1', says)),
              (made) => log.push(made),
            );
            const what = JSON.stringify({ name, args, risk, says, result, log });
            const allowed = typeof result === 'string' && result.startsWith('allow');
            expect(log[0]?.layer, what).toBe('firewall');
            // The last word is the one that counts, and only that one refuses.
            expect(log.at(-1)?.outcome, what).toBe(allowed ? 'allow' : 'deny');
            expect(
              log.slice(0, -1).some(({ outcome }) => outcome === 'deny'),
              what,
            ).toBe(false);
            // Who the person is and what they said needs no reason.
            expect(
              log.every(({ layer, reason }) => reason !== '' || layer === 'person'),
              what,
            ).toBe(true);
            if (typeof result === 'object') expect(result.refused.message, what).toBe(log.at(-1)?.reason);
            expect(log.filter(({ layer }) => layer === 'person').length, what).toBe(
              log.some(({ layer, outcome }) => layer === 'permission' && outcome === 'ask') ? 1 : 0,
            );
          }
        }
      }
    },
  );

  it('of a name that is refused anyway has no look-up of it, which would tell it to others', async () => {
    const url = 'https://secret.example.com/';
    guardian = 'strict';
    answer = 'critical';
    open();
    expect(await call('fetch', { url }).result).toMatchObject({ refused: { code: 'guardian' } });
    guardian = 'off';
    open();
    approvals.setPolicy(mcpTool('fetch'), 'deny');
    expect(await call('fetch', { url }).result).toBe('deny-always');
    expect(lookedUp).toEqual([]);
    approvals.setPolicy(mcpTool('fetch'), 'ask');
    await call('fetch', { url }).result;
    expect(lookedUp).toEqual(['secret.example.com']);
  });
});

describe('the modes', () => {
  const outcome = async (name: string, args: Record<string, unknown>) => {
    const { result, asked } = call(name, args);
    const first = await Promise.race([asked.then(() => 'asks'), result]);
    if (first === 'asks') {
      approvals.answer('r', 'c1', 'deny');
      await result;
    }
    return typeof first === 'object' ? first.refused.code : first;
  };

  it.each<[PermissionMode, string, string, string, string, string]>([
    // mode, safe, read outside, edit, edit that the firewall asks about, shell
    ['ask', 'allow-once', 'asks', 'asks', 'asks', 'asks'],
    ['accept-edits', 'allow-once', 'asks', 'allow-once', 'asks', 'asks'],
    ['plan', 'allow-once', 'asks', 'plan-mode', 'plan-mode', 'plan-mode'],
    ['bypass', 'allow-once', 'allow-once', 'allow-once', 'allow-once', 'allow-once'],
  ])('%s', async (now, safe, outside, edit, careful, shell) => {
    mode = now;
    expect(await outcome('read', { path: 'src/a.ts' })).toBe(safe);
    expect(await outcome('read', { path: '../notes.txt' })).toBe(outside);
    expect(await outcome('write', { path: 'src/a.ts' })).toBe(edit);
    expect(await outcome('write', { path: '.git/config' })).toBe(careful);
    expect(await outcome('bash', { command: 'npm test' })).toBe(shell);
    expect(await outcome('write', { path: '../x' })).toBe('firewall');
    expect(await outcome('bash', { command: 'cat ~/.ssh/id_rsa' })).toBe('firewall');
  });

  it('decides waiting calls again when the mode changes', async () => {
    const edit = call('write', { path: 'src/a.ts' });
    const shell = call('bash', { command: 'ls' }, { callId: 'c2' });
    await Promise.all([edit.asked, shell.asked]);
    mode = 'accept-edits';
    safety.modeChanged();
    expect(await edit.result).toBe('allow-once');
    expect(approvals.pending().map(({ callId }) => callId)).toEqual(['c2']);
    mode = 'plan';
    safety.modeChanged();
    expect(await shell.result).toMatchObject({
      refused: { code: 'plan-mode', message: expect.stringMatching(/^\[permission\]/) },
    });
    expect(approvals.pending()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the answers', () => {
  it('are kept for the run, or always', async () => {
    expect(await answered('bash', { command: 'ls' }, 'allow-for-chat')).toBe('allow-for-chat');
    decisions = [];
    expect(await call('bash', { command: 'ls src' }).result).toBe('allow-for-chat');
    expect(decisions).toEqual(['firewall allow', 'permission allow']);
    expect(await answered('write', { path: 'a' }, 'allow-always')).toBe('allow-always');
    expect(await call('write', { path: 'b' }).result).toBe('allow-always');
    expect(approvals.listAlwaysAllowed()).toMatchObject([{ toolName: 'write' }]);
  });

  it('do not silence the firewall: what it asks about is asked each time, and its answer is for that call', async () => {
    approvals.setPolicy(mcpTool('bash'), 'allow');
    expect(await call('bash', { command: 'ls' }).result).toBe('allow-always');
    for (const decision of ['allow-always', 'allow-for-chat', 'allow-once'] as const) {
      expect(await answered('bash', { command: 'cat $UNKNOWN' }, decision)).toBe('allow-once');
    }
    expect(await answered('read', { path: '../notes.txt' }, 'allow-always')).toBe('allow-once');
    expect(approvals.policyOf(mcpTool('read')).policy).toBe('ask');
  });

  it('hold where a tool was denied for good, whatever the mode and the risk', async () => {
    for (const name of ['bash', 'read', 'server']) approvals.setPolicy(mcpTool(name), 'deny');
    for (const now of ['ask', 'accept-edits', 'bypass'] as const) {
      mode = now;
      expect(await call('bash', { command: 'npm test' }).result).toBe('deny-always');
      expect(await call('read', { path: '../notes.txt' }).result).toBe('deny-always');
      expect(await call('read', { path: 'src/a.ts' }).result).toBe('deny-always');
    }
  });

  it('are no after five minutes without one', async () => {
    const { result, asked } = call('bash', { command: 'ls' });
    await asked;
    await vi.advanceTimersByTimeAsync(FIVE_MINUTES - 1);
    expect(approvals.pending()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toBe('deny');
    expect(decisions.at(-1)).toBe('person deny');
    expect(approvals.pending()).toEqual([]);
  });

  it('are not waited for when the run is stopped', async () => {
    const stop = new AbortController();
    const { result, asked } = call('bash', { command: 'ls' }, { signal: stop.signal });
    await asked;
    stop.abort(new Error('stopped'));
    await expect(result).rejects.toThrow('stopped');
    expect(approvals.pending()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  describe('a host that is not on the public internet', () => {
    it.each(['http://printer.lan/status', 'http://127.0.0.1:8080/', 'http://[::1]/', 'http://0x7f.1/'])(
      'asks for %s, and a yes counts for the run',
      async (url) => {
        const { result, asked } = call('fetch', { url });
        await asked;
        expect(decisions).toEqual(['firewall allow', 'firewall ask', 'permission ask']);
        approvals.answer('r', 'c1', 'allow-once');
        expect(await result).toBe('allow-once');
        expect([...allowedHosts]).toEqual([new URL(url).hostname]);

        decisions.length = 0;
        expect(await call('fetch', { url: new URL('/other', url).href }).result).toBe('allow-once');
        expect(decisions).toEqual(['firewall allow', 'permission allow']);
      },
    );

    it('is not allowed by a no, by silence, or by a mode in which nothing asks', async () => {
      const url = 'http://printer.lan/';
      const denied = call('fetch', { url });
      await denied.asked;
      approvals.answer('r', 'c1', 'deny');
      expect(await denied.result).toBe('deny');
      const silent = call('fetch', { url });
      await silent.asked;
      await vi.advanceTimersByTimeAsync(FIVE_MINUTES);
      expect(await silent.result).toBe('deny');
      mode = 'bypass';
      await call('fetch', { url }).result;
      expect(allowedHosts.size).toBe(0);
    });

    it('asks nothing about public ones', async () => {
      expect(await call('fetch', { url: 'https://example.com/' }).result).toBe('allow-once');
      expect(allowedHosts.size).toBe(0);
    });
  });
});
