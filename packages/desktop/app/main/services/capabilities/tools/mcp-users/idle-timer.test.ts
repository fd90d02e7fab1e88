import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IdleTimer } from './idle-timer.ts';
import { StartLimit } from './start-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tells once nobody has used it for the limit', () => {
  const onIdle = vi.fn();
  const timer = new IdleTimer(onIdle);
  timer.limitMs = 1000;
  timer.start();
  const [first, second] = [timer.use(), timer.use()];
  vi.advanceTimersByTime(5000);
  first();
  vi.advanceTimersByTime(5000);
  second();
  vi.advanceTimersByTime(999);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onIdle).toHaveBeenCalledOnce();
});

it('is quiet without a limit, and when it is stopped, whoever ends a use then', () => {
  const onIdle = vi.fn();
  const timer = new IdleTimer(onIdle);
  timer.start();
  timer.use()();
  vi.advanceTimersByTime(1e9);
  timer.limitMs = 1000;
  const end = timer.use();
  timer.stop();
  end();
  vi.advanceTimersByTime(5000);
  expect(onIdle).not.toHaveBeenCalled();
});

it('a start may take as long as it shows life, and never longer than it may in all', () => {
  const limit = new StartLimit(1000, 5000);
  for (let at = 0; at < 4500; at += 900) {
    vi.advanceTimersByTime(900);
    expect(limit.signal.aborted).toBe(false);
    limit.alive();
  }
  vi.advanceTimersByTime(500);
  expect(limit.signal.reason).toMatchObject({ kind: 'total', limitMs: 5000 });
  const silent = new StartLimit(1000, 5000);
  vi.advanceTimersByTime(1000);
  expect(silent.signal.reason).toMatchObject({ kind: 'idle', limitMs: 1000 });
  silent.end();
  limit.end();
});

it('a start that is over leaves no timer behind, whatever the program writes then', () => {
  const limit = new StartLimit(1000, 5000);
  limit.end();
  limit.alive();
  expect(vi.getTimerCount()).toBe(0);
});
