import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { cx } from '../../../ui/cx.ts';
import { formatBytes } from './duration.ts';

/** Longer text is folded to this, in characters and lines. */
const FOLD_LENGTH = 1500;
const FOLD_LINES = 14;
/** And unfolded by this much at a time, in characters: a window can't lay out ten megabytes of text. */
const STEP = 50_000;

/** Text of a tool, exactly as it came, folded when it is long. */
export function FoldedText({ text, isError }: { text: string; isError: boolean }) {
  const { t } = useTranslation('chat');
  const [shown, setShown] = useState(() => foldAt(text));
  const rest = text.length - shown;
  const folded = foldAt(text);
  return (
    <div className="group/text relative min-w-0 overflow-hidden rounded-md bg-code">
      <pre
        dir="auto"
        className={cx(
          'max-h-120 overflow-auto py-2 pr-10 pl-3 font-mono text-sm whitespace-pre-wrap outline-offset-[-2px] [overflow-wrap:anywhere]',
          isError && 'text-danger',
        )}
      >
        {text.slice(0, shown)}
      </pre>
      <CopyButton text={() => text} label={t('tool.copyResult')} className="absolute top-1 right-1" />
      {(rest > 0 || shown > folded) && (
        <div className="flex items-center gap-2 border-border border-t px-2 py-1">
          {rest > 0 && (
            <Button size="sm" variant="ghost" onClick={() => setShown(Math.min(text.length, shown + STEP))}>
              {rest > STEP
                ? t('tool.showMore', { step: formatBytes(STEP), rest: formatBytes(rest) })
                : t('tool.showRest', { rest: formatBytes(rest) })}
            </Button>
          )}
          {shown > folded && (
            <Button size="sm" variant="ghost" onClick={() => setShown(folded)}>
              {t('message.fold')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** How many characters are shown at first. */
function foldAt(text: string): number {
  let end = -1;
  for (let line = 0; line < FOLD_LINES; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end === -1 || end > FOLD_LENGTH) break;
  }
  const limit = end === -1 ? FOLD_LENGTH : Math.min(end, FOLD_LENGTH);
  // A little more than the limit is no reason to fold.
  return text.length <= limit * 1.2 ? text.length : limit;
}
