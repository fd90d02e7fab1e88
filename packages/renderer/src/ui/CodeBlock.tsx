import { type CSSProperties, Fragment, memo, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './CopyButton.tsx';
import { cx } from './cx.ts';
import type { CodeLine, CodeToken } from './highlight/colour-code.ts';
import { highlight } from './highlight/highlight.ts';

/** Longer code stays plain: colouring it would cost more than it helps. In characters. */
const MAX_HIGHLIGHTED = 60_000;

/**
 * Code with its language and a copy button. Colours come when they are ready and change no layout.
 * `growing`: the code is still being written; it stays plain until it is whole.
 */
export function CodeBlock({ code, language, growing }: { code: string; language?: string; growing?: boolean }) {
  const { t } = useTranslation();
  const slices = useHighlighted(code, language, Boolean(growing));
  const rest = slices.length === 0 ? code : code.split('\n').slice(slices.flat().length).join('\n');
  return (
    <div className="group/code overflow-hidden rounded-lg border border-border bg-code">
      <div className="flex h-8 items-center justify-between gap-2 pr-1 pl-3 text-muted text-xs">
        <span className="truncate">{language ?? t('code.plain')}</span>
        <CopyButton text={() => code} label={t('code.copy')} className="size-7" />
      </div>
      <pre
        className={cx(
          'max-h-120 overflow-auto px-3 pb-3 font-mono text-sm outline-offset-[-2px]',
          // Plain text, unlike code, loses nothing by it.
          !language && 'whitespace-pre-wrap [overflow-wrap:anywhere]',
        )}
      >
        <code>
          {slices.map((lines, index) => (
            <Slice key={lines[0]?.number} lines={lines} last={rest === '' && index === slices.length - 1} />
          ))}
          {rest}
        </code>
      </pre>
    </div>
  );
}

/** Some lines of it: a long block is coloured, and built, a slice at a time. */
const Slice = memo(function Slice({ lines, last }: { lines: CodeLine[]; last: boolean }) {
  return lines.map((line, index) => (
    <Fragment key={line.number}>
      {line.tokens.map((token) => (
        <span key={token.offset} style={styleOf(token)} className={cx(token.italic && 'italic')}>
          {token.text}
        </span>
      ))}
      {!(last && index === lines.length - 1) && '\n'}
    </Fragment>
  ));
});

const styleOf = ({ color }: CodeToken): CSSProperties | undefined => (color ? { color } : undefined);

const NONE: CodeLine[][] = [];

/** The slices of `code` that are coloured so far. */
function useHighlighted(code: string, language: string | undefined, growing: boolean): CodeLine[][] {
  const [result, setResult] = useState({ code, slices: NONE });
  useEffect(() => {
    if (!language || growing || code.length > MAX_HIGHLIGHTED) return;
    const stop = new AbortController();
    const add = (lines: CodeLine[]) =>
      setResult((before) => ({ code, slices: before.code === code ? [...before.slices, lines] : [lines] }));
    setResult({ code, slices: NONE });
    void highlight(code, language, stop.signal, add);
    return () => stop.abort();
  }, [code, language, growing]);
  return result.code === code ? result.slices : NONE;
}
