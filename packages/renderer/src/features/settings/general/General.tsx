import type { Settings } from '@shared/contracts/settings.contract.ts';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../../bridge/errors.ts';
import { useSettings } from '../../../stores/settings.ts';
import { toastError } from '../../../stores/toasts.ts';
import { Card } from '../../../ui/Card.tsx';
import { SegmentedControl } from '../../../ui/SegmentedControl.tsx';
import { SettingRow } from '../../../ui/SettingRow.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { Group } from '../shared/Group.tsx';
import { SectionPage } from '../shared/SectionPage.tsx';
import { AlwaysAllowed } from './AlwaysAllowed.tsx';

const THEMES: Settings['theme'][] = ['system', 'light', 'dark'];
const SWITCHES = ['sendWithModifier', 'autoScroll', 'showReasoning', 'expandTools'] as const;

const modifierKey = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl';

/** How the app looks and how the chat behaves. Every change counts at once. */
export function General() {
  const { t } = useTranslation('settings');
  const settings = useSettings((state) => state.settings);
  const store = useSettings((state) => state.set);
  const set = (change: Parameters<typeof store>[0]) => store(change).catch((thrown) => toastError(toApiError(thrown)));
  if (!settings) return <Skeleton className="h-40 w-full" />;
  return (
    <SectionPage title={t('sections.general')} lead={t('general.lead')}>
      <div className="flex flex-col gap-8">
        <Group title={t('general.appearance')}>
          <Card className="px-4 py-1">
            <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
              <span aria-hidden className="font-medium text-sm">
                {t('general.theme')}
              </span>
              <SegmentedControl
                label={t('general.theme')}
                value={settings.theme}
                onChange={(theme) => set({ theme })}
                options={THEMES.map((value) => ({ value, label: t(`general.themes.${value}`) }))}
              />
            </div>
          </Card>
        </Group>
        <Group title={t('general.chat')}>
          <Card className="divide-y divide-border px-4 py-1">
            {SWITCHES.map((name) => (
              <SettingRow key={name} label={t(`general.${name}`, { key: modifierKey })} hint={t(`general.${name}Hint`)}>
                {(control) => <Switch {...control} checked={settings[name]} onChange={(on) => set({ [name]: on })} />}
              </SettingRow>
            ))}
          </Card>
        </Group>
        <AlwaysAllowed />
      </div>
    </SectionPage>
  );
}
