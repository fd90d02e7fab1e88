import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useAgent } from '../../../stores/agent.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { useSectionPage } from '../shared/kept-state.ts';
import { PresetForm } from './form/PresetForm.tsx';
import { PresetList } from './PresetList.tsx';
import type { AgentsPage } from './page-state.ts';
import { draftOf, freeName, newDraft } from './preset-draft.ts';

/** The section of the agents: the list of presets, or the form of one in its place. */
export function Agents() {
  const { t } = useTranslation(['agent', 'common']);
  const presets = useAgent((state) => state.presets);
  const tools = useAgent((state) => state.tools);
  const [page, go] = useSectionPage<AgentsPage>('agents', () => ({ name: 'list' }));
  const load = useAction(async () => {
    const { loadPresets, loadTools } = useAgent.getState();
    await Promise.all([loadPresets(), loadTools()]);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when the section is opened
  useEffect(() => void load.run(), []);

  if (presets === null || tools === null) {
    if (!load.error) return <Skeleton className="h-40 w-full" />;
    return (
      <ErrorNote
        error={load.error}
        actions={
          <Button size="sm" busy={load.busy} onClick={() => void load.run()}>
            {t('common:retry')}
          </Button>
        }
      />
    );
  }
  if (page.name === 'new') {
    const from = presets.find(({ id }) => id === page.from);
    const names = presets.map(({ name }) => name);
    const initial = from
      ? { ...draftOf(from), name: freeName(t('presets.copyName', { name: from.name }), names) }
      : newDraft(tools);
    return <PresetForm key={from?.id ?? 'new'} copyOf={from} initial={initial} tools={tools} go={go} />;
  }
  if (page.name === 'edit') {
    const preset = presets.find(({ id }) => id === page.presetId);
    if (preset && !preset.shipped) {
      return <PresetForm key={preset.id} preset={preset} initial={draftOf(preset)} tools={tools} go={go} />;
    }
  }
  return <PresetList presets={presets} page={page} go={go} />;
}
