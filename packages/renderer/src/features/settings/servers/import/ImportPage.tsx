import type { FoundMcpServer } from '@shared/contracts/mcp-import.contract.ts';
import { FileSearch, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../bridge/api.ts';
import { toApiError, unwrap } from '../../../../bridge/errors.ts';
import { text } from '../../../../i18n/index.ts';
import { toastError, useToasts } from '../../../../stores/toasts.ts';
import { Button } from '../../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../../ui/Dialog.tsx';
import { EmptyState } from '../../../../ui/EmptyState.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { Skeleton } from '../../../../ui/Skeleton.tsx';
import { visibleString } from '../../../../ui/visible-text.ts';
import { SubPage } from '../../shared/SectionPage.tsx';
import { ImportSource } from './ImportSource.tsx';
import { type Applied, MAX_TICKS, useImport } from './useImport.ts';

/** Servers of other programs on this computer: shown in full, ticked, taken over switched off. */
export function ImportPage({ onDone, onAdd }: { onDone: () => void; onAdd: () => void }) {
  const { t } = useTranslation(['servers', 'common']);
  const [asking, setAsking] = useState(false);
  const state = useImport((applied) => {
    sayWhatWasDone(applied);
    if (applied.outcomes.every(({ outcome }) => outcome !== 'failed')) onDone();
  });
  const { scan, look, apply, ticked, replaced } = state;
  const tooMany = ticked.length > MAX_TICKS;
  const run = () => {
    setAsking(false);
    void apply.run();
  };

  return (
    <SubPage
      title={t('import.title')}
      back={t('title')}
      onBack={onDone}
      actions={
        <Button icon={RotateCw} busy={look.busy} onClick={() => look.run()}>
          {t('import.again')}
        </Button>
      }
    >
      {() => (
        <div data-testid="import-page" className="flex flex-col gap-5">
          <p className="max-w-130 text-muted text-sm">{t('import.text')}</p>
          {look.error && <ErrorNote error={look.error} />}
          {!scan && look.busy && (
            <div role="status" aria-label={t('import.looking')}>
              <Skeleton className="h-40 w-full" />
            </div>
          )}
          {scan?.sources.length === 0 && (
            <EmptyState
              icon={FileSearch}
              title={t('import.empty')}
              actions={<Button onClick={onAdd}>{t('form.addTitle')}</Button>}
            >
              {t('import.emptyText', { programs: scan.programs.join(', ') })}
            </EmptyState>
          )}
          {scan?.sources.map((source) => (
            <ImportSource key={`${scan.scanId}.${source.id}`} source={source} state={state} />
          ))}
          {scan && scan.sources.length > 0 && (
            <footer className="sticky bottom-0 -mx-2 flex flex-col gap-3 border-border border-t bg-surface-1 px-2 py-3">
              {apply.error && <ErrorNote error={apply.error} />}
              <div className="flex flex-wrap items-center justify-end gap-3">
                {tooMany && <p className="text-danger text-sm">{t('import.tooMany', { count: MAX_TICKS })}</p>}
                <Button onClick={onDone}>{t('common:cancel')}</Button>
                <Button
                  variant="primary"
                  disabled={ticked.length === 0 || tooMany}
                  busy={apply.busy}
                  onClick={() => (replaced.length > 0 ? setAsking(true) : run())}
                >
                  {ticked.length === 0 ? t('import.doNone') : t('import.do', { count: ticked.length })}
                </Button>
              </div>
            </footer>
          )}
          <ConfirmDialog
            open={asking}
            title={t('import.confirm.title', { count: replaced.length })}
            description={t('import.confirm.text', { names: listOf(replaced) })}
            confirmLabel={t('import.confirm.replace')}
            onConfirm={run}
            onClose={() => setAsking(false)}
          />
        </div>
      )}
    </SubPage>
  );
}

/** Their names, the first ten of them. */
const listOf = (servers: readonly FoundMcpServer[]): string =>
  servers
    .slice(0, 10)
    .map(({ name }) => visibleString(name))
    .join(', ') + (servers.length > 10 ? ', …' : '');

/** A toast, which offers to take it all back. */
function sayWhatWasDone({ outcomes, undoId }: Applied): void {
  const count = outcomes.filter(({ outcome }) => outcome === 'added' || outcome === 'replaced').length;
  const { show } = useToasts.getState();
  if (undoId === undefined) {
    if (outcomes.every(({ outcome }) => outcome === 'same'))
      show({ tone: 'neutral', text: text('servers:import.doneNone') });
    return;
  }
  show({
    tone: 'neutral',
    text: text('servers:import.done', { count }),
    action: { label: text('servers:import.undo'), run: () => void takeBack(undoId) },
  });
}

async function takeBack(undoId: string): Promise<void> {
  try {
    const { kept } = await unwrap(api().mcpImport.undo({ undoId }));
    const words = kept === 0 ? text('servers:import.undone') : text('servers:import.undoneKept', { count: kept });
    useToasts.getState().show({ tone: 'neutral', text: words });
  } catch (thrown) {
    toastError(toApiError(thrown));
  }
}
