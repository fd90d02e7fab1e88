import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Fetch } from '../../../../ports/infrastructure.ts';
import { pacedReconnects, ServerStream } from './event-streams.ts';

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
    expect(await reopenedAt(10 ** 12, 45_000)).toEqual([]);
  });
});

const stream = () => new Response('', { headers: { 'content-type': 'text/event-stream' } });

/** A fetch that gives one of these answers after another, and what is told while they come. */
function watched(answers: (Response | Error)[]) {
  const onReopened = vi.fn();
  const onRefused = vi.fn();
  const serverStream = new ServerStream({ onReopened, onRefused });
  const asked = vi.fn(async (_input: unknown, init?: RequestInit) => {
    init?.signal?.throwIfAborted();
    const answer = answers.shift();
    if (answer instanceof Response) return answer;
    throw answer ?? new Error('nothing left');
  });
  const fetch = serverStream.wrap(asked as Fetch);
  const get = (headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch('http://x/', { method: 'GET', headers: new Headers(headers), signal });
  return { serverStream, asked, fetch, get, onReopened, onRefused };
}

describe('ServerStream', () => {
  it('tells of each further stream that does not go on after a known event', async () => {
    const refusals = [405, 500].map((status) => new Response('', { status }));
    const { get, onReopened } = watched([stream(), ...refusals, stream(), stream()]);
    const told: number[] = [];
    for (const headers of [{}, {}, {}, { 'Last-Event-ID': '7' }, {}] as Record<string, string>[]) {
      await get(headers);
      told.push(onReopened.mock.calls.length);
    }
    expect(told).toEqual([0, 0, 0, 0, 1]);
  });

  it('leaves the streams of calls alone', async () => {
    const { fetch, serverStream, asked, onReopened } = watched([stream(), stream(), stream()]);
    for (let i = 0; i < 3; i++) await fetch('http://x/', { method: 'POST' });
    serverStream.renew();
    expect(onReopened).not.toHaveBeenCalled();
    expect(asked.mock.calls.every(([, init]) => init?.signal === undefined)).toBe(true);
  });

  it('ends the stream when it is to be opened anew, and tells of the next whatever it goes on after', async () => {
    const { get, serverStream, asked, onReopened } = watched([stream(), stream(), stream()]);
    await get();
    serverStream.renew();
    expect(asked.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
    await get({ 'Last-Event-ID': '7' });
    expect(onReopened).toHaveBeenCalledOnce();
    await get({ 'Last-Event-ID': '7' });
    expect(onReopened).toHaveBeenCalledOnce();
  });

  it('says once that a stream that was open is refused', async () => {
    const refusals = () => [404, 404, 503, 400].map((status) => new Response('', { status }));
    const { get, onRefused } = watched([stream(), ...refusals(), stream(), ...refusals()]);
    const told: number[] = [];
    for (let i = 0; i < 10; i++) {
      await get();
      told.push(onRefused.mock.calls.length);
    }
    expect(told).toEqual([0, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
  });

  it('takes the first refusal for a server without such a stream', async () => {
    const { get, onRefused } = watched([new Response('', { status: 404 })]);
    expect((await get()).status).toBe(404);
    expect(onRefused).not.toHaveBeenCalled();
  });

  it('asks again for a first one that is refused for the moment, as long as somebody wants it', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const away = new TypeError('fetch failed');
    const { get, asked, onReopened, serverStream } = watched([away, new Response('', { status: 503 }), away, stream()]);
    const opened = get();
    await vi.advanceTimersByTimeAsync(3100);
    expect(asked).toHaveBeenCalledTimes(3);
    serverStream.renew();
    expect((await opened).ok).toBe(true);
    expect(onReopened).toHaveBeenCalledOnce();

    const { get: again, asked: askedAgain } = watched([away, away, away]);
    const stop = new AbortController();
    const refused = expect(again({}, stop.signal)).rejects.toThrow('over');
    await vi.advanceTimersByTimeAsync(100);
    stop.abort(new Error('over'));
    await refused;
    expect(askedAgain).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });
});
