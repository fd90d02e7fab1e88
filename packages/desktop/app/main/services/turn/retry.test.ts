import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError, ModelError } from '../ports/errors.ts';
import { MAX_ATTEMPTS, type RetryWait, retryDelay, withRetry } from './retry.ts';

const overloaded = (retryAfterMs?: number) =>
  new ModelError('overloaded', 'Too busy.', { retryable: true, retryAfterMs });

describe('withRetry', () => {
  let waits: (RetryWait | null)[];
  let controller: AbortController;
  let begun: boolean;

  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
    waits = [];
    controller = new AbortController();
    begun = false;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const run = (request: () => Promise<string>) =>
    withRetry(request, {
      signal: controller.signal,
      clock: { now: () => Date.now() },
      onWait: (wait) => waits.push(wait),
      mayRepeat: () => !begun,
      random: () => 0,
    });

  it('waits as long as the server asked and says so', async () => {
    const request = vi.fn().mockRejectedValueOnce(overloaded(7_000)).mockResolvedValue('answer');
    const result = run(request);
    await vi.advanceTimersByTimeAsync(6_999);
    expect(request).toHaveBeenCalledTimes(1);
    expect(waits).toEqual([
      { at: 1_007_000, attempt: 2, error: expect.objectContaining({ code: 'overloaded', message: 'Too busy.' }) },
    ]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toBe('answer');
    expect(waits.at(-1)).toBeNull();
  });

  it('gives up after five attempts with the last error', async () => {
    const request = vi.fn().mockImplementation(async () => {
      throw overloaded();
    });
    const result = run(request);
    const check = expect(result).rejects.toMatchObject({ code: 'overloaded' });
    await vi.runAllTimersAsync();
    await check;
    expect(request).toHaveBeenCalledTimes(MAX_ATTEMPTS);
    expect(waits.filter(Boolean).map((wait) => wait!.attempt)).toEqual([2, 3, 4, 5]);
  });

  it.each([
    ['an error that another try would not change', () => new ModelError('key-refused', 'No.')],
    ['an error that is not of the model', () => new AppError('internal', 'No.')],
    ['a wait that nobody would sit through', () => overloaded(3_600_000)],
  ])('does not retry %s', async (_what, error) => {
    const request = vi.fn().mockRejectedValue(error());
    await expect(run(request)).rejects.toBeInstanceOf(AppError);
    expect(request).toHaveBeenCalledTimes(1);
    expect(waits).toEqual([]);
  });

  it('does not repeat a request of whose answer something has arrived', async () => {
    const request = vi.fn().mockImplementation(async () => {
      begun = true;
      throw overloaded();
    });
    await expect(run(request)).rejects.toMatchObject({ code: 'overloaded' });
    expect(request).toHaveBeenCalledTimes(1);
  });

  it('stops at once while it waits', async () => {
    const request = vi.fn().mockRejectedValue(overloaded(60_000));
    const result = run(request);
    const check = expect(result).rejects.toBe('stop');
    await vi.advanceTimersByTimeAsync(10);
    controller.abort('stop');
    await check;
    expect(waits.at(-1)).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
    expect(request).toHaveBeenCalledTimes(1);
  });
});

describe('retryDelay', () => {
  it('never comes back before the server asked for, and not much later', () => {
    for (const jitter of [0, 0.5, 0.999]) {
      expect(retryDelay(1, 5_000, jitter)).toBeGreaterThanOrEqual(5_000);
      expect(retryDelay(1, 5_000, jitter)).toBeLessThanOrEqual(5_500);
    }
  });

  it('grows, spreads and is bounded without the server’s word', () => {
    expect([1, 2, 3, 4].map((attempt) => retryDelay(attempt, undefined, 1))).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(retryDelay(1, undefined, 0)).toBe(500);
    expect(retryDelay(50, undefined, 1)).toBe(30_000);
  });

  it.each([0, -5, Number.NaN])('takes a senseless delay of %d for none', (senseless) => {
    expect(retryDelay(1, senseless, 1)).toBe(1_000);
  });
});
