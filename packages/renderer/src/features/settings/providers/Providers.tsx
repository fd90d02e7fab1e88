import { useEffect } from 'react';
import { useApp } from '../../../stores/app.ts';
import { useProviders } from '../../../stores/providers.ts';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useSectionPage } from '../shared/kept-state.ts';
import { AddProvider } from './form/AddProvider.tsx';
import { EditProvider } from './form/EditProvider.tsx';
import { ProviderList } from './list/ProviderList.tsx';
import { PresetChoice } from './PresetChoice.tsx';
import type { ProvidersPage } from './page-state.ts';
import { usePresets } from './usePresets.ts';

/** The section of the model providers: the list, or one provider's page in its place. */
export function Providers() {
  const providers = useProviders((state) => state.providers);
  const intent = useApp(({ view }) => (view.name === 'settings' ? view.intent : undefined));
  const { presets, error } = usePresets();
  const [page, go] = useSectionPage<ProvidersPage>('providers', () => ({ name: 'list' }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: an intent counts once, when the section is opened with it
  useEffect(() => {
    if (intent === 'add') go({ name: 'choose' });
  }, [intent]);

  if (error) return <ErrorNote error={error} />;
  if (presets === null || providers === null) return <Skeleton className="h-40 w-full" />;
  const presetOf = (id: string) => presets.find((preset) => preset.id === id);

  if (page.name === 'choose') return <PresetChoice presets={presets} go={go} />;
  if (page.name === 'add') {
    const preset = presetOf(page.preset);
    if (preset) return <AddProvider key={preset.id} preset={preset} go={go} />;
  }
  if (page.name === 'edit') {
    const provider = providers.find(({ id }) => id === page.providerId);
    if (provider && provider.format !== 'demo') {
      return (
        <EditProvider
          key={provider.id}
          provider={provider}
          preset={presetOf(provider.preset)}
          testNow={page.test === true}
          go={go}
        />
      );
    }
  }
  return <ProviderList providers={providers} presets={presets} page={page} go={go} />;
}
