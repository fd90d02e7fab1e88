import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../../bridge/errors.ts';
import { toastError } from '../../../stores/toasts.ts';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { removeServer } from './server-actions.ts';

export function RemoveServerDialog({
  server,
  onRemoved,
  onClose,
}: {
  server: McpServerView;
  onRemoved: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['servers', 'common']);
  const remove = useAction(() =>
    removeServer(server.id).then(onRemoved, (thrown) => {
      toastError(toApiError(thrown));
      onClose();
    }),
  );
  return (
    <ConfirmDialog
      open
      title={t('remove.title', { name: server.name })}
      description={t(textFor(server))}
      confirmLabel={t('common:remove')}
      busy={remove.busy}
      onConfirm={() => remove.run()}
      onClose={onClose}
    />
  );
}

function textFor({ builtin }: McpServerView) {
  if (builtin === undefined) return 'remove.text';
  if (builtin === 'folders') return 'remove.textFolders';
  return builtin === 'memory' ? 'remove.textMemory' : 'remove.textBuiltin';
}
