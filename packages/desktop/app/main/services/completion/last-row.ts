import type { Message } from '@shared/contracts/message-types.ts';

const ASKING_NOTICES: ReadonlySet<string> = new Set(['round-limit', 'repeating', 'token-budget']);

/** Whether it is an answer none of whose calls has begun to run. */
export const isReplaceable = (row: Message | undefined): boolean =>
  row?.role === 'assistant' && row.parts.every((part) => part.type !== 'tool' || part.startedAt === undefined);

/** Whether the turn ended with it to ask whether it should go on. */
export const asksToProceed = (row: Message | undefined): boolean =>
  row?.parts.some((part) => part.type === 'notice' && ASKING_NOTICES.has(part.notice)) ?? false;

/**
 * Whether a run that ended with it was not done: it was stopped, failed or interrupted, or nothing came after a message or
 * after the results of calls.
 */
export function isUnfinished(row: Message | undefined): boolean {
  if (!row) return false;
  if (row.role === 'user' || row.status !== 'complete') return true;
  return row.parts.findLast(({ type }) => type !== 'notice')?.type === 'tool';
}
