import { type McpSubscription, ProtocolError } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChangeStream } from './change-stream.ts';

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream whose server answers the nth question as `answer` says: ends it after so many ms, or refuses it with an error. */
function streamOf(answer: (n: number) => number | Error) {
  const askedAt: number[] = [];
  const onReopened = vi.fn();
  const onUnsupported = vi.fn();
  const log = vi.fn();
  const close = vi.fn(async () => {});
  const listen = async (): Promise<McpSubscription> => {
    const ends = answer(askedAt.push(Date.now()) - 1);
    if (ends instanceof Error) throw ends;
    const closed = new Promise<'remote'>((resolve) => setTimeout(() => resolve('remote'), ends));
    return { honoredFilter: {}, close, closed };
  };
  const stream = new ChangeStream({ listen, onReopened, onUnsupported, log });
  return { stream, askedAt, onReopened, onUnsupported, log, close };
}

/** Most of these times that lie within any one minute. */
const mostAMinute = (times: number[]) =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + MINUTE).length));

describe('a stream of changes', () => {
  it('that drops is opened again, and it is told that something may have been missed', async () => {
    const { stream, askedAt, onReopened, log } = streamOf((n) => (n === 0 ? 30_000 : 24 * 60 * MINUTE));
    stream.begin();
    await vi.advanceTimersByTimeAsync(29_000);
    expect([askedAt.length, onReopened.mock.calls.length]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(3000);
    expect([askedAt.length, onReopened.mock.calls.length]).toEqual([2, 1]);
    expect(log.mock.calls.map(([, level]) => level)).toEqual(['warning', 'info']);
    stream.end();
  });

  it.each<[string, (n: number) => number | Error]>([
    ['refused again and again', () => new ProtocolError(-32603, 'not now')],
    ['that ends as soon as it is open', () => 0],
    ['that ends every few seconds', () => 3000],
  ])('%s is asked for less and less often, and never given up', async (_what, answer) => {
    const { stream, askedAt, log } = streamOf(answer);
    stream.begin();
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(mostAMinute(askedAt)).toBeLessThanOrEqual(10);
    const gaps = askedAt.slice(1).map((at, n) => at - askedAt[n]!);
    expect(gaps[0]).toBeLessThan(5000);
    expect(Math.min(...gaps.slice(8))).toBeGreaterThan(40_000);
    expect(gaps.length).toBeGreaterThan(40);
    // A log with a line for each would hold nothing else.
    expect(log.mock.calls.length).toBeLessThanOrEqual(2 * askedAt.length);
    stream.end();
  });

  it('that a server does not know is asked for once', async () => {
    const { stream, askedAt, onUnsupported, onReopened } = streamOf(
      () => new ProtocolError(-32601, 'Method not found'),
    );
    stream.begin();
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect([askedAt.length, onUnsupported.mock.calls.length, onReopened.mock.calls.length]).toEqual([1, 1, 0]);
  });

  it('is not opened after its end', async () => {
    const { stream, askedAt } = streamOf(() => 1000);
    stream.begin();
    await vi.advanceTimersByTimeAsync(1500);
    stream.end();
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(askedAt.length).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is closed when it was ended while it was being opened', async () => {
    const { stream, close } = streamOf(() => 24 * 60 * MINUTE);
    stream.begin();
    stream.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(close).toHaveBeenCalledOnce();
  });

  it('that somebody waits for says at once that it is refused', async () => {
    const { stream, askedAt } = streamOf(() => new ProtocolError(-32602, 'no such resource'));
    await expect(stream.open()).rejects.toThrow('no such resource');
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(askedAt.length).toBe(1);
  });
});
