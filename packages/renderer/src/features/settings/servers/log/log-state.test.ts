import type { McpLogEntry } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it } from 'vitest';
import { cleared, EMPTY_LOG, held, received } from './log-state.ts';

const entries = (from: number, to: number): McpLogEntry[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    number: from + index,
    at: 0,
    source: 'stderr',
    level: 'info',
    text: '',
  }));
const numbers = (shown: readonly McpLogEntry[] | null) => shown?.map(({ number }) => number);

describe('a view of a log', () => {
  it('stands still while it is held, counts what comes, and shows it afterwards', () => {
    let state = received(EMPTY_LOG, entries(1, 2), 2);
    state = held(state, true);
    state = received(state, entries(3, 4), 4);
    state = received(state, [], 4);
    expect([numbers(state.shown), state.waitingCount]).toEqual([[1, 2], 2]);
    state = held(state, false);
    expect([numbers(state.shown), state.waitingCount]).toEqual([[1, 2, 3, 4], 0]);
  });

  it('counts what was dropped too', () => {
    let state = held(received(EMPTY_LOG, [], 0), true);
    state = received(state, entries(9001, 10_000), 10_000);
    expect(state.waitingCount).toBe(10_000);
  });

  it('shows what there is at first, held or not', () => {
    expect(numbers(received(held(EMPTY_LOG, true), entries(1, 1), 1).shown)).toEqual([1]);
  });

  it('is bounded, held or not', () => {
    let state = received(EMPTY_LOG, entries(1, 5000), 5000);
    expect([state.shown?.length, state.shown?.at(-1)?.number]).toEqual([2000, 5000]);
    state = received(held(state, true), entries(5001, 9000), 9000);
    expect([state.waiting.length, state.waitingCount]).toEqual([2000, 4000]);
    state = held(state, false);
    expect([state.shown?.length, state.shown?.at(-1)?.number]).toEqual([2000, 9000]);
  });

  it('is empty after it was cleared, and goes on', () => {
    let state = cleared(received(EMPTY_LOG, entries(1, 3), 3));
    expect(state.shown).toEqual([]);
    state = received(state, entries(4, 4), 4);
    expect(numbers(state.shown)).toEqual([4]);
  });
});
