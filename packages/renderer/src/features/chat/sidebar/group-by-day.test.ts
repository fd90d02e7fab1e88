import { describe, expect, it } from 'vitest';
import { conversation } from '../../../testing/messages.ts';
import { groupByDay } from './group-by-day.ts';

const now = new Date(2026, 10, 29, 9, 30);
const at = (...date: [number, number, number, number?]) =>
  conversation({ id: date.join('-'), updatedAt: new Date(date[0], date[1], date[2], date[3] ?? 12).getTime() });

const kinds = (...conversations: ReturnType<typeof at>[]) =>
  groupByDay(conversations, now).map((group) => [group.kind, group.conversations.length]);

describe('groupByDay', () => {
  it('goes by calendar days, not by 24 hours', () => {
    expect(kinds(at(2026, 10, 29, 0), at(2026, 10, 28, 23), at(2026, 10, 28, 0))).toEqual([
      ['today', 1],
      ['yesterday', 2],
    ]);
  });

  it('takes a clock that was ahead for today', () => {
    expect(kinds(at(2026, 10, 30))).toEqual([['today', 1]]);
  });

  it('puts what is older than a week under its month', () => {
    expect(kinds(at(2026, 10, 22), at(2026, 10, 21), at(2026, 10, 1), at(2026, 9, 30), at(2025, 9, 30))).toEqual([
      ['week', 1],
      ['month', 2],
      ['month', 1],
      ['month', 1],
    ]);
  });

  it('has no groups for no conversations', () => {
    expect(groupByDay([], now)).toEqual([]);
  });
});
