import type { FileChange } from '@shared/contracts/agent-types.ts';
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../bridge/api.ts';
import { unwrap } from '../../../../bridge/errors.ts';
import { Badge } from '../../../../ui/Badge.tsx';
import { cx } from '../../../../ui/cx.ts';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { visibleString } from '../../../../ui/visible-text.ts';
import { DiffDialog } from '../display/DiffDialog.tsx';
import { UndoButton } from './UndoButton.tsx';

/** The files that a run has changed, each with its changes. Arrow keys move from change to change. */
export function ChangeList({ conversationId, changes }: { conversationId: string; changes: readonly FileChange[] }) {
  const { t } = useTranslation('agent');
  const [shown, setShown] = useState<FileChange | null>(null);
  const files = useMemo(() => byFile(changes), [changes]);

  if (files.length === 0) {
    return (
      <div className="px-4 py-6 text-center">
        <p className="font-medium text-sm">{t('changes.emptyTitle')}</p>
        <p className="text-muted text-sm">{t('changes.empty')}</p>
      </div>
    );
  }
  return (
    <>
      <ul aria-label={t('changes.title')} data-testid="change-list" onKeyDown={moveFocus} className="px-2 pb-4">
        {files.map(({ path, changes: ofFile }, at) => (
          <li key={path} className="py-1">
            <ul>
              {ofFile.map((change, index) => (
                <li key={change.id} className="flex items-center gap-2 pr-2">
                  <button
                    type="button"
                    data-change={change.id}
                    tabIndex={at === 0 && index === 0 ? 0 : -1}
                    onFocus={(event) => makeTabStop(event.currentTarget)}
                    onClick={() => setShown(change)}
                    aria-haspopup="dialog"
                    aria-label={t('changes.open', { path: visibleString(path), time: timeOf(change.at) })}
                    className="flex min-h-8 min-w-0 grow items-center gap-2 rounded-md px-2 py-1 text-left transition-colors hover:bg-surface-3"
                  >
                    <span className="min-w-0 grow">
                      {index === 0 && <FileName path={path} changes={ofFile} />}
                      <Counts change={change} />
                    </span>
                    <ChevronRight size={16} aria-hidden className="shrink-0 text-muted" />
                  </button>
                  <UndoButton conversationId={conversationId} change={change} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {shown && (
        <DiffDialog
          path={shown.path}
          load={() => unwrap(api().agent.diff({ conversationId, changeId: shown.id }))}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

function FileName({ path, changes }: { path: string; changes: readonly FileChange[] }) {
  const { t } = useTranslation('agent');
  return (
    <span className="flex min-w-0 items-center gap-2">
      {/* The end of a path tells more than its beginning. */}
      <span dir="rtl" title={visibleString(path)} className="min-w-0 truncate text-left font-mono text-sm">
        <VisibleText text={path} />
      </span>
      {changes.some(({ kind, undone }) => kind === 'created' && !undone) && (
        <Badge tone="success">{t('changes.created')}</Badge>
      )}
    </span>
  );
}

/** When a change was made, and how many lines it added and removed. */
function Counts({ change: { at, added, removed, undone } }: { change: FileChange }) {
  const { t } = useTranslation('agent');
  return (
    <span className={cx('tabular flex gap-2 text-muted text-xs', undone && 'line-through')}>
      <span>{timeOf(at)}</span>
      {(added > 0 || removed === 0) && <span className="text-success">+{added}</span>}
      {removed > 0 && <span className="text-danger">−{removed}</span>}
      <span className="sr-only">
        {t('changes.added', { count: added })}, {t('changes.removed', { count: removed })}
      </span>
    </span>
  );
}

const timeOf = (at: number): string => new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Files in the order of their first change. */
function byFile(changes: readonly FileChange[]): { path: string; changes: FileChange[] }[] {
  const files = new Map<string, FileChange[]>();
  for (const change of changes) files.set(change.path, [...(files.get(change.path) ?? []), change]);
  return [...files].map(([path, ofFile]) => ({ path, changes: ofFile }));
}

const buttonsBeside = (element: Element): HTMLElement[] => [
  ...(element.closest('[data-testid="change-list"]')?.querySelectorAll<HTMLElement>('[data-change]') ?? []),
];

function moveFocus(event: KeyboardEvent): void {
  const { target, key } = event;
  if (!(target instanceof HTMLElement) || target.dataset.change === undefined) return;
  const buttons = buttonsBeside(target);
  const at = buttons.indexOf(target);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[key];
  const next = to === undefined ? undefined : buttons[to];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** One of the list takes Tab: the one that had the focus last. */
function makeTabStop(button: HTMLElement): void {
  for (const other of buttonsBeside(button)) other.tabIndex = other === button ? 0 : -1;
}
