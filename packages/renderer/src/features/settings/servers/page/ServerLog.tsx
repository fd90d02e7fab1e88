import type { McpLogEntry } from '@shared/contracts/mcp-types.ts';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../../ui/CopyButton.tsx';
import { cx } from '../../../../ui/cx.ts';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { SegmentedControl } from '../../../../ui/SegmentedControl.tsx';
import { useServerLog } from './useServerLog.ts';

const FILTERS = ['all', 'output', 'protocol', 'lifecycle'] as const;
type Filter = (typeof FILTERS)[number];

/** Longer lines are cut on the screen, in characters; copying gives them whole. */
const MAX_SHOWN = 4000;

const passes = ({ source }: McpLogEntry, filter: Filter): boolean =>
  filter === 'all' || source === filter || (filter === 'output' && (source === 'stderr' || source === 'stdout'));

/** The log of a server. Stays at its end while one is there. */
export function ServerLog({ serverId }: { serverId: string }) {
  const { t } = useTranslation('servers');
  const { entries, error } = useServerLog(serverId);
  const [filter, setFilter] = useState<Filter>('all');
  const view = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const shown = entries?.filter((entry) => passes(entry, filter)) ?? [];

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes what is shown may move its end
  useLayoutEffect(() => {
    if (view.current && atEnd.current) view.current.scrollTop = view.current.scrollHeight;
  }, [entries, filter]);

  return (
    <section aria-label={t('page.tab.log')} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <SegmentedControl
          label={t('log.filter')}
          value={filter}
          onChange={setFilter}
          options={FILTERS.map((value) => ({ value, label: t(`log.${value}`) }))}
        />
        <CopyButton label={t('log.copy')} text={() => shown.map(asLine).join('\n')} />
      </div>
      {error && <ErrorNote error={error} />}
      <div
        ref={view}
        role="log"
        // A busy server would talk without end.
        aria-live="off"
        aria-label={t('page.tab.log')}
        // A box that scrolls must be reachable by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        onScroll={({ currentTarget: box }) => {
          atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 24;
        }}
        className="h-96 max-h-[60vh] overflow-y-auto rounded-lg border border-border bg-code py-2 font-mono text-xs outline-offset-[-2px]"
      >
        {entries !== null && shown.length === 0 && (
          <p className="px-3 py-6 text-center font-sans text-muted text-sm">{t('log.empty')}</p>
        )}
        {shown.map((entry) => (
          <div key={entry.number} className="flex gap-x-3 px-3 py-px max-sm:flex-wrap">
            <time className="tabular shrink-0 text-muted select-none">{timeOf(entry.at)}</time>
            <span className="w-16 shrink-0 text-muted select-none">{t(`log.source.${entry.source}`)}</span>
            <span
              className={cx(
                'min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]',
                entry.level === 'error' && 'text-danger',
                entry.level === 'warning' && 'text-warning',
              )}
            >
              {entry.text.length > MAX_SHOWN ? `${entry.text.slice(0, MAX_SHOWN)}…` : entry.text}
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}

const timeOf = (at: number): string =>
  new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });

const asLine = ({ at, source, level, text }: McpLogEntry): string =>
  `${new Date(at).toISOString()} ${source} ${level} ${text}`;
