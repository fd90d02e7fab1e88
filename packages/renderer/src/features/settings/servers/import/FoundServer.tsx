import type { FoundMcpServer } from '@shared/contracts/mcp-import.contract.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useServers } from '../../../../stores/servers.ts';
import { Badge } from '../../../../ui/Badge.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { Disclosure } from '../../../../ui/Disclosure.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { SegmentedControl } from '../../../../ui/SegmentedControl.tsx';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { visibleString } from '../../../../ui/visible-text.ts';
import { targetOf, targetOfView } from '../target.ts';
import { WhatRuns } from '../WhatRuns.tsx';
import type { Import, Way } from './useImport.ts';

const PLAIN_CHANGES = ['type', 'command', 'args', 'cwd', 'url'] as const;
type PlainChange = (typeof PLAIN_CHANGES)[number];

/** A server of another program, shown in full, to be ticked. */
export function FoundServer({ server, state }: { server: FoundMcpServer; state: Import }) {
  const { t } = useTranslation('servers');
  const { key, name, type, status, existing, notes, unknownPlaceholders } = server;
  const ticked = state.isTicked(server) && state.canTick(server);
  const { error } = state.outcomes.get(key) ?? {};
  const mine = useServers(({ servers }) => servers?.find((each) => each.server.id === existing?.id)?.server);
  const ways = (['replace', 'beside'] as Way[]).map((value) => ({ value, label: t(`import.${value}`) }));
  return (
    <li
      data-testid="found-server"
      data-status={status}
      className="flex flex-col gap-2 rounded-lg border border-border px-4 py-3 [contain-intrinsic-height:160px] [content-visibility:auto]"
    >
      <Checkbox checked={ticked} disabled={!state.canTick(server)} onChange={(on) => state.tick([server], on)}>
        <span className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium [overflow-wrap:anywhere]">
            <VisibleText text={name} />
          </span>
          <Badge>{t(`transport.${type}`)}</Badge>
          {!state.canTick(server) && <Badge tone="success">{hereAs(server, existing?.name)}</Badge>}
          {state.canTick(server) && status === 'changed' && <Badge tone="warning">{t('import.status.changed')}</Badge>}
        </span>
      </Checkbox>
      <div className="rounded-md bg-code px-3 py-2.5">
        <WhatRuns target={targetOfView(type, server.config)} />
      </div>
      {status === 'changed' && state.canTick(server) && (
        <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
          <p className="min-w-0 [overflow-wrap:anywhere]">
            <span className="text-muted">{t('import.changes')} </span>
            <VisibleText text={server.changes.map(words).join(', ')} />
          </p>
          {ticked && (
            <SegmentedControl
              label={t('import.how', { name: visibleString(name) })}
              value={state.wayOf(server)}
              onChange={(way) => state.setWay(server, way)}
              options={ways}
            />
          )}
        </div>
      )}
      {status === 'changed' && state.canTick(server) && mine && (
        <Disclosure label={t('import.yours')}>
          <div className="mt-1.5 rounded-md bg-code px-3 py-2.5">
            <WhatRuns target={targetOf(mine)} />
          </div>
        </Disclosure>
      )}
      {notes.map((note) => (
        <Note key={note}>{t(`import.note.${note}`)}</Note>
      ))}
      {unknownPlaceholders.length > 0 && (
        <Note>
          <VisibleText text={t('import.placeholder', { names: unknownPlaceholders.join(', ') })} />
        </Note>
      )}
      {error && <ErrorNote error={error} />}
    </li>
  );

  function hereAs({ name: own }: FoundMcpServer, other: string | undefined): string {
    return other !== undefined && other !== own && status === 'same'
      ? t('import.sameAs', { name: visibleString(other) })
      : t('import.status.same');
  }

  function words(change: string): string {
    if ((PLAIN_CHANGES as readonly string[]).includes(change)) return t(`import.change.${change as PlainChange}`);
    const [kind, ...rest] = change.split(':');
    return t(kind === 'env' ? 'import.change.env' : 'import.change.header', { name: rest.join(':') });
  }
}

const Note = ({ children }: { children: ReactNode }) => <p className="text-muted text-sm">{children}</p>;
