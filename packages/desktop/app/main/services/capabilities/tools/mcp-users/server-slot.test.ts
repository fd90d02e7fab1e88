import type { McpServerRecord } from '@shared/contracts/mcp-types.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { McpConnection } from './mcp-connection.ts';
import { DEFAULT_RETRY_TIMES } from './retry-policy.ts';
import { ServerLog } from './server-log.ts';
import { ServerSlot, type SlotDependencies } from './server-slot.ts';

const SERVER: McpServerRecord = { id: 's', name: 'web', type: 'http', enabled: true, config: { url: 'http://x/' } };

/** A connection that stands, and answers to a ping or not. */
const standing = (values: Partial<McpConnection> = {}): McpConnection =>
  ({
    era: 'auto',
    isRemote: true,
    hasSession: false,
    isFollowed: false,
    listTools: async () => ({ tools: [], rejected: [], warnings: [] }),
    describeEnd: () => undefined,
    isBroken: () => true,
    close: async () => {},
    renewStreams: () => {},
    ...values,
  }) as McpConnection;

function makeSlot(connect: SlotDependencies['connect']) {
  return new ServerSlot(
    { id: 's', name: 'web', era: 'auto' },
    {
      resolve: async () => SERVER,
      connect,
      log: new ServerLog(Date),
      clock: Date,
      retryTimes: DEFAULT_RETRY_TIMES,
      onState: () => {},
      onTools: () => {},
      onEra: () => {},
    },
  );
}

/** Most of these times that lie within any one minute. */
const mostAMinute = (times: number[]): number =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a call that needs a connection', () => {
  it('waits for a minute, and says that the server is still starting', async () => {
    const slot = makeSlot(() => new Promise(() => {}));
    let settledAt: number | undefined;
    const startedAt = Date.now();
    const waiting = slot.connection().catch((error) => {
      settledAt = Date.now() - startedAt;
      return error;
    });
    await vi.advanceTimersByTimeAsync(59_000);
    expect(settledAt).toBeUndefined();
    await vi.advanceTimersByTimeAsync(2000);
    expect(settledAt).toBe(60_000);
    expect(await waiting).toMatchObject({ code: 'connect-failed', message: expect.stringContaining('still starting') });
  });

  it('waits ten seconds for the next try of a server that failed, and says why it did', async () => {
    let tries = 0;
    const slot = makeSlot(async () => {
      if (tries++ === 0) return standing();
      throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    });
    await slot.connection();
    const connectionLost = Promise.withResolvers<void>();
    void slot.call('echo', {}, { signal: new AbortController().signal }).catch(() => connectionLost.resolve());
    await vi.advanceTimersByTimeAsync(0);
    await connectionLost.promise;
    const startedAt = Date.now();
    const refused = expect(slot.connection()).rejects.toMatchObject({ code: 'connect-failed' });
    let waitedMs = 0;
    void refused.then(() => {
      waitedMs = Date.now() - startedAt;
    });
    await vi.advanceTimersByTimeAsync(120_000);
    await refused;
    expect(waitedMs).toBeLessThanOrEqual(20_000);
  });
});

describe('after the machine slept', () => {
  it('a remote server that does not answer within ten seconds is connected anew', async () => {
    const limits: number[] = [];
    let connections = 0;
    const answers = async (ms: number) => {
      limits.push(ms);
      await new Promise((resolve) => setTimeout(resolve, ms));
      return false;
    };
    const slot = makeSlot(async () => (connections++ === 0 ? standing({ answers }) : standing()));
    await slot.connection();
    slot.wake();
    await vi.advanceTimersByTimeAsync(9900);
    expect(slot.state.status).toBe('ready');
    await vi.advanceTimersByTimeAsync(200);
    expect(slot.state.status).toBe('waiting-to-retry');
    await vi.advanceTimersByTimeAsync(2000);
    expect([slot.state.status, connections, limits]).toEqual(['ready', 2, [10_000]]);
  });
});

