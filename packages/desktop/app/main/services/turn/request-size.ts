import type { ToolSet } from '../ports/tools.ts';
import type { HistoryReader } from './history-reader.ts';
import type { ConversationView } from './summary-view.ts';
import { estimateMessages, estimateTokens, estimateTools } from './token-estimate.ts';

/** Of a whole request, tools and system prompt included. */
export interface RequestSize {
  tokens: number;
  /** What would be said if nothing had been counted: only good for comparing. */
  estimate: number;
  /** How many times an estimate the tokens really are. */
  scale: number;
}

/** What goes out with the messages. */
export interface Around {
  system: string | undefined;
  toolSet: Pick<ToolSet, 'tools'>;
}

/**
 * Estimates aren't wrong by more than this. A count that says so is wrong itself: some servers leave out what they had in
 * their cache, some say the same of every request.
 */
const MIN_SCALE = 0.4;
const MAX_SCALE = 4;

/**
 * How large the next request will be: what the provider counted for the last answer, and an estimate of what came since. An
 * answer from before the last summary says nothing, since it was given to a longer conversation. All is estimated then, and
 * where the provider doesn't count, or counts what can't be.
 * @param lastScale of the request before; where nothing is counted, estimates are taken to be as wrong as there
 */
export function requestSize(
  view: ConversationView,
  reader: HistoryReader,
  { system, toolSet }: Around,
  lastScale: number,
): RequestSize {
  const messages = view.rows.reduce((sum, row) => sum + reader.tokensOf(row), 0);
  const around = estimateTokens(system ?? '') + estimateTools(toolSet.tools) + estimateTokens(view.opening ?? '');
  const estimate = Math.max(around + messages, 1);
  const counted = countedTokens(view, reader);
  const measured = counted === undefined ? lastScale : counted / estimate;
  const scale = measured >= MIN_SCALE && measured <= MAX_SCALE ? measured : 1;
  return { tokens: estimate * scale, estimate, scale };
}

/** Undefined where nothing was counted. */
function countedTokens(view: ConversationView, reader: HistoryReader): number | undefined {
  const answered = countedAnswer(view);
  const row = view.rows[answered];
  if (!row?.usage) return undefined;
  // Its calls are counted with the answer, their results are not.
  const results = reader.messagesOf(row).filter(({ role }) => role === 'tool');
  const since = view.rows.slice(answered + 1).reduce((sum, row) => sum + reader.tokensOf(row), 0);
  return row.usage.inputTokens + row.usage.outputTokens + estimateMessages(results) + since;
}

/** Index among the view's rows of the last answer with a count that still holds; -1 when there is none. */
function countedAnswer({ rows, afterSummary }: ConversationView): number {
  const index = rows.findLastIndex(({ usage }) => usage !== undefined && usage.inputTokens > 0);
  return index >= afterSummary ? index : -1;
}
