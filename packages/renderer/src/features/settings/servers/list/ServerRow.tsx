import type { McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import type { ServerCost } from '@shared/contracts/mcp-tools.contract.ts';
import { Ellipsis, Pencil, RotateCw, ScrollText, Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../../../bridge/errors.ts';
import { useSignIns } from '../../../../stores/sign-ins.ts';
import { toastError } from '../../../../stores/toasts.ts';
import { Badge } from '../../../../ui/Badge.tsx';
import { Button } from '../../../../ui/Button.tsx';
import { cx } from '../../../../ui/cx.ts';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { Menu, type MenuItem } from '../../../../ui/Menu.tsx';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { SignInNote } from '../../../sign-in/SignInNote.tsx';
import { NameButton } from '../../shared/NameButton.tsx';
import { InstallNote } from '../InstallNote.tsx';
import { errorOf } from '../logic/state-words.ts';
import type { ServersPage } from '../page-state.ts';
import { RemoveServerDialog } from '../RemoveServerDialog.tsx';
import { ServerState } from '../ServerState.tsx';
import { ServerSwitch } from '../ServerSwitch.tsx';
import { restartServer } from '../server-actions.ts';
import { formatTokens, ToolProblems } from '../tools/CostNote.tsx';

const restart = (serverId: string) => restartServer(serverId).catch((thrown) => toastError(toApiError(thrown)));

/** One server: how it is, what went wrong if anything did, and what can be done with it. */
export const ServerRow = memo(function ServerRow({
  status: { server, state },
  cost,
  go,
}: {
  status: McpServerStatus;
  /** What its tools cost; undefined where that isn't known. */
  cost?: ServerCost;
  go: (page: ServersPage) => void;
}) {
  const { t } = useTranslation(['servers', 'common', 'tools']);
  const [removing, setRemoving] = useState(false);
  const error = errorOf(state);
  // What to do then is said by the note of the sign-in itself.
  const asksForSignIn = useSignIns(({ byServer }) => byServer[server.id]?.needs === 'sign-in');
  const open = (tab: 'tools' | 'log') => go({ name: 'server', serverId: server.id, tab });
  const again = t(state.status === 'ready' || state.status === 'connecting' ? 'row.restart' : 'row.tryAgain');

  const items: MenuItem[] = [
    ...(server.builtin === undefined
      ? [{ label: t('common:edit'), icon: Pencil, onSelect: () => go({ name: 'edit', serverId: server.id }) }]
      : []),
    ...(server.enabled ? [{ label: again, icon: RotateCw, onSelect: () => restart(server.id) }] : []),
    { label: t('row.log'), icon: ScrollText, onSelect: () => open('log') },
    { label: t('common:remove'), icon: Trash2, danger: true, onSelect: () => setRemoving(true) },
  ];

  return (
    <li
      data-testid="server-row"
      data-status={state.status}
      className="flex flex-col gap-3 px-4 py-3 [contain-intrinsic-height:68px] [content-visibility:auto]"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-40 flex-1">
          <div className="flex min-w-0 items-center gap-2">
            <NameButton id={server.id} name={server.name} onClick={() => open('tools')} />
            {server.builtin !== undefined && <Badge>{t('row.builtin')}</Badge>}
          </div>
          <div className="flex flex-col gap-1">
            <p className="truncate text-muted text-xs">
              {t(`transport.${server.type}`)}
              {state.status === 'ready' &&
                state.protocolVersion &&
                ` · ${t('page.protocol', { version: state.protocolVersion })}`}
              {cost && cost.toolCount > 0 && ` · ${t('tools:tokens', { tokens: formatTokens(cost.tokens) })}`}
              <Place server={server} />
            </p>
            {cost && <ToolProblems cost={cost} />}
          </div>
        </div>
        <div className="flex items-center gap-2">
          {state.status === 'ready' ? (
            <Button size="sm" variant="ghost" onClick={() => open('tools')}>
              <span className={cx('size-2 rounded-full', state.asleep ? 'bg-border' : 'bg-success')} aria-hidden />
              {!state.asleep && <span className="sr-only">{t('state.ready')},</span>}
              <span className="tabular">{t('row.tools', { count: state.toolCount })}</span>
              {state.asleep && <span className="text-muted">{t('row.asleep')}</span>}
            </Button>
          ) : (
            // As far from the switch as the words of the button.
            <span className="inline-flex px-2.75">
              <ServerState state={state} />
            </span>
          )}
          <ServerSwitch server={server} />
          <Menu
            trigger={<IconButton icon={Ellipsis} label={t('row.menu', { name: server.name })} className="-mr-2.5" />}
            items={items}
          />
        </div>
      </div>
      <InstallNote state={state} />
      <SignInNote serverId={server.id} serverName={server.name} />
      {error && !asksForSignIn && (
        <ErrorNote
          error={error}
          actions={
            <>
              <Button size="sm" icon={RotateCw} onClick={() => restart(server.id)}>
                {t('row.tryAgain')}
              </Button>
              {server.builtin === undefined && (
                <Button size="sm" icon={Pencil} onClick={() => go({ name: 'edit', serverId: server.id })}>
                  {t('common:edit')}
                </Button>
              )}
              <Button size="sm" icon={ScrollText} onClick={() => open('log')}>
                {t('row.log')}
              </Button>
            </>
          }
        />
      )}
      {removing && (
        <RemoveServerDialog
          server={server}
          onRemoved={() => {
            setRemoving(false);
            go({ name: 'list', focus: 'add' });
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  );
});

/** Where a server is, short: its command or its address, or the folders that it was given. */
function Place({ server: { config, builtinOptions } }: { server: McpServerStatus['server'] }) {
  const program = [config.command, ...(config.args ?? [])].filter(Boolean).join(' ');
  const text = config.url ?? (builtinOptions?.folders?.join(', ') ?? program).slice(0, 300);
  if (text === '') return null;
  return (
    <>
      {' · '}
      <span className="font-mono">
        <VisibleText text={text} />
      </span>
    </>
  );
}
