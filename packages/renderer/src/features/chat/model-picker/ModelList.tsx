import type { ModelRef } from '@shared/contracts/message-types.ts';
import type { ProviderView } from '@shared/contracts/providers.contract.ts';
import { Command } from 'cmdk';
import { Check, KeyRound, Plus, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../../stores/app.ts';
import { modelName, useProviders } from '../../../stores/providers.ts';
import { Badge } from '../../../ui/Badge.tsx';

/** Every model of the providers that are on, to be searched and chosen from. Loaded when first opened. */
export default function ModelList({
  current,
  onChoose,
  onDone,
}: {
  current: ModelRef | null;
  onChoose: (ref: ModelRef) => void;
  onDone: () => void;
}) {
  const { t } = useTranslation('chat');
  const go = useApp((state) => state.go);
  const providers = useProviders((state) => state.providers) ?? [];
  const openSettings = (intent?: 'add') => {
    onDone();
    go({ name: 'settings', section: 'providers', intent });
  };

  return (
    <Command
      label={t('model.list')}
      loop
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs"
    >
      <div className="flex items-center gap-2 border-border border-b px-3">
        <Search size={16} aria-hidden className="text-muted" />
        <Command.Input
          placeholder={t('model.search')}
          className="h-10 min-w-0 grow bg-transparent text-sm outline-none"
        />
      </div>
      <Command.List className="max-h-84 overflow-y-auto p-1">
        <Command.Empty className="px-3 py-6 text-center text-muted text-sm">{t('model.noMatch')}</Command.Empty>
        {providers
          .filter(({ enabled }) => enabled)
          .map((provider) => (
            <Command.Group key={provider.id} heading={<Heading provider={provider} />}>
              {needsKey(provider) ? (
                <Row value={`${provider.id} key`} keywords={[provider.name]} onSelect={() => openSettings()}>
                  <KeyRound size={16} aria-hidden className="text-muted" />
                  <span className="text-muted">
                    {t(provider.keyState === 'unreadable' ? 'model.enterKeyAgain' : 'model.addKey')}
                  </span>
                </Row>
              ) : (
                provider.models.map((model) => {
                  const chosen = current?.providerId === provider.id && current.modelId === model.id;
                  return (
                    <Row
                      key={model.id}
                      value={`${provider.id} ${model.id}`}
                      keywords={[provider.name, modelName(provider, model)]}
                      onSelect={() => {
                        onChoose({ providerId: provider.id, modelId: model.id });
                        onDone();
                      }}
                    >
                      <span className="min-w-0 grow truncate" title={model.id}>
                        {modelName(provider, model)}
                      </span>
                      {chosen && <Check size={16} aria-label={t('model.chosen')} className="shrink-0 text-accent" />}
                    </Row>
                  );
                })
              )}
              {!needsKey(provider) && provider.models.length === 0 && (
                <Row value={`${provider.id} models`} keywords={[provider.name]} onSelect={() => openSettings()}>
                  <span className="text-muted">{t('model.noModels')}</span>
                </Row>
              )}
            </Command.Group>
          ))}
        <Command.Separator className="my-1 h-px bg-border" />
        <Row value="add-provider" keywords={[t('model.addProvider')]} onSelect={() => openSettings('add')}>
          <Plus size={16} aria-hidden className="text-muted" />
          {t('model.addProvider')}
        </Row>
      </Command.List>
    </Command>
  );
}

const needsKey = ({ keyState }: ProviderView) => keyState === 'not-set' || keyState === 'unreadable';

function Heading({ provider }: { provider: ProviderView }) {
  const { t } = useTranslation('chat');
  return (
    <span className="flex items-center justify-between gap-2">
      {provider.format === 'demo' ? t('model.builtIn') : provider.name}
      {provider.format === 'demo' && <Badge tone="warning">{t('model.notAi')}</Badge>}
    </span>
  );
}

function Row(props: { value: string; keywords: string[]; onSelect: () => void; children: ReactNode }) {
  const { children, ...item } = props;
  return (
    <Command.Item
      {...item}
      className="flex min-h-8 items-center gap-2.5 rounded-sm px-2 text-sm outline-none select-none data-[selected=true]:bg-surface-3"
    >
      {children}
    </Command.Item>
  );
}
