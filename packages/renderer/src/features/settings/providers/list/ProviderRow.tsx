import type { ProviderPreset, ProviderView } from '@shared/contracts/providers.contract.ts';
import { Ellipsis, Pencil, PlugZap, Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../../../bridge/errors.ts';
import { toastError } from '../../../../stores/toasts.ts';
import { Badge, type Tone } from '../../../../ui/Badge.tsx';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { Menu } from '../../../../ui/Menu.tsx';
import { Switch } from '../../../../ui/Switch.tsx';
import { NameButton } from '../../shared/NameButton.tsx';
import type { ProvidersPage } from '../page-state.ts';
import { updateProvider } from '../provider-actions.ts';
import { RemoveProviderDialog } from '../RemoveProviderDialog.tsx';

/** A key that is set may still be refused: no green for it. */
export const KEY_TONES: Record<ProviderView['keyState'], Tone> = {
  set: 'neutral',
  'not-set': 'warning',
  unreadable: 'danger',
  'not-needed': 'neutral',
};

/** One provider: its address, its key's state, how many models it has. */
export const ProviderRow = memo(function ProviderRow({
  provider,
  preset,
  go,
}: {
  provider: ProviderView;
  preset: ProviderPreset | undefined;
  go: (page: ProvidersPage) => void;
}) {
  const { t } = useTranslation(['providers', 'common']);
  const [removing, setRemoving] = useState(false);
  const [wanted, setWanted] = useState<boolean | null>(null);
  const edit = (test = false) => go({ name: 'edit', providerId: provider.id, test });
  const address = provider.baseUrl ?? preset?.baseUrl ?? '';

  const setEnabled = async (enabled: boolean) => {
    setWanted(enabled);
    await updateProvider({ providerId: provider.id, enabled }).catch((thrown) => toastError(toApiError(thrown)));
    setWanted(null);
  };

  return (
    <li
      data-testid="provider-row"
      data-provider-id={provider.id}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3"
    >
      <div className="min-w-40 flex-1">
        <NameButton id={provider.id} name={provider.name} onClick={() => edit()} />
        <p className="truncate text-muted text-xs" title={address}>
          <span className="tabular">{t('models', { count: provider.models.length })}</span>
          {' · '}
          <span className="font-mono">{address}</span>
        </p>
      </div>
      <div className="flex items-center gap-2">
        <span className="inline-flex px-2.75">
          <Badge tone={KEY_TONES[provider.keyState]}>{t(`key.${provider.keyState}`)}</Badge>
        </span>
        <Switch
          checked={wanted ?? provider.enabled}
          disabled={wanted !== null}
          onChange={setEnabled}
          aria-label={t('row.switch', { name: provider.name })}
        />
        <Menu
          trigger={<IconButton icon={Ellipsis} label={t('row.menu', { name: provider.name })} className="-mr-2.5" />}
          items={[
            { label: t('common:edit'), icon: Pencil, onSelect: () => edit() },
            { label: t('row.test'), icon: PlugZap, onSelect: () => edit(true) },
            { label: t('common:remove'), icon: Trash2, danger: true, onSelect: () => setRemoving(true) },
          ]}
        />
      </div>
      {removing && (
        <RemoveProviderDialog
          provider={provider}
          onRemoved={() => {
            setRemoving(false);
            go({ name: 'list', focus: 'add' });
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  );
});
