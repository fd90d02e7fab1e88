import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noticeReopened, pacedReconnects } from './event-streams.ts';

describe('pacedReconnects', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** When a stream is opened that ends at once, with a server that asks for so long a delay. */
  async function reopenedAt(delayMs: number, ms: number): Promise<number[]> {
    const schedule = pacedReconnects();
    const times: number[] = [];
    const reopen = () => {
      times.push(Date.now());
      schedule(reopen, delayMs);
    };
    const startedAt = Date.now();
    schedule(reopen, delayMs);
    await vi.advanceTimersByTimeAsync(ms);
    return times.map((at) => at - startedAt);
  }

  it('does as the server says, twice', async () => {
    expect(await reopenedAt(300, 700)).toEqual([300, 600]);
  });

  it('opens it ten times a minute at most, whatever the server says', async () => {
    const times = await reopenedAt(0, 600_000);
    const counts = times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(10);
    expect(times.length).toBeGreaterThan(20);
  });

  it('waits longer where the server wants that', async () => {
    expect(await reopenedAt(20_000, 45_000)).toEqual([20_000, 40_000]);
  });
});

describe('noticeReopened', () => {
  const stream = () => new Response('', { headers: { 'content-type': 'text/event-stream' } });

  it('tells of each further stream that does not go on after a known event', async () => {
    const answers = [
      stream(),
      new Response('', { status: 405 }),
      new Response('', { status: 500 }),
      stream(),
      stream(),
    ];
    const onReopened = vi.fn();
    const fetch = noticeReopened(async () => answers.shift()!, onReopened);
    const told: number[] = [];
    for (const headers of [{}, {}, {}, { 'Last-Event-ID': '7' }, {}]) {
      await fetch('http://x/', { method: 'GET', headers: new Headers(headers as Record<string, string>) });
      told.push(onReopened.mock.calls.length);
    }
    expect(told).toEqual([0, 0, 0, 0, 1]);
  });

  it('leaves the streams of calls alone', async () => {
    const onReopened = vi.fn();
    const fetch = noticeReopened(async () => stream(), onReopened);
    for (let i = 0; i < 3; i++) await fetch('http://x/', { method: 'POST' });
    expect(onReopened).not.toHaveBeenCalled();
  });
});
