import type { ProviderPreset } from '@shared/contracts/providers.contract.ts';
import { useTranslation } from 'react-i18next';
import { SubPage } from '../shared/SectionPage.tsx';
import type { ProvidersPage } from './page-state.ts';

const groupOf = ({ id, needsKey }: ProviderPreset) => (id === 'custom' ? 'other' : needsKey ? 'service' : 'local');

/** Which kind of provider to add. */
export function PresetChoice({
  presets,
  go,
}: {
  presets: readonly ProviderPreset[];
  go: (page: ProvidersPage) => void;
}) {
  const { t } = useTranslation('providers');
  return (
    <SubPage title={t('choose.title')} back={t('title')} onBack={() => go({ name: 'list', focus: 'add' })}>
      {() => (
        <div className="flex flex-col gap-6">
          {(['local', 'service', 'other'] as const).map((group) => (
            <section key={group} aria-labelledby={`presets-${group}`}>
              <h2 id={`presets-${group}`} className="pb-2 font-medium text-muted text-sm">
                {t(`choose.${group}`)}
              </h2>
              <ul className="grid grid-cols-2 gap-2 max-sm:grid-cols-1">
                {presets
                  .filter((preset) => groupOf(preset) === group)
                  .map((preset) => (
                    <li key={preset.id}>
                      <button
                        type="button"
                        data-preset={preset.id}
                        onClick={() => go({ name: 'add', preset: preset.id })}
                        className="flex w-full flex-col rounded-lg border border-border bg-surface-2 px-4 py-2.5 text-left text-sm transition-colors hover:border-border-strong"
                      >
                        <span className="font-medium">{preset.id === 'custom' ? t('choose.custom') : preset.name}</span>
                        <span className="w-full truncate text-muted text-xs">
                          {preset.baseUrl ? new URL(preset.baseUrl).host : t('choose.customText')}
                        </span>
                      </button>
                    </li>
                  ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </SubPage>
  );
}
