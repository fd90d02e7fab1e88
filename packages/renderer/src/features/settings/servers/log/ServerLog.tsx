import { Pause, Play, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button.tsx';
import { CopyButton } from '../../../../ui/CopyButton.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { Select } from '../../../../ui/Select.tsx';
import { SettingRow } from '../../../../ui/SettingRow.tsx';
import { Switch } from '../../../../ui/Switch.tsx';
import { SearchInput } from '../../shared/SearchInput.tsx';
import { LogView } from './LogView.tsx';
import { EVERYTHING, LEVELS, type LogFilter, linesOf, SOURCES, textOf } from './log-lines.ts';
import { useServerLog } from './useServerLog.ts';

/** What a server writes, what is said to it and by it, and what became of it: one timeline, to be narrowed and copied. */
export function ServerLog({ serverId }: { serverId: string }) {
  const { t } = useTranslation('servers');
  const { log, hold, clear, isRecording, record, error } = useServerLog(serverId);
  const [filter, setFilter] = useState<LogFilter>(EVERYTHING);
  const [paused, setPaused] = useState(false);
  const lines = useMemo(() => linesOf(log.shown ?? [], filter), [log.shown, filter]);
  const entries = lines.flatMap(({ entry, missing }) => (missing === undefined ? [entry] : []));

  return (
    <section aria-label={t('page.tab.log')} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="flex min-w-48 grow">
          <SearchInput
            value={filter.text}
            onChange={(text) => setFilter({ ...filter, text })}
            label={t('log.search')}
          />
        </div>
        <div className="w-36">
          <Select
            aria-label={t('log.filter')}
            value={filter.source}
            onChange={(source) => setFilter({ ...filter, source })}
            options={SOURCES.map((value) => ({ value, label: t(`log.${value}`) }))}
          />
        </div>
        <div className="w-44">
          <Select
            aria-label={t('log.level')}
            value={filter.level}
            onChange={(level) => setFilter({ ...filter, level })}
            options={LEVELS.map((value) => ({ value, label: t(`log.from.${value}`) }))}
          />
        </div>
        <div className="flex items-center gap-1">
          <Button
            icon={paused ? Play : Pause}
            aria-pressed={paused}
            onClick={() => {
              setPaused(!paused);
              hold(!paused);
            }}
          >
            {paused ? t('log.resume', { count: log.waitingCount }) : t('log.pause')}
          </Button>
          <CopyButton label={t('log.copy')} text={() => entries.map(textOf).join('\n')} />
          <IconButton icon={Trash2} label={t('log.clear')} onClick={() => clear.run()} />
        </div>
      </div>
      {error && <ErrorNote error={error} />}
      <LogView
        lines={lines}
        isLoaded={log.shown !== null}
        isFiltered={lines.length < (log.shown?.length ?? 0)}
        paused={paused}
        waitingCount={log.waitingCount}
        onHold={hold}
      />
      <SettingRow label={t('log.record')} hint={t('log.recordHint')}>
        {(control) => <Switch {...control} checked={isRecording} onChange={(next) => record.run(next)} />}
      </SettingRow>
    </section>
  );
}
