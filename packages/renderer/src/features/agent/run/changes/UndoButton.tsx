import type { FileChange } from '@shared/contracts/agent-types.ts';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../../../bridge/errors.ts';
import { useAgent } from '../../../../stores/agent.ts';
import { useApp } from '../../../../stores/app.ts';
import { toastError } from '../../../../stores/toasts.ts';
import { Badge } from '../../../../ui/Badge.tsx';
import { Button } from '../../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../../ui/Dialog.tsx';
import { useAction } from '../../../../ui/useAction.ts';
import { visibleString } from '../../../../ui/visible-text.ts';

/** Puts a file back to what it was before a change; asks first where the file has changed since. */
export function UndoButton({ conversationId, change }: { conversationId: string; change: FileChange }) {
  const { t } = useTranslation('agent');
  const undo = useAgent((state) => state.undo);
  const [asking, setAsking] = useState(false);
  const path = visibleString(change.path);

  const action = useAction(async (force: boolean) => {
    try {
      await undo(conversationId, change.id, force);
      setAsking(false);
      // The button goes; whoever pressed it by keyboard stays at the change.
      document.querySelector<HTMLElement>(`[data-change="${CSS.escape(change.id)}"]`)?.focus();
      useApp.getState().announce(t('changes.undoneSay', { path }));
    } catch (thrown) {
      const error = toApiError(thrown);
      setAsking(error.code === 'changed-since');
      if (error.code !== 'changed-since') toastError(error);
    }
  });

  if (change.undone) return <Badge>{t('changes.undone')}</Badge>;
  return (
    <>
      <Button
        size="sm"
        icon={Undo2}
        aria-label={t('changes.undoOf', { path })}
        busy={action.busy && !asking}
        onClick={() => void action.run(false)}
      >
        {t('changes.undo')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('changes.sinceTitle', { path })}
        description={t('changes.sinceText')}
        confirmLabel={t('changes.sinceConfirm')}
        busy={action.busy}
        onConfirm={() => void action.run(true)}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
