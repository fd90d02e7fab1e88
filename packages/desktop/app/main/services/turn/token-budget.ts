import type { Message } from '@shared/contracts/message-types.ts';

/**
 * Tokens of a conversation, in and out, as its rows say: all of them, and those since it last asked whether to go on. Whoever
 * lets it go on grants another budget.
 */
export function tokensOf(rows: readonly Message[]): { total: number; sinceAsked: number } {
  let total = 0;
  let sinceAsked = 0;
  for (const { usage, parts } of rows) {
    const tokens = usage ? usage.inputTokens + usage.outputTokens : 0;
    total += tokens;
    const hasAsked = parts.some((part) => part.type === 'notice' && part.notice === 'token-budget');
    sinceAsked = hasAsked ? 0 : sinceAsked + tokens;
  }
  return { total, sinceAsked };
}
