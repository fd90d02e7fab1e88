import type { ProviderPreset, ProviderView } from '@shared/contracts/providers.contract.ts';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { SectionPage } from '../../shared/SectionPage.tsx';
import { useFocusId } from '../../shared/useFocusId.ts';
import type { ProvidersPage } from '../page-state.ts';
import { DemoRow } from './DemoRow.tsx';
import { ProviderRow } from './ProviderRow.tsx';

export function ProviderList({
  providers,
  presets,
  page,
  go,
}: {
  providers: readonly ProviderView[];
  presets: readonly ProviderPreset[];
  page: ProvidersPage;
  go: (page: ProvidersPage) => void;
}) {
  const { t } = useTranslation('providers');
  useFocusId(page.name === 'list' ? page.focus : undefined, page);
  return (
    <SectionPage
      title={t('title')}
      lead={t('lead')}
      actions={
        <Button
          variant="primary"
          icon={Plus}
          data-testid="add-provider"
          data-focus-id="add"
          onClick={() => go({ name: 'choose' })}
        >
          {t('add')}
        </Button>
      }
    >
      <Card>
        <ul aria-label={t('title')} className="divide-y divide-border">
          {providers.map((provider) =>
            provider.format === 'demo' ? (
              <DemoRow key={provider.id} />
            ) : (
              <ProviderRow
                key={provider.id}
                provider={provider}
                preset={presets.find(({ id }) => id === provider.preset)}
                go={go}
              />
            ),
          )}
        </ul>
      </Card>
    </SectionPage>
  );
}
