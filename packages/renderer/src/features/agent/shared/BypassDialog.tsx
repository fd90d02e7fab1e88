import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { visibleString } from '../../../ui/visible-text.ts';

/** Asks each time before a run may work without asking. */
export function BypassDialog({
  open,
  workspace,
  confirmLabel,
  busy,
  onConfirm,
  onClose,
}: {
  open: boolean;
  workspace: string;
  confirmLabel: string;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('agent');
  return (
    <ConfirmDialog
      open={open}
      title={t('bypass.title')}
      description={t('bypass.text', { workspace: visibleString(workspace) })}
      confirmLabel={confirmLabel}
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