describe('a list of tools that can’t be read', () => {
  const unreachable = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });

  it.each([
    ['asked for', (slot: ServerSlot) => slot.refresh()],
    ['announced', (_slot: ServerSlot, announce: () => void) => announce()],
  ])('since nobody is there any more, %s: the server is connected anew', async (_why, ask) => {
    let connections = 0;
    let announce = () => {};
    const slot = makeSlot(async (_server, { onToolsChanged }) => {
      announce = onToolsChanged;
      const listTools = vi.fn(standing().listTools);
      if (connections++ === 0) listTools.mockImplementationOnce(standing().listTools).mockRejectedValue(unreachable);
      return standing({ listTools });
    });
    await slot.connection();
    const asked = Promise.resolve(ask(slot, announce)).catch((error) => error);
    await vi.advanceTimersByTimeAsync(200);
    await asked;
    expect(slot.state).toMatchObject({
      status: 'waiting-to-retry',
      error: { message: expect.stringContaining('reached') },
    });
    await vi.advanceTimersByTimeAsync(5000);
    expect([slot.state.status, connections]).toEqual(['ready', 2]);
  });

  it('since the server says no: the connection stands', async () => {
    const listTools = vi.fn(standing().listTools);
    const slot = makeSlot(async () => standing({ listTools, isBroken: () => false }));
    await slot.connection();
    listTools.mockRejectedValue(new Error('Not now'));
    await expect(slot.refresh()).rejects.toMatchObject({ code: 'connect-failed' });
    expect(slot.state.status).toBe('ready');
  });
});

describe('whatever a person and a server do', () => {
  it('one attempt is under way at most, and ten a minute', async () => {
    const attempts: number[] = [];
    let underWay = 0;
    let most = 0;
    const slot = makeSlot(async (_server, { signal, mayRepeat, onLost }) => {
      attempts.push(Date.now());
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, 50));
      // As one that ends at the first question is started twice.
      if (attempts.length % 3 === 0 && mayRepeat()) attempts.push(Date.now());
      // What was started takes a while to end.
      if (signal.aborted) await new Promise((resolve) => setTimeout(resolve, 200));
      underWay--;
      signal.throwIfAborted();
      setTimeout(() => onLost(new Error('gone')), 20);
      return standing();
    });
    const acts = [
      () => slot.restart(),
      () => slot.wake(),
      () => void slot.stop(),
      () => slot.begin(),
      () => void slot.connection().catch(() => {}),
    ];
    for (let i = 0; i < 6000; i++) {
      acts[(i * 7 + (i >> 4)) % acts.length]?.();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect([most, mostAMinute(attempts)]).toEqual([1, 10]);
  });

  it('a restart beyond that is said to be one, and comes when the minute is over', async () => {
    let connections = 0;
    const slot = makeSlot(async () => {
      connections++;
      return standing();
    });
    const startedAt = Date.now();
    for (let i = 0; i < 15; i++) {
      slot.restart();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(connections).toBe(10);
    expect(slot.state).toMatchObject({
      status: 'waiting-to-retry',
      retryAt: startedAt + 60_000,
      error: { message: 'The server “web” was started 10 times within a minute.' },
    });
    const call = slot.call('echo', {}, { signal: new AbortController().signal });
    const refused = expect(call).rejects.toThrow('10 times within a minute');
    await vi.advanceTimersByTimeAsync(10_000);
    await refused;
    await vi.advanceTimersByTimeAsync(36_000);
    expect([slot.state.status, connections]).toEqual(['ready', 11]);
  });

  it('a restart of one that waits for its next try keeps saying why', async () => {
    const slot = makeSlot(async () => {
      throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    });
    for (let i = 0; i < 15; i++) {
      slot.restart();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(slot.state).toMatchObject({
      status: 'waiting-to-retry',
      error: { message: expect.stringContaining('reached') },
    });
  });
});

describe('whatever a server does', () => {
  it.each([
    ['is lost as soon as it stands', false],
    ['fails to start', true],
  ])('one that %s is tried ten times a minute at most', async (_what, fails) => {
    const attempts: number[] = [];
    const slot = makeSlot(async (_server, { onLost }) => {
      attempts.push(Date.now());
      if (fails) throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
      setTimeout(() => onLost(new Error('gone')), 20);
      return standing();
    });
    slot.begin();
    // Events of the network and calls come all the time.
    for (let i = 0; i < 3000; i++) {
      slot.wake();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(attempts.length).toBeGreaterThan(10);
    expect(mostAMinute(attempts)).toBe(10);
  });
});
