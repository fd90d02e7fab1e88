import { describe, expect, it } from 'vitest';
import { DEFAULT_RETRY_TIMES, RetryPolicy } from './retry-policy.ts';

const MINUTE = 60_000;

describe('RetryPolicy', () => {
  it('waits longer each time, with a cap, and gives up after five', () => {
    const policy = new RetryPolicy({ ...DEFAULT_RETRY_TIMES, longestMs: 3000 }, () => 0.5);
    expect(Array.from({ length: 6 }, () => policy.next(0))).toEqual([1000, 2000, 3000, 3000, undefined, undefined]);
    policy.reset();
    expect(policy.next(0)).toBe(1000);
  });

  it('spreads the delays', () => {
    const delay = (random: number) => new RetryPolicy(DEFAULT_RETRY_TIMES, () => random).next(0);
    expect([delay(0), delay(1)]).toEqual([750, 1250]);
  });

  it('counts anew only after a connection that stood a minute', () => {
    const policy = new RetryPolicy(DEFAULT_RETRY_TIMES, () => 0.5);
    const dieAfter = (ms: number) => {
      policy.succeeded(0);
      return policy.next(ms);
    };
    expect([dieAfter(200), dieAfter(200), dieAfter(MINUTE), dieAfter(MINUTE - 1)]).toEqual([1000, 2000, 1000, 2000]);
  });

  it('allows ten attempts a minute', () => {
    const policy = new RetryPolicy(DEFAULT_RETRY_TIMES, () => 0.5);
    for (let i = 0; i < 10; i++) {
      expect(policy.allows(i * 100)).toBe(true);
      policy.attempted(i * 100);
    }
    policy.reset();
    expect(policy.allows(1000)).toBe(false);
    expect(policy.untilAllowed(1000)).toBe(MINUTE - 1000);
    expect(policy.next(1000)).toBe(MINUTE - 1000);
    expect(policy.allows(MINUTE)).toBe(true);
  });
});
