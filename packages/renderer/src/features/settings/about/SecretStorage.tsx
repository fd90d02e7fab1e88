import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../stores/settings.ts';
import { Card } from '../../../ui/Card.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { SegmentedControl } from '../../../ui/SegmentedControl.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { Group } from '../shared/Group.tsx';
import { chooseWeakSecrets, type SecretChoice } from '../shared/secret-choice.ts';
import type { AppInfo } from '../shared/useAppInfo.ts';

/** How keys and tokens are kept, and the choice where the system can't protect them well. */
export function SecretStorage({ strength }: { strength: AppInfo['secretStorage'] }) {
  const { t } = useTranslation('settings');
  const choice = useSettings((state) => state.settings?.weakSecrets) ?? null;
  const choose = useAction((next: SecretChoice) => chooseWeakSecrets(next));
  const Icon = strength === 'strong' ? ShieldCheck : ShieldAlert;
  const choices: SecretChoice[] = strength === 'none' ? ['session-only'] : ['session-only', 'store'];

  return (
    <Group title={t('secrets.title')}>
      <Card className="flex flex-col gap-4 px-4 py-3 text-sm">
        <p className="flex gap-3">
          <Icon
            size={16}
            aria-hidden
            className={strength === 'strong' ? 'mt-0.5 shrink-0 text-success' : 'mt-0.5 shrink-0 text-warning'}
          />
          {t(`secrets.${strength}`)}
        </p>
        {strength !== 'strong' && (
          <div className="flex flex-col items-start gap-2">
            <SegmentedControl<SecretChoice | ''>
              label={t('secrets.choice')}
              value={choice ?? ''}
              onChange={(next) => next !== '' && choose.run(next)}
              options={choices.map((value) => ({
                value,
                label: t(value === 'store' ? 'secrets.ask.store' : 'secrets.ask.session'),
              }))}
            />
            <p className="text-muted">
              {choice === null
                ? t('secrets.unchosen')
                : `${t(choice === 'store' ? 'secrets.ask.storeMeans' : 'secrets.ask.sessionMeans')} ${t('secrets.changed')}`}
            </p>
          </div>
        )}
        {choose.error && <ErrorNote error={choose.error} />}
      </Card>
    </Group>
  );
}
