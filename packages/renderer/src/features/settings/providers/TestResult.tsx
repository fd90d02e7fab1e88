import type { ProviderView } from '@shared/contracts/providers.contract.ts';
import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { useNow } from '../../../ui/useNow.ts';
import { updateProvider } from './provider-actions.ts';
import type { ProviderTestState } from './useProviderTest.ts';

const NAMED = 5;

/** How a test goes, and how it went. */
export function TestResult({ provider, test }: { provider: ProviderView; test: ProviderTestState }) {
  const { t } = useTranslation('providers');
  const now = useNow(test.startedAt !== null);
  const gone = (test.result?.gone ?? []).filter(({ id }) => !provider.models.some((model) => model.id === id));
  const keep = useAction(() => updateProvider({ providerId: provider.id, models: [...provider.models, ...gone] }));

  if (test.startedAt !== null) {
    const seconds = Math.max(0, Math.floor((now - test.startedAt) / 1000));
    return (
      <p role="status" className="flex items-center gap-2 text-muted text-sm">
        <Spinner />
        <span className="tabular">{seconds < 1 ? t('test.running') : t('test.runningFor', { seconds })}</span>
      </p>
    );
  }
  if (test.error?.code === 'cancelled') {
    return (
      <p role="status" className="text-muted text-sm">
        {t('test.stopped')}
      </p>
    );
  }
  if (test.error) {
    // What main says is meant for the chat as well; here the field is on the same page.
    const hint =
      test.error.code === 'key-refused' && provider.keyState === 'set' ? t('test.checkKey') : test.error.hint;
    return (
      <div className="flex flex-col gap-2">
        <ErrorNote error={{ message: test.error.message, hint, details: test.error.details }} />
        <p className="text-muted text-sm">{t('test.kept')}</p>
      </div>
    );
  }
  if (!test.result) return null;
  const names = gone.slice(0, NAMED).map(({ id }) => id);
  return (
    <div role="status" className="flex gap-3 rounded-lg bg-success-soft px-4 py-3 text-sm">
      <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-success" />
      <div className="flex min-w-0 grow flex-col gap-1.5">
        <p className="font-medium">
          {test.result.count === 0 ? t('test.none') : t('test.works', { count: test.result.count })}
        </p>
        {gone.length > 0 && (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="min-w-0 [overflow-wrap:anywhere]">
              {t('test.gone', { count: gone.length, names: names.join(', ') + (gone.length > NAMED ? '…' : '') })}
            </p>
            <Button size="sm" busy={keep.busy} onClick={() => keep.run()}>
              {t('test.keepGone')}
            </Button>
          </div>
        )}
        {keep.error && <ErrorNote error={keep.error} />}
      </div>
    </div>
  );
}
