import type { McpLogEntry, McpMessageFacts } from '@shared/contracts/mcp-types.ts';
import { ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from '../../../../ui/cx.ts';
import { formatBytes, formatMs, laidOut } from './log-lines.ts';

/** One entry: when, from where, and what. The content of a message is folded. */
export const LogRow = memo(function LogRow({
  entry,
  isOpen,
  onToggle,
}: {
  entry: McpLogEntry;
  isOpen: boolean;
  onToggle: (number: number) => void;
}) {
  const { t } = useTranslation('servers');
  const { number, at, source, level, text, message } = entry;
  return (
    <div data-testid="log-entry" data-source={source} className="flex gap-x-3 px-3 py-px max-sm:flex-wrap">
      <time className="tabular shrink-0 text-muted select-none">{timeOf(at)}</time>
      <span className="w-16 shrink-0 text-muted select-none">{t(`log.source.${source}`)}</span>
      {message ? (
        <div className="min-w-0 grow">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => onToggle(number)}
            className="flex max-w-full flex-wrap items-center gap-x-2 rounded-sm text-left hover:bg-surface-3"
          >
            <ChevronRight size={12} aria-hidden className={cx('shrink-0 text-muted', isOpen && 'rotate-90')} />
            <Facts message={message} />
          </button>
          {isOpen && (
            <pre className="mt-1 mb-2 max-h-72 overflow-auto rounded-sm bg-surface-2 p-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
              {laidOut(text)}
            </pre>
          )}
        </div>
      ) : (
        <span
          className={cx(
            'min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]',
            level === 'error' && 'text-danger',
            level === 'warning' && 'text-warning',
          )}
        >
          {text}
        </span>
      )}
    </div>
  );
});

function Facts({ message: { direction, kind, method, id, bytes, ms } }: { message: McpMessageFacts }) {
  const { t } = useTranslation('servers');
  return (
    <>
      <span aria-hidden>{direction === 'out' ? '→' : '←'}</span>
      <span className="sr-only">{t(`log.direction.${direction}`)}</span>
      <span className={cx('min-w-0 [overflow-wrap:anywhere]', kind === 'error' && 'text-danger')}>
        {method ?? t('log.unknownMethod')}
      </span>
      <span className="text-muted">{t(`log.kind.${kind}`)}</span>
      {id !== undefined && <span className="tabular min-w-0 text-muted [overflow-wrap:anywhere]">#{id}</span>}
      <span className="tabular text-muted">{formatBytes(bytes)}</span>
      {ms !== undefined && <span className="tabular text-muted">{formatMs(ms)}</span>}
    </>
  );
}

const timeOf = (at: number): string =>
  new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
