import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onReturn } from './on-return.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('calls once each time that something is back', () => {
  let there = true;
  const returned = vi.fn();
  onReturn(() => there, returned, 1000);
  vi.advanceTimersByTime(5000);
  there = false;
  vi.advanceTimersByTime(5000);
  expect(returned).not.toHaveBeenCalled();
  there = true;
  vi.advanceTimersByTime(5000);
  expect(returned).toHaveBeenCalledOnce();
});
