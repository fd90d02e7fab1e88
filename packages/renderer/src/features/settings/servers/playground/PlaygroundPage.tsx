import type { McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import type { ArgumentProblem } from '@shared/contracts/mcp-tools.contract.ts';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { Play, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../bridge/api.ts';
import { unwrap } from '../../../../bridge/errors.ts';
import { useServers } from '../../../../stores/servers.ts';
import { type PlaygroundRun, toolKey, useToolRuns } from '../../../../stores/tool-runs.ts';
import { Button } from '../../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../../ui/Dialog.tsx';
import { Skeleton } from '../../../../ui/Skeleton.tsx';
import { Spinner } from '../../../../ui/Spinner.tsx';
import { useAction } from '../../../../ui/useAction.ts';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { Elapsed } from '../../../chat/tools/Elapsed.tsx';
import { ToolProgress } from '../../../chat/tools/ToolProgress.tsx';
import { forgetKept, useKeptState } from '../../shared/kept-state.ts';
import { SubPage } from '../../shared/SectionPage.tsx';
import { StartStopButton } from '../../shared/StartStopButton.tsx';
import { adopted, entered, newDraft, type PlaygroundDraft, toShow } from '../logic/playground-draft.ts';
import type { ServersPage } from '../page-state.ts';
import { ArgumentsEditor } from './ArgumentsEditor.tsx';
import { RunOutcome } from './RunOutcome.tsx';
import { useArgumentCheck } from './useArgumentCheck.ts';

/** One tool, to be tried out by hand. */
export function PlaygroundPage({
  status: { server, state },
  toolName,
  go,
}: {
  status: McpServerStatus;
  toolName: string;
  go: (page: ServersPage) => void;
}) {
  const { t } = useTranslation('tools');
  const tools = useServers((store) => store.tools[server.id]);
  const loadTools = useServers((store) => store.loadTools);
  const load = useAction(() => loadTools(server.id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the listing is dropped when it changes, and a state may bring another
  useEffect(() => {
    void load.run();
  }, [server.id, state.status, tools === undefined]);

  const offered = tools?.find(({ name }) => name === toolName);
  // A server that starts again lists nothing for a while; what one is typing into stays.
  const last = useRef<MCPTool>(undefined);
  if (offered) last.current = offered;
  const tool = last.current;

  return (
    <SubPage
      title={t('playground.title', { tool: toolName })}
      back={t('playground.back', { name: server.name })}
      onBack={() => go({ name: 'server', serverId: server.id, tab: 'tools' })}
    >
      {() => (
        <div className="flex flex-col gap-6" data-testid="playground">
          {tools !== undefined && !offered && <p className="text-muted text-sm">{t('playground.gone')}</p>}
          {tool ? <Playground tool={tool} /> : tools === undefined && <Skeleton className="h-40 w-full" />}
        </div>
      )}
    </SubPage>
  );
}

function Playground({ tool }: { tool: MCPTool }) {
  const { t } = useTranslation('tools');
  const { serverId, name: toolName, inputSchema } = tool;
  const key = toolKey(serverId, toolName);
  const draftKey = `servers.draft.tool.${key}`;
  const [kept, setDraft] = useKeptState<PlaygroundDraft>(draftKey, () => newDraft(inputSchema));
  const draft = adopted(kept, inputSchema);
  const run = useToolRuns(({ runs }) => runs[key]);
  const start = useToolRuns((state) => state.start);
  const [asking, setAsking] = useState(false);
  const running = run !== undefined && run.endedAt === undefined;
  const found = entered(draft);
  const args = 'args' in found ? found.args : undefined;
  const problems = toShow(draft, useArgumentCheck(serverId, toolName, args));

  const runNow = () => {
    setAsking(false);
    if (args) void start(serverId, toolName, args);
  };

  const begin = () => {
    setDraft({ ...draft, tried: true });
    if (tool.annotations?.destructiveHint === true) setAsking(true);
    else runNow();
  };

  return (
    <>
      {tool.description !== '' && (
        <p
          dir="auto"
          className="max-h-40 overflow-y-auto text-muted text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          <VisibleText text={tool.description} />
        </p>
      )}
      <ArgumentsEditor draft={draft} onChange={setDraft} />
      {problems.length > 0 && <Problems problems={problems} />}
      <div className="flex flex-wrap items-center gap-2">
        <StartStopButton
          variant="primary"
          icon={Play}
          disabled={!args}
          running={running}
          onStart={begin}
          onStop={async () => run && unwrap(api().mcpTools.cancel({ runId: run.runId }))}
        >
          {t(run ? 'playground.again' : 'playground.run')}
        </StartStopButton>
        <Button variant="ghost" onClick={() => forgetKept(draftKey)}>
          {t('playground.reset')}
        </Button>
      </div>
      {run && running && <Running run={run} />}
      {run && !running && <RunOutcome key={run.runId} run={run} />}
      <ConfirmDialog
        open={asking}
        title={t('playground.destructiveTitle', { tool: toolName })}
        description={t('playground.destructiveText')}
        confirmLabel={t('playground.run')}
        onConfirm={runNow}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

function Problems({ problems }: { problems: readonly ArgumentProblem[] }) {
  const { t } = useTranslation('tools');
  return (
    <div
      role="status"
      data-testid="argument-problems"
      className="flex gap-3 rounded-lg bg-warning-soft px-4 py-3 text-sm"
    >
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warning" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">{t('playground.check')}</p>
        <ul>
          {problems.map(({ text }) => (
            <li key={text}>
              <VisibleText text={text} />
            </li>
          ))}
        </ul>
        <p>{t('playground.checkAnyway')}</p>
      </div>
    </div>
  );
}

function Running({ run }: { run: PlaygroundRun }) {
  const { t } = useTranslation('tools');
  return (
    <section aria-label={t('playground.running')} className="rounded-lg border border-border bg-surface-2">
      <div className="flex items-center gap-2.5 px-3 py-2 text-sm">
        <Spinner className="text-accent" />
        <span>{t('playground.running')}</span>
        <span className="ml-auto text-muted text-xs">
          <Elapsed startedAt={run.startedAt} running />
        </span>
      </div>
      <ToolProgress progress={run.progress} />
    </section>
  );
}
