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
    const most = Math.max(
      ...attempts.map((at) => attempts.filter((other) => other >= at && other < at + 60_000).length),
    );
    expect(most).toBe(10);
  });
});
