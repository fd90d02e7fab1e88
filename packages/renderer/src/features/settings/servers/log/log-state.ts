import type { McpLogEntry } from '@shared/contracts/mcp-types.ts';

/** How many entries are kept in the window; main keeps no more than its last thousand. */
const KEPT = 2000;

export interface LogState {
  /** Oldest first; null until main has answered. */
  shown: readonly McpLogEntry[] | null;
  /** What came while the view stood still. */
  waiting: readonly McpLogEntry[];
  /** How many came while the view stood still, those included that are not kept. */
  waitingCount: number;
  /** The view stands still: somebody pressed Pause, or reads further up. */
  isHeld: boolean;
  /** The number of the newest entry. */
  latest: number;
}

export const EMPTY_LOG: LogState = { shown: null, waiting: [], waitingCount: 0, isHeld: false, latest: 0 };

export function received(state: LogState, entries: readonly McpLogEntry[], latest: number): LogState {
  if (!state.isHeld || state.shown === null) {
    return { ...state, shown: lastOf(state.shown ?? [], entries), latest };
  }
  const came = latest - state.latest;
  if (came <= 0) return state;
  return { ...state, waiting: lastOf(state.waiting, entries), waitingCount: state.waitingCount + came, latest };
}

export function held(state: LogState, isHeld: boolean): LogState {
  if (isHeld === state.isHeld) return state;
  if (isHeld || state.waiting.length === 0) return { ...state, isHeld, waitingCount: 0 };
  return { ...state, isHeld, shown: lastOf(state.shown ?? [], state.waiting), waiting: [], waitingCount: 0 };
}

/** Forgets what there is; what comes after is counted on. */
export const cleared = (state: LogState): LogState => ({ ...state, shown: [], waiting: [], waitingCount: 0 });

const lastOf = (old: readonly McpLogEntry[], fresh: readonly McpLogEntry[]): readonly McpLogEntry[] =>
  fresh.length === 0 ? old : [...old, ...fresh].slice(-KEPT);
