import type { McpServerState } from '@shared/contracts/mcp-types.ts';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/Badge.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { useNow } from '../../../ui/useNow.ts';
import { isTicking, stateWords } from './logic/state-words.ts';

/** How a server is, in a word or two that keep up with time. */
export function ServerState({ state }: { state: McpServerState }) {
  const { t } = useTranslation('servers');
  const now = useNow(isTicking(state));
  const words = stateWords(state, now);
  return (
    <span className="inline-flex items-center gap-1.5">
      {state.status === 'connecting' && <Spinner size={16} className="text-muted" />}
      <Badge tone={words.tone}>
        <span className="tabular">
          {'seconds' in words ? t(`state.${words.key}`, { seconds: words.seconds }) : t(`state.${words.key}`)}
        </span>
      </Badge>
    </span>
  );
}
