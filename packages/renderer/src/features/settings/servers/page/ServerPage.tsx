import type { McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import { Pencil, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignIns } from '../../../../stores/sign-ins.ts';
import { Badge } from '../../../../ui/Badge.tsx';
import { Button } from '../../../../ui/Button.tsx';
import { Disclosure } from '../../../../ui/Disclosure.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { SegmentedControl } from '../../../../ui/SegmentedControl.tsx';
import { useAction } from '../../../../ui/useAction.ts';
import { SignedIn } from '../../../sign-in/SignedIn.tsx';
import { SignInNote } from '../../../sign-in/SignInNote.tsx';
import { SubPage } from '../../shared/SectionPage.tsx';
import { BuiltinInfo } from '../builtin/BuiltinInfo.tsx';
import { InstallNote } from '../InstallNote.tsx';
import { ServerLog } from '../log/ServerLog.tsx';
import { errorOf } from '../logic/state-words.ts';
import type { ServersPage } from '../page-state.ts';
import { RemoveServerDialog } from '../RemoveServerDialog.tsx';
import { ServerState } from '../ServerState.tsx';
import { ServerSwitch } from '../ServerSwitch.tsx';
import { restartServer } from '../server-actions.ts';
import { targetOf } from '../target.ts';
import { WhatRuns } from '../WhatRuns.tsx';
import { PromptList } from './content/PromptList.tsx';
import { ResourceList } from './content/ResourceList.tsx';
import { ServerAccess } from './ServerAccess.tsx';
import { ToolList } from './ToolList.tsx';

const TABS = ['tools', 'resources', 'prompts', 'log', 'access'] as const;
export type ServerTab = (typeof TABS)[number];

/** One server by itself: its state, what it runs, its tools and its log. */
export function ServerPage({
  status: { server, state },
  tab,
  go,
}: {
  status: McpServerStatus;
  tab: ServerTab;
  go: (page: ServersPage) => void;
}) {
  const { t } = useTranslation(['servers', 'common']);
  const [removing, setRemoving] = useState(false);
  const restart = useAction(() => restartServer(server.id));
  const error = restart.error ?? errorOf(state);
  // What to do then is said by the note of the sign-in itself.
  const asksForSignIn = useSignIns(({ byServer }) => byServer[server.id]?.needs === 'sign-in');
  const running = state.status === 'ready' || state.status === 'connecting';

  return (
    <SubPage
      title={server.name}
      back={t('title')}
      onBack={() => go({ name: 'list', focus: server.id })}
      actions={
        <>
          {server.builtin === undefined && (
            <Button size="sm" icon={Pencil} onClick={() => go({ name: 'edit', serverId: server.id })}>
              {t('common:edit')}
            </Button>
          )}
          {server.enabled && (
            <Button size="sm" icon={RotateCw} busy={restart.busy} onClick={() => restart.run()}>
              {t(running ? 'row.restart' : 'row.tryAgain')}
            </Button>
          )}
          <Button size="sm" variant="danger" icon={Trash2} onClick={() => setRemoving(true)}>
            {t('common:remove')}
          </Button>
        </>
      }
    >
      {() => (
        <div className="flex flex-col gap-5">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted text-sm">
            <ServerSwitch server={server} />
            <ServerState state={state} />
            <span>{t(`transport.${server.type}`)}</span>
            {state.status === 'ready' && state.serverVersion && (
              <span className="[overflow-wrap:anywhere]">{t('page.version', { version: state.serverVersion })}</span>
            )}
            {state.status === 'ready' && state.protocolVersion && (
              <span>{t('page.protocol', { version: state.protocolVersion })}</span>
            )}
            {server.builtin !== undefined && <Badge>{t('row.builtin')}</Badge>}
            <SignedIn serverId={server.id} />
          </div>
          <SignInNote serverId={server.id} serverName={server.name} />
          <InstallNote state={state} />
          {error && !asksForSignIn && <ErrorNote error={error} />}
          {server.builtin === undefined ? (
            <Disclosure label={t('page.runs')}>
              <div className="mt-2 rounded-lg bg-code px-4 py-3">
                <WhatRuns target={targetOf(server)} />
              </div>
            </Disclosure>
          ) : (
            <BuiltinInfo server={server} />
          )}
          <div>
            <SegmentedControl
              label={t('page.tabs')}
              value={tab}
              onChange={(next) => go({ name: 'server', serverId: server.id, tab: next })}
              options={TABS.map((value) => ({ value, label: t(`page.tab.${value}`) }))}
            />
          </div>
          {tab === 'tools' && <ToolList server={server} state={state} go={go} />}
          {tab === 'resources' && <ResourceList server={server} state={state} />}
          {tab === 'prompts' && <PromptList server={server} state={state} />}
          {tab === 'log' && <ServerLog serverId={server.id} />}
          {tab === 'access' && <ServerAccess serverId={server.id} />}
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
        </div>
      )}
    </SubPage>
  );
}
