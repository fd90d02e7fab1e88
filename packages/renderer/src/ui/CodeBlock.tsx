import { type CSSProperties, startTransition, useEffect, useState } from 'react';
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
  const lines = useHighlighted(code, language, Boolean(growing));
  return (
    <div className="group/code overflow-hidden rounded-lg border border-border bg-code">
      <div className="flex h-8 items-center justify-between gap-2 pr-1 pl-3 text-muted text-xs">
        <span className="truncate">{language ?? t('code.plain')}</span>
        <CopyButton text={() => code} label={t('code.copy')} className="size-7" />
      </div>
      <pre className="max-h-120 overflow-auto px-3 pb-3 font-mono text-sm outline-offset-[-2px]">
        <code>
          {lines
            ? lines.map((line) => <Line key={line.number} line={line} last={line.number === lines.length - 1} />)
            : code}
        </code>
      </pre>
    </div>
  );
}

function Line({ line, last }: { line: CodeLine; last: boolean }) {
  return (
    <>
      {line.tokens.map((token) => (
        <span key={token.offset} style={styleOf(token)} className={cx(token.italic && 'italic')}>
          {token.text}
        </span>
      ))}
      {!last && '\n'}
    </>
  );
}

const styleOf = ({ color }: CodeToken): CSSProperties | undefined => (color ? { color } : undefined);

function useHighlighted(code: string, language: string | undefined, growing: boolean): CodeLine[] | null {
  const [result, setResult] = useState<{ code: string; lines: CodeLine[] } | null>(null);
  useEffect(() => {
    if (!language || growing || code.length > MAX_HIGHLIGHTED) return;
    const stop = new AbortController();
    void highlight(code, language, stop.signal).then((lines) => {
      // Thousands of coloured words: typing and new text go first.
      if (lines && !stop.signal.aborted) startTransition(() => setResult({ code, lines }));
    });
    return () => stop.abort();
  }, [code, language, growing]);
  return result?.code === code ? result.lines : null;
}
