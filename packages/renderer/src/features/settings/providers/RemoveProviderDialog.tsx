import type { ProviderView } from '@shared/contracts/providers.contract.ts';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../../bridge/errors.ts';
import { toastError } from '../../../stores/toasts.ts';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { removeProvider } from './provider-actions.ts';

export function RemoveProviderDialog({
  provider,
  onRemoved,
  onClose,
}: {
  provider: ProviderView;
  onRemoved: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['providers', 'common']);
  const remove = useAction(() =>
    removeProvider(provider.id).then(onRemoved, (thrown) => {
      toastError(toApiError(thrown));
      onClose();
    }),
  );
  return (
    <ConfirmDialog
      open
      title={t('remove.title', { name: provider.name })}
      description={t('remove.text')}
      confirmLabel={t('common:remove')}
      busy={remove.busy}
      onConfirm={() => remove.run()}
      onClose={onClose}
    />
  );
}
