import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaygroundRun } from '../../../../stores/tool-runs.ts';
import { CopyButton } from '../../../../ui/CopyButton.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { SegmentedControl } from '../../../../ui/SegmentedControl.tsx';
import { formatDuration } from '../../../chat/tools/duration.ts';
import { FoldedText } from '../../../chat/tools/FoldedText.tsx';
import { ToolResult } from '../../../chat/tools/ToolResult.tsx';

const VIEWS = ['person', 'model'] as const;

/** What came of a run that is over: as a person sees it in a chat, and as a model reads it. */
export function RunOutcome({ run: { outcome, error, startedAt, endedAt } }: { run: PlaygroundRun }) {
  const { t } = useTranslation('tools');
  const [view, setView] = useState<(typeof VIEWS)[number]>('person');
  const ms = outcome?.ms ?? (endedAt ?? startedAt) - startedAt;
  return (
    <section aria-label={t('playground.result')} data-testid="playground-outcome" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="tabular text-muted text-sm">{t('playground.took', { time: formatDuration(ms) })}</p>
        {outcome && (
          <div className="flex items-center gap-1">
            <SegmentedControl
              label={t('playground.view')}
              value={view}
              onChange={setView}
              options={VIEWS.map((value) => ({ value, label: t(`playground.${value}`) }))}
            />
            <CopyButton label={t('playground.copy')} text={() => JSON.stringify(outcome.result, null, 2)} />
          </div>
        )}
      </div>
      {error?.code === 'cancelled' && <p className="text-muted text-sm">{t('playground.cancelled')}</p>}
      {error && error.code !== 'cancelled' && <ErrorNote error={error} openDetails />}
      {outcome && view === 'person' && <ToolResult result={outcome.result} />}
      {outcome && view === 'model' && (
        <div data-testid="playground-for-model" className="flex flex-col gap-1.5">
          <FoldedText text={outcome.forModel.text} isError={outcome.result.isError} />
          {outcome.forModel.imageCount > 0 && (
            <p className="text-muted text-sm">{t('playground.pictures', { count: outcome.forModel.imageCount })}</p>
          )}
        </div>
      )}
    </section>
  );
}
