import type { McpServerState } from '@shared/contracts/mcp-types.ts';
import { useNow } from '../../../ui/useNow.ts';
import { VisibleText } from '../../../ui/VisibleText.tsx';
import { stateWords } from './logic/state-words.ts';

/** The last line that a program wrote which takes long to start and may be downloading itself. */
export function InstallNote({ state }: { state: McpServerState }) {
  const note = state.status === 'connecting' ? state.note : undefined;
  const now = useNow(note !== undefined);
  if (!note || stateWords(state, now).key !== 'installing') return null;
  return (
    <p data-testid="install-note" className="truncate font-mono text-muted text-xs">
      <VisibleText text={note} />
    </p>
  );
}
