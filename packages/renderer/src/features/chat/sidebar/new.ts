import { useApp } from '../../../stores/app.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { focusComposer } from '../composer/focus.ts';

/** Shows an empty chat. */
export function startNewChat(): void {
  useConversations.getState().select(null);
  useApp.getState().go({ name: 'chat' });
  focusComposer();
}

/** Shows the form of a new run; Esc leads back to what was shown. */
export function startNewRun(): void {
  const { selectedId, select } = useConversations.getState();
  const { view, go } = useApp.getState();
  go({ name: 'new-run', from: view.name === 'new-run' ? view.from : selectedId });
  select(null);
}
