import { useTranslation } from 'react-i18next';
import { Badge } from '../../../../ui/Badge.tsx';

/** The demo: always there, and said not to be an AI model. */
export function DemoRow() {
  const { t } = useTranslation('providers');
  return (
    <li
      data-testid="provider-row"
      data-provider-id="demo"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3"
    >
      <div className="min-w-40 flex-1">
        <p className="flex min-h-7 items-center gap-2 font-medium text-sm">
          {t('demo')}
          <Badge tone="warning">{t('notAi')}</Badge>
        </p>
        <p className="text-muted text-xs">{t('demoText')}</p>
      </div>
    </li>
  );
}
