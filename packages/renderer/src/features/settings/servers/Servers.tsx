import { useEffect } from 'react';
import { useApp } from '../../../stores/app.ts';
import { useServers } from '../../../stores/servers.ts';
import { useSectionPage } from '../shared/kept-state.ts';
import { ServerForm } from './form/ServerForm.tsx';
import { ImportPage } from './import/ImportPage.tsx';
import { ServerList } from './list/ServerList.tsx';
import { ServerPage } from './page/ServerPage.tsx';
import type { ServersPage } from './page-state.ts';
import { PlaygroundPage } from './playground/PlaygroundPage.tsx';

/** The section of the tool servers: the list, or one server's form or page in its place. */
export function Servers() {
  const servers = useServers((state) => state.servers);
  const intent = useApp(({ view }) => (view.name === 'settings' ? view.intent : undefined));
  const [page, go] = useSectionPage<ServersPage>('servers', () => ({ name: 'list' }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: an intent counts once, when the section is opened with it
  useEffect(() => {
    if (intent === 'add') go({ name: 'add' });
  }, [intent]);

  const server = 'serverId' in page ? servers?.find((status) => status.server.id === page.serverId) : undefined;
  const back = (focus?: string) => go({ name: 'list', focus });

  if (page.name === 'add') {
    return <ServerForm key="new" onDone={(id) => back(id ?? 'add')} />;
  }
  if (page.name === 'import') return <ImportPage onDone={() => back('import')} onAdd={() => go({ name: 'add' })} />;
  if (page.name === 'edit' && server && server.server.builtin === undefined) {
    return <ServerForm key={server.server.id} server={server.server} onDone={(id) => back(id)} />;
  }
  if (page.name === 'server' && server) {
    return <ServerPage key={server.server.id} status={server} tab={page.tab} go={go} />;
  }
  if (page.name === 'playground' && server) {
    const key = `${server.server.id} ${page.toolName}`;
    return <PlaygroundPage key={key} status={server} toolName={page.toolName} go={go} />;
  }
  return <ServerList servers={servers} page={page} go={go} />;
}
