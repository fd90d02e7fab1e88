import type { Conversation } from '@shared/contracts/message-types.ts';

export type DayGroup =
  | { kind: 'today' | 'yesterday' | 'week'; conversations: Conversation[] }
  | { kind: 'month'; month: Date; conversations: Conversation[] };

const DAYS_IN_WEEK = 7;

/** Puts conversations, most recent first, under today, yesterday, the last seven days, and the months before. */
export function groupByDay(conversations: readonly Conversation[], now: Date): DayGroup[] {
  const dayStart = (daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime();
  const groups: DayGroup[] = [];
  for (const conversation of conversations) {
    const at = conversation.updatedAt;
    const kind =
      at >= dayStart(0) ? 'today' : at >= dayStart(1) ? 'yesterday' : at >= dayStart(DAYS_IN_WEEK) ? 'week' : 'month';
    const used = new Date(at);
    const month = new Date(used.getFullYear(), used.getMonth());
    const last = groups.at(-1);
    if (last?.kind === kind && (last.kind !== 'month' || last.month.getTime() === month.getTime())) {
      last.conversations.push(conversation);
    } else {
      groups.push(
        kind === 'month' ? { kind, month, conversations: [conversation] } : { kind, conversations: [conversation] },
      );
    }
  }
  return groups;
}
