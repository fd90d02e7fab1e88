import type { ToolSet } from '../ports/tools.ts';
import type { HistoryReader } from './history-reader.ts';
import type { ConversationView } from './summary-view.ts';
import { estimateMessages, estimateTokens, estimateTools } from './token-estimate.ts';

export interface RequestSize {
  /** Of the whole request, tools and system prompt included. */
  tokens: number;
  /** How many times an estimate the tokens really are; 1 where nothing was counted. */
  scale: number;
}

/** What goes out with the messages. */
export interface Around {
  system: string | undefined;
  toolSet: Pick<ToolSet, 'tools'>;
}

/** Estimates are never so wrong as to be off by more. */
const MIN_SCALE = 0.5;
const MAX_SCALE = 4;

/**
 * How large the next request will be: what the provider counted for the last answer, and an estimate of what came since. An
 * answer from before the last summary says nothing, since it was given to a longer conversation. All is estimated then, and
 * where the provider doesn't count.
 */
export function requestTokens(view: ConversationView, reader: HistoryReader, around: Around): number {
  const { rows } = view;
  const answered = countedAnswer(view);
  if (answered === -1) return estimateRequest(view, reader, around);
  const { inputTokens, outputTokens } = rows[answered]!.usage!;
  // Its calls are counted with the answer, their results are not.
  const results = reader.messagesOf(rows[answered]!).filter(({ role }) => role === 'tool');
  const since = rows.slice(answered + 1).reduce((sum, row) => sum + reader.tokensOf(row), 0);
  return inputTokens + outputTokens + estimateMessages(results) + since;
}

/** The same, and by how much estimates are off in this conversation. Looks at every message. */
export function requestSize(view: ConversationView, reader: HistoryReader, around: Around): RequestSize {
  const tokens = requestTokens(view, reader, around);
  const scale = tokens / Math.max(estimateRequest(view, reader, around), 1);
  return { tokens, scale: Math.min(Math.max(scale, MIN_SCALE), MAX_SCALE) };
}

/** Without what the provider counted. */
export function estimateRequest(view: ConversationView, reader: HistoryReader, { system, toolSet }: Around): number {
  const messages = view.rows.reduce((sum, row) => sum + reader.tokensOf(row), 0);
  return estimateTokens(system ?? '') + estimateTools(toolSet.tools) + estimateTokens(view.opening ?? '') + messages;
}

/** Index among the view's rows of the last answer with a count that still holds; -1 when there is none. */
function countedAnswer({ rows, afterSummary }: ConversationView): number {
  const index = rows.findLastIndex(({ usage }) => usage !== undefined && usage.inputTokens > 0);
  return index >= afterSummary ? index : -1;
}
