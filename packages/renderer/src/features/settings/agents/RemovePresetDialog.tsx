import type { AgentPreset } from '@shared/contracts/agent-types.ts';
import { useTranslation } from 'react-i18next';
import { api } from '../../../bridge/api.ts';
import { toApiError, unwrap } from '../../../bridge/errors.ts';
import { useAgent } from '../../../stores/agent.ts';
import { toastError } from '../../../stores/toasts.ts';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { visibleString } from '../../../ui/visible-text.ts';

export function RemovePresetDialog({
  preset,
  onRemoved,
  onClose,
}: {
  preset: AgentPreset;
  onRemoved: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['agent', 'common']);
  const remove = useAction(async () => {
    try {
      await unwrap(api().agent.removePreset({ presetId: preset.id }));
      await useAgent.getState().loadPresets();
      onRemoved();
    } catch (thrown) {
      toastError(toApiError(thrown));
      onClose();
    }
  });
  return (
    <ConfirmDialog
      open
      title={t('presets.removeTitle', { name: visibleString(preset.name) })}
      description={t('presets.removeText')}
      confirmLabel={t('common:delete')}
      busy={remove.busy}
      onConfirm={() => void remove.run()}
      onClose={onClose}
    />
  );
}
