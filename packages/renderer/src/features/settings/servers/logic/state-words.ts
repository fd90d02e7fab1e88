import type { ErrorInfo } from '@shared/contracts/contract.ts';
import type { McpServerState } from '@shared/contracts/mcp-types.ts';
import type { Tone } from '../../../../ui/Badge.tsx';

/** The name of a text, with what goes into it. Seconds are whole. */
export type StateWords = { tone: Tone } & (
  | { key: 'off' | 'connecting' | 'ready' | 'asleep' | 'retryNow' | 'needsSignIn' | 'failed' }
  | { key: 'connectingFor' | 'installing' | 'retryIn'; seconds: number }
);

/** Programs that may download something often need not: only a start that takes longer than this is called one. */
const INSTALLING_AFTER_S = 3;

/** How a server is, in words. @param now milliseconds since the epoch */
export function stateWords(state: McpServerState, now: number): StateWords {
  switch (state.status) {
    case 'off':
      return { tone: 'neutral', key: 'off' };
    case 'connecting': {
      const seconds = Math.floor((now - state.since) / 1000);
      if (state.note !== undefined && seconds >= INSTALLING_AFTER_S) {
        return { tone: 'accent', key: 'installing', seconds };
      }
      return seconds < 1 ? { tone: 'accent', key: 'connecting' } : { tone: 'accent', key: 'connectingFor', seconds };
    }
    case 'ready':
      return state.asleep ? { tone: 'neutral', key: 'asleep' } : { tone: 'success', key: 'ready' };
    case 'waiting-to-retry': {
      const seconds = Math.ceil((state.retryAt - now) / 1000);
      return seconds < 1 ? { tone: 'warning', key: 'retryNow' } : { tone: 'warning', key: 'retryIn', seconds };
    }
    case 'needs-sign-in':
      return { tone: 'warning', key: 'needsSignIn' };
    case 'failed':
      return { tone: 'danger', key: 'failed' };
  }
}

export const errorOf = (state: McpServerState): ErrorInfo | undefined => ('error' in state ? state.error : undefined);

/** Whether the words change by themselves as time goes. */
export const isTicking = ({ status }: McpServerState): boolean =>
  status === 'connecting' || status === 'waiting-to-retry';
