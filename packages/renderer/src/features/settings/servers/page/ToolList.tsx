import type { McpServerState, McpServerView } from '@shared/contracts/mcp-types.ts';
import { RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServers } from '../../../../stores/servers.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { Skeleton } from '../../../../ui/Skeleton.tsx';
import { useAction } from '../../../../ui/useAction.ts';
import { MoreButton } from '../../shared/MoreButton.tsx';
import { SearchInput } from '../../shared/SearchInput.tsx';
import { usePaged } from '../../shared/usePaged.ts';
import { RejectedTools } from './RejectedTools.tsx';
import { ToolItem } from './ToolItem.tsx';

/** How many tools are put on the screen at once. */
const STEP = 100;

/** The tools of a server, kept up to date, with those that can't be used. */
export function ToolList({ server, state }: { server: McpServerView; state: McpServerState }) {
  const { t } = useTranslation('servers');
  const { id } = server;
  const tools = useServers((store) => store.tools[id]);
  const rejected = useServers((store) => store.rejected[id]) ?? [];
  const loadTools = useServers((store) => store.loadTools);
  const [query, setQuery] = useState('');
  const load = useAction(() => loadTools(id));
  const refresh = useAction(() => loadTools(id, true));

  // The listing is dropped when it changes, and another state may have another one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    void load.run();
  }, [id, state.status, tools === undefined]);

  const wanted = query.trim().toLowerCase();
  const found = (tools ?? []).filter((tool) =>
    [tool.name, tool.title, tool.description].some((text) => text?.toLowerCase().includes(wanted)),
  );
  const { shown, rest, more } = usePaged(found, STEP, wanted);
  const error = refresh.error ?? load.error;

  return (
    <section aria-label={t('page.tab.tools')} className="flex flex-col gap-3">
      {state.status === 'ready' && (
        <div className="flex items-center gap-2">
          <SearchInput value={query} onChange={setQuery} label={t('page.search')} />
          <Button icon={RefreshCw} busy={refresh.busy} onClick={() => refresh.run()}>
            {t('page.refresh')}
          </Button>
        </div>
      )}
      {error && <ErrorNote error={error} />}
      {tools === undefined && !error && <Skeleton className="h-40 w-full" />}
      {tools !== undefined && found.length === 0 && (
        <p className="py-6 text-center text-muted text-sm">{t(emptyText(state, tools.length))}</p>
      )}
      {shown.length > 0 && (
        <Card>
          <ul aria-label={t('page.tab.tools')} className="divide-y divide-border">
            {shown.map((tool) => (
              <ToolItem key={tool.id} tool={tool} />
            ))}
          </ul>
        </Card>
      )}
      <MoreButton rest={rest} onMore={more} />
      <RejectedTools rejected={rejected} />
    </section>
  );
}

function emptyText({ status }: McpServerState, count: number) {
  if (count > 0) return 'page.noMatch';
  if (status === 'off') return 'page.toolsOff';
  return status === 'ready' ? 'page.noTools' : 'page.toolsLater';
}
