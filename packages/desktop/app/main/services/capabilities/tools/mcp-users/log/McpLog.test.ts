import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../../ports/errors.ts';
import { ServerLog } from '../server-log.ts';
import { McpLog } from './McpLog.ts';

const TIMES = { longestWaitMs: 10_000, batchMs: 100, graceMs: 5000 };

function makeLog() {
  const serverLog = new ServerLog({ now: () => 0 });
  const log = new McpLog({
    logOf: (serverId) => {
      if (serverId !== 'one') throw new AppError('not-found', 'This server does not exist any more.');
      return serverLog;
    },
    times: TIMES,
  });
  return { log, serverLog };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('reading', () => {
  it('gives at once what there is, then waits for more and gives it in one batch', async () => {
    const { log, serverLog } = makeLog();
    serverLog.add('stderr', 'info', 'a');
    expect(await log.read('one')).toMatchObject({ entries: [{ text: 'a' }], latest: 1, recording: false });

    const next = log.read('one', 1);
    await vi.advanceTimersByTimeAsync(1000);
    serverLog.add('stderr', 'info', 'b');
    await vi.advanceTimersByTimeAsync(50);
    serverLog.add('stderr', 'info', 'c');
    await vi.advanceTimersByTimeAsync(100);
    expect((await next).entries.map(({ text }) => text)).toEqual(['b', 'c']);
  });

  it('gives a batch at most ten times a second, of a thousand entries at most, however much a server writes', async () => {
    const { log, serverLog } = makeLog();
    const noise = setInterval(() => {
      for (let n = 0; n < 100; n += 1) serverLog.add('stderr', 'info', 'noise');
    }, 10);
    let reads = 0;
    let after = 0;
    const reading = (async () => {
      while (reads < 1000) {
        const { entries, latest } = await log.read('one', after);
        expect(entries.length).toBeLessThanOrEqual(1000);
        expect(entries.at(-1)?.number).toBe(latest);
        after = latest;
        reads += 1;
      }
    })();
    await vi.advanceTimersByTimeAsync(2000);
    clearInterval(noise);
    expect(reads).toBeGreaterThan(10);
    expect(reads).toBeLessThanOrEqual(20);
    expect(after).toBeGreaterThan(15_000);
    reads = 1000;
    await vi.advanceTimersByTimeAsync(20_000);
    await reading;
  });

  it('gives nothing after a while when nothing comes', async () => {
    const { log } = makeLog();
    const answer = log.read('one', 0);
    await vi.advanceTimersByTimeAsync(TIMES.longestWaitMs + TIMES.batchMs);
    expect(await answer).toEqual({ entries: [], latest: 0, recording: false });
  });

  it('is refused for a server that is gone', async () => {
    const { log } = makeLog();
    await expect(log.read('two')).rejects.toMatchObject({ code: 'not-found' });
    expect(() => log.clear('two')).toThrow();
  });
});

describe('messages are recorded', () => {
  it('only while somebody reads, and a little longer', async () => {
    const { log, serverLog } = makeLog();
    expect(serverLog.messages.active).toBe(false);
    await log.read('one');
    expect(serverLog.messages.active).toBe(true);
    const waiting = log.read('one', 0);
    await vi.advanceTimersByTimeAsync(TIMES.graceMs + 1000);
    expect(serverLog.messages.active).toBe(true);
    await vi.advanceTimersByTimeAsync(TIMES.longestWaitMs);
    await waiting;
    await vi.advanceTimersByTimeAsync(TIMES.graceMs);
    expect(serverLog.messages.active).toBe(false);
  });

  it('while nobody reads too, where that is wanted', async () => {
    const { log, serverLog } = makeLog();
    log.setRecording('one', true);
    expect((await log.read('one')).recording).toBe(true);
    await vi.advanceTimersByTimeAsync(TIMES.graceMs * 2);
    expect(serverLog.messages.active).toBe(true);
    log.setRecording('one', false);
    await vi.advanceTimersByTimeAsync(TIMES.graceMs);
    expect(serverLog.messages.active).toBe(false);
  });
});
