import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useAgent } from '../../../stores/agent.ts';
import { useApp } from '../../../stores/app.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { useEscape } from '../../../ui/useEscape.ts';
import { SidebarButtons } from '../../chat/sidebar/SidebarButtons.tsx';
import { NewRunForm } from './NewRunForm.tsx';

/** Where a run begins: goal, folder, agent, model and permissions. Esc goes back to what was shown before. */
export default function NewRunView() {
  const { t } = useTranslation(['agent', 'common']);
  const presets = useAgent((state) => state.presets);
  const load = useAction(async () => {
    const { loadPresets, loadTools } = useAgent.getState();
    // Without the tools only the marks of what changes something are missing.
    await Promise.all([loadPresets(), loadTools().catch(() => undefined)]);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when the view appears
  useEffect(() => void load.run(), []);
  useEscape(goBack);

  return (
    <div data-testid="new-run-view" className="flex h-full min-h-0 flex-col">
      <header className="flex h-13 shrink-0 items-center gap-2 px-4">
        <SidebarButtons />
        <h1 className="min-w-0 grow truncate font-medium text-base">{t('start.title')}</h1>
      </header>
      <div className="relative min-h-0 grow scroll-pt-4 scroll-pb-40 overflow-y-auto [scrollbar-gutter:stable_both-edges]">
        <div className="column flex flex-col gap-5 pt-4 pb-4 low:gap-3 low:pt-1">
          <p className="text-muted text-sm">{t('start.lead')}</p>
          {load.error && presets === null ? (
            <ErrorNote
              error={load.error}
              actions={
                <Button size="sm" busy={load.busy} onClick={() => void load.run()}>
                  {t('common:retry')}
                </Button>
              }
            />
          ) : presets === null ? (
            <div className="flex flex-col gap-4">
              <Skeleton className="h-28 w-full" />
              <Skeleton className="h-9 w-full" />
              <Skeleton className="h-24 w-full" />
            </div>
          ) : (
            <NewRunForm presets={presets} />
          )}
        </div>
      </div>
    </div>
  );
}

function goBack(): boolean {
  const { view, go } = useApp.getState();
  if (view.name !== 'new-run') return false;
  useConversations.getState().select(view.from);
  go({ name: 'chat' });
  return true;
}
