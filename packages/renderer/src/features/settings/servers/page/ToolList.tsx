import type { ToolSetting } from '@shared/contracts/mcp-tools.contract.ts';
import type { McpServerState, McpServerView } from '@shared/contracts/mcp-types.ts';
import { RefreshCw } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
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
import type { ServersPage } from '../page-state.ts';
import { restartServer } from '../server-actions.ts';
import { formatTokens, ToolProblems, TooManyTools } from '../tools/CostNote.tsx';
import { ResetPolicies } from '../tools/ResetPolicies.tsx';
import { useToolCosts, useToolSettings } from '../tools/useToolFacts.ts';
import { useToolFormat } from '../tools/useToolFormat.ts';
import { RejectedTools } from './RejectedTools.tsx';
import { ToolItem } from './ToolItem.tsx';

/** How many tools are put on the screen at once. */
const STEP = 100;

/** The tools of a server, kept up to date, with those that can't be used. */
export function ToolList({
  server,
  state,
  go,
}: {
  server: McpServerView;
  state: McpServerState;
  go: (page: ServersPage) => void;
}) {
  const { t } = useTranslation('servers');
  const { id } = server;
  const tools = useServers((store) => store.tools[id]);
  const rejected = useServers((store) => store.rejected[id]) ?? [];
  const loadTools = useServers((store) => store.loadTools);
  const [query, setQuery] = useState('');
  const load = useAction(() => loadTools(id));
  const { format, model } = useToolFormat();
  const settings = useToolSettings(id, format);
  const costs = useToolCosts(format);
  const cost = costs?.servers.find(({ serverId }) => serverId === id);
  const openPlayground = useCallback(
    (toolName: string) => go({ name: 'playground', serverId: id, toolName }),
    [go, id],
  );
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
      {settings !== null && settings.size > 0 && <Offered settings={settings} model={model} />}
      {cost && <ToolProblems cost={cost} />}
      {costs && cost && cost.toolCount > 0 && <TooManyTools costs={costs} model={model} />}
      {error && <ErrorNote error={error} />}
      {tools === undefined && !error && <Skeleton className="h-40 w-full" />}
      {tools !== undefined && found.length === 0 && (
        <div className="flex flex-col items-center gap-3 py-6 text-center text-muted text-sm">
          <p>{t(emptyText(state, tools.length))}</p>
          {state.status === 'failed' && <TryAgain serverId={id} />}
        </div>
      )}
      {shown.length > 0 && (
        <Card>
          <ul aria-label={t('page.tab.tools')} className="divide-y divide-border">
            {shown.map((tool) => (
              <ToolItem key={tool.id} tool={tool} setting={settings?.get(tool.name)} onTry={openPlayground} />
            ))}
          </ul>
        </Card>
      )}
      <MoreButton rest={rest} onMore={more} />
      <RejectedTools rejected={rejected} />
      {settings !== null && settings.size > 0 && (
        <div>
          <ResetPolicies server={server} />
        </div>
      )}
    </section>
  );
}

function TryAgain({ serverId }: { serverId: string }) {
  const { t } = useTranslation('servers');
  const restart = useAction(() => restartServer(serverId));
  return (
    <>
      <Button busy={restart.busy} onClick={() => restart.run()}>
        {t('row.tryAgain')}
      </Button>
      {restart.error && <ErrorNote error={restart.error} />}
    </>
  );
}

/** How many of the tools models are offered, and what that costs. */
function Offered({ settings, model }: { settings: ReadonlyMap<string, ToolSetting>; model: string | undefined }) {
  const { t } = useTranslation('tools');
  const offered = [...settings.values()].filter(({ enabled }) => enabled);
  const tokens = offered.reduce((sum, setting) => sum + setting.tokens, 0);
  const off = settings.size - offered.length;
  return (
    <p
      data-testid="offered-tools"
      className="text-muted text-sm"
      title={model === undefined ? t('cost.howNoModel') : t('cost.how', { model })}
    >
      {t('cost.server', { count: offered.length, tokens: formatTokens(tokens) })}
      {off > 0 && ` ${t('cost.off', { count: off })}`}
    </p>
  );
}

function emptyText({ status }: McpServerState, count: number) {
  if (count > 0) return 'page.noMatch';
  if (status === 'off') return 'page.toolsOff';
  return status === 'ready' ? 'page.noTools' : 'page.toolsLater';
}
