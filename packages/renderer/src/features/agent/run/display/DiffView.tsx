import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button.tsx';
import { CopyButton } from '../../../../ui/CopyButton.tsx';
import { cx } from '../../../../ui/cx.ts';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import type { DiffLine } from './diff-lines.ts';

/** More lines are folded to this many. */
const FOLD_LINES = 40;
/** And unfolded by this many at a time: a window can't lay out a hundred thousand. */
const STEP = 2000;

const looks: Record<DiffLine['kind'], string> = {
  added: 'bg-success-soft',
  removed: 'bg-danger-soft',
  same: '',
  hunk: 'text-muted',
};
const signs: Record<DiffLine['kind'], string> = { added: '+', removed: '−', same: ' ', hunk: ' ' };

/** Lines of a change: each with its sign, so that nothing is said by colour alone. */
export function DiffView({
  lines,
  label,
  copy,
  tall = false,
}: {
  lines: readonly DiffLine[];
  label: string;
  copy: () => string;
  /** As high as the window allows, where there is nothing else to see. */
  tall?: boolean;
}) {
  const { t } = useTranslation(['agent', 'chat']);
  const folded = lines.length > FOLD_LINES * 1.2 ? FOLD_LINES : lines.length;
  const [shown, setShown] = useState(folded);
  const rest = lines.length - shown;
  const height = tall ? 'max-h-[calc(100vh-15rem)]' : 'max-h-[38vh]';

  if (lines.length === 0) return <p className="text-muted text-sm">{t('diff.empty')}</p>;
  return (
    <figure aria-label={label} data-testid="diff" className="min-w-0 overflow-hidden rounded-md bg-code">
      {/* The button has a column of its own: over the lines it would hide their ends. */}
      <div className="flex items-start">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <div tabIndex={0} className={cx('relative min-w-0 grow overflow-auto py-1.5 outline-offset-[-2px]', height)}>
          <div className="w-max min-w-full font-mono text-xs leading-5">
            {lines.slice(0, shown).map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff never move
              <div key={index} className={cx('flex pr-1', looks[line.kind])}>
                {line.kind === 'hunk' ? (
                  (index > 0 || (line.number ?? 0) > 1) && (
                    <span className="px-3 py-0.5 select-none">{t('diff.skipped')}</span>
                  )
                ) : (
                  <>
                    <span aria-hidden className="tabular w-11 shrink-0 pr-1 text-right text-muted select-none">
                      {line.number}
                    </span>
                    <span className="w-5 shrink-0 text-center">{signs[line.kind]}</span>
                    <span className="whitespace-pre">
                      <VisibleText text={line.text} />
                    </span>
                  </>
                )}
              </div>
            ))}
          </div>
        </div>
        <CopyButton text={copy} label={t('diff.copy')} className="m-0.5 size-7!" />
      </div>
      {(rest > 0 || shown > folded) && (
        <div className="flex items-center gap-2 border-border border-t px-2 py-1">
          {rest > 0 && (
            <Button size="sm" variant="ghost" onClick={() => setShown(Math.min(lines.length, shown + STEP))}>
              {rest > STEP
                ? t('diff.next', { lines: STEP.toLocaleString('en-GB') })
                : t('diff.more', { lines: lines.length.toLocaleString('en-GB') })}
            </Button>
          )}
          {shown > folded && (
            <Button size="sm" variant="ghost" onClick={() => setShown(folded)}>
              {t('diff.less')}
            </Button>
          )}
        </div>
      )}
    </figure>
  );
}
