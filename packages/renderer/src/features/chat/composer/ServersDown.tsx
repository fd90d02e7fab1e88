import type { McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import { RotateCw, Settings, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../../stores/app.ts';
import { useServers } from '../../../stores/servers.ts';
import { Button } from '../../../ui/Button.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { VisibleText } from '../../../ui/VisibleText.tsx';
import { errorOf } from '../../settings/servers/logic/state-words.ts';
import { ServerState } from '../../settings/servers/ServerState.tsx';
import { restartServer } from '../../settings/servers/server-actions.ts';
import { focusComposer } from './focus.ts';

/** One that is being started again, or about to be by itself, is none. */
const isDown = ({ state }: McpServerStatus): boolean => state.status === 'failed' || state.status === 'needs-sign-in';

/**
 * A quiet sign that servers aren't running, so that nobody wonders where their tools are; opens to why, and to the ways on.
 * Nothing while all run.
 */
export function ServersDown() {
  const { t } = useTranslation(['chat', 'common']);
  const servers = useServers((state) => state.servers);
  const go = useApp((state) => state.go);
  const [open, setOpen] = useState(false);
  /** Those that were down since it was opened: it says of each what became of it. */
  const [seen, setSeen] = useState<readonly string[]>([]);
  const down = (servers ?? []).filter(isDown);
  const unseen = open ? down.map(({ server }) => server.id).filter((id) => !seen.includes(id)) : [];
  if (unseen.length > 0) setSeen([...seen, ...unseen]);
  if (down.length === 0 && !open) return null;

  const listed = (servers ?? []).filter(({ server }) => seen.includes(server.id));
  const starting = listed.some(({ state }) => state.status !== 'ready');
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setSeen([]);
        // There may be no sign any more to go back to.
        if (!next && down.length === 0) focusComposer();
      }}
      align="start"
      label={t('servers.title')}
      trigger={
        <Button size="sm" variant="ghost" data-testid="servers-down" className="min-w-0 outline-offset-[-2px]">
          {down.length > 0 && <TriangleAlert size={16} aria-hidden className="shrink-0 text-warning" />}
          <span role="status" className="truncate font-normal text-muted text-xs">
            {down.length > 0
              ? t('servers.down', { count: down.length })
              : t(starting ? 'servers.starting' : 'servers.running')}
          </span>
        </Button>
      }
    >
      <div data-testid="servers-down-panel" className="flex flex-col">
        <ul className="flex max-h-[min(360px,calc(var(--radix-popover-content-available-height)-52px))] flex-col divide-y divide-border overflow-y-auto">
          {listed.map((status) => (
            <ServerDown key={status.server.id} status={status} />
          ))}
        </ul>
        <div className="flex border-border border-t p-2">
          <Button
            size="sm"
            variant="ghost"
            icon={Settings}
            onClick={() => go({ name: 'settings', section: 'servers' })}
          >
            {t('servers.settings')}
          </Button>
        </div>
      </div>
    </Popover>
  );
}

/** A server that isn't running, or wasn't until a moment ago. */
function ServerDown({ status: { server, state } }: { status: McpServerStatus }) {
  const { t } = useTranslation('servers');
  const restart = useAction(() => restartServer(server.id));
  const error = restart.error ?? errorOf(state);
  return (
    <li className="flex flex-col gap-1.5 px-4 py-3 text-sm">
      <div className="flex items-center gap-2">
        <span className="min-w-0 grow truncate font-medium">
          <VisibleText text={server.name} />
        </span>
        <ServerState state={state} />
      </div>
      {error && (
        <p className="text-muted [overflow-wrap:anywhere]">
          <VisibleText text={[error.message, error.hint].filter(Boolean).join(' ')} />
        </p>
      )}
      {state.status === 'failed' && (
        <Button size="sm" icon={RotateCw} busy={restart.busy} onClick={() => restart.run()} className="mt-1 self-start">
          {t('row.tryAgain')}
        </Button>
      )}
    </li>
  );
}
