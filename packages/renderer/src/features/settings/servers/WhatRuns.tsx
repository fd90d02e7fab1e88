import type { McpServerTransport } from '@shared/contracts/mcp-types.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { VisibleText } from '../../../ui/VisibleText.tsx';

export interface Target {
  type: McpServerTransport;
  command?: string;
  args?: readonly string[];
  cwd?: string;
  url?: string;
  /** Names with their values; null for a value that only main knows. */
  env: readonly (readonly [name: string, value: string | null])[];
  headers: readonly (readonly [name: string, value: string | null])[];
}

/** Exactly what would be started or called, nothing of it hidden: one argument per line, characters without a shape by code. */
export function WhatRuns({ target }: { target: Target }) {
  const { t } = useTranslation('servers');
  const { type, command = '', args = [], cwd, url = '', env, headers } = target;
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm max-sm:grid-cols-1 max-sm:gap-y-0.5">
      {type === 'stdio' ? (
        <>
          <Line label={t('runs.program')}>
            <Exact text={command} />
          </Line>
          <Line label={t('runs.arguments')}>
            {args.length === 0 ? (
              <span className="text-muted">{t('runs.none')}</span>
            ) : (
              <ol className="flex flex-col gap-0.5">
                {args.map((arg, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the position of an argument is what it is known by
                  <li key={index} className="flex gap-2">
                    <span aria-hidden className="tabular w-5 shrink-0 pt-px text-right text-muted text-xs select-none">
                      {index + 1}
                    </span>
                    {arg === '' ? <span className="text-muted italic">{t('runs.empty')}</span> : <Exact text={arg} />}
                  </li>
                ))}
              </ol>
            )}
          </Line>
          <Line label={t('runs.folder')}>
            {cwd ? <Exact text={cwd} /> : <span className="text-muted">{t('runs.home')}</span>}
          </Line>
          {env.length > 0 && (
            <Line label={t('runs.variables')}>
              <Values values={env} />
            </Line>
          )}
        </>
      ) : (
        <>
          <Line label={t('runs.address')}>
            <Exact text={url} />
          </Line>
          {headers.length > 0 && (
            <Line label={t('runs.headers')}>
              <Values values={headers} />
            </Line>
          )}
        </>
      )}
    </dl>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted max-sm:pt-1.5">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

/** `break-spaces` wraps at spaces too: a long run of them can't push what follows out of sight. */
const Exact = ({ text }: { text: string }) => (
  <code className="min-w-0 font-mono [overflow-wrap:anywhere] [white-space:break-spaces]">
    <VisibleText text={text} />
  </code>
);

function Values({ values }: { values: Target['env'] }) {
  const { t } = useTranslation('servers');
  const [revealed, setRevealed] = useState(false);
  const known = values.some(([, value]) => value !== null);
  return (
    <div className="flex flex-col items-start gap-0.5">
      <ul className="w-full">
        {values.map(([name, value]) => (
          <li key={name}>
            <Exact text={name} />
            {value !== null && (
              <>
                <span className="text-muted"> = </span>
                {revealed ? <Exact text={value} /> : <span className="text-muted">••••••</span>}
              </>
            )}
          </li>
        ))}
      </ul>
      {known && (
        <Button
          size="sm"
          variant="ghost"
          aria-pressed={revealed}
          onClick={() => setRevealed(!revealed)}
          className="-ml-2.5"
        >
          {t(revealed ? 'runs.hide' : 'runs.reveal')}
        </Button>
      )}
    </div>
  );
}
