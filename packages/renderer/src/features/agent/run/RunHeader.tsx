import type { AgentRun } from '@shared/contracts/agent-types.ts';
import { Bot, Clock, Coins, FileDiff, Folder, type LucideIcon, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../../bridge/errors.ts';
import { changesOf, useAgent } from '../../../stores/agent.ts';
import { useChat } from '../../../stores/chat.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { toastError } from '../../../stores/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useNow } from '../../../ui/useNow.ts';
import { visibleString } from '../../../ui/visible-text.ts';
import { ModelPicker } from '../../chat/model-picker/ModelPicker.tsx';
import { SidebarButtons } from '../../chat/sidebar/SidebarButtons.tsx';
import { formatDuration } from '../../chat/tools/duration.ts';
import { folderName } from '../shared/folder-name.ts';
import { tokensUsed, workedFor } from './facts.ts';
import { ModeSelect } from './ModeSelect.tsx';
import { CHANGES_TOGGLE_ID } from './panel.ts';

/** From this share of the budget on, its use is marked. */
const NEARLY_USED = 0.9;

/** Title and model of a run; below them where it works, as what, how far it is, and how to stop it. */
export function RunHeader({
  conversationId,
  run,
  panelOpen,
  onTogglePanel,
}: {
  conversationId: string;
  run: AgentRun;
  panelOpen: boolean;
  onTogglePanel: () => void;
}) {
  const { t } = useTranslation('agent');
  const title = useConversations((state) => state.conversations?.find(({ id }) => id === conversationId)?.title);
  /** Files with a change that stands. */
  const files = useAgent((state) => {
    const standing = changesOf(state, conversationId).filter(({ undone }) => !undone);
    return new Set(standing.map(({ path }) => path)).size;
  });
  const workspace = visibleString(run.workspace);
  return (
    <header className="shrink-0 px-4">
      <div className="flex h-13 items-center gap-2">
        <SidebarButtons />
        <h1 dir="auto" title={title} className="min-w-0 grow truncate text-left font-medium text-base">
          {title}
        </h1>
        <ModelPicker />
        <div className="relative flex">
          <IconButton
            id={CHANGES_TOGGLE_ID}
            icon={FileDiff}
            iconSize={20}
            data-testid="changes-toggle"
            label={
              panelOpen ? t('changes.hide') : files > 0 ? t('changes.showCount', { count: files }) : t('changes.show')
            }
            aria-expanded={panelOpen}
            onClick={onTogglePanel}
            tooltipSide="bottom"
            className={cx(panelOpen && 'bg-surface-3 text-text')}
          />
          {files > 0 && (
            <span
              aria-hidden
              className="tabular pointer-events-none absolute -top-1 -right-1 min-w-4 rounded-full bg-accent px-1 text-center font-medium text-on-accent text-xs"
            >
              {files}
            </span>
          )}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-2">
        <ul aria-label={t('header.details')} className="flex min-w-0 grow flex-wrap gap-x-4 text-muted text-xs">
          <Fact icon={Folder} title={t('header.workspace', { path: workspace })} name>
            {visibleString(folderName(run.workspace))}
          </Fact>
          <Fact icon={Bot} title={t('header.preset', { name: run.preset.name })} name>
            {visibleString(run.preset.name)}
          </Fact>
          <Tokens budget={run.preset.tokenBudget} />
          <Worked conversationId={conversationId} />
        </ul>
        <div className="flex items-center gap-2">
          <StopButton />
          <ModeSelect key={conversationId} conversationId={conversationId} run={run} />
        </div>
      </div>
    </header>
  );
}

function Fact({
  icon: Icon,
  title,
  name,
  marked,
  children,
}: {
  icon: LucideIcon;
  title: string;
  /** Says the title to screen readers in place of the short form. */
  name?: boolean;
  marked?: boolean;
  children: ReactNode;
}) {
  return (
    <li title={title} className={cx('tabular flex h-6 min-w-0 items-center gap-1.5', marked && 'text-warning')}>
      <Icon size={16} aria-hidden className="shrink-0" />
      {name && <span className="sr-only">{title}</span>}
      <span dir="auto" aria-hidden={name} className="max-w-48 truncate">
        {children}
      </span>
    </li>
  );
}

function Tokens({ budget }: { budget: number | null }) {
  const { t } = useTranslation('agent');
  const used = useChat(tokensUsed);
  const words = used.toLocaleString('en-GB');
  if (budget === null) {
    return (
      <Fact icon={Coins} title={t('header.tokensTitle')}>
        {t('header.tokens', { used: words })}
      </Fact>
    );
  }
  return (
    <Fact
      icon={Coins}
      title={t('header.tokensTitleOf', { budget: budget.toLocaleString('en-GB') })}
      marked={used >= budget * NEARLY_USED}
    >
      {t('header.tokensOf', { used: words, budget: budget.toLocaleString('en', { notation: 'compact' }) })}
    </Fact>
  );
}

function Worked({ conversationId }: { conversationId: string }) {
  const { t } = useTranslation('agent');
  const running = useChat((state) => state.running);
  const changedAt = useConversations(
    (state) => state.conversations?.find(({ id }) => id === conversationId)?.updatedAt ?? 0,
  );
  const now = useNow(running);
  const worked = useChat((state) => workedFor(state, running ? now : changedAt));
  return (
    <Fact icon={Clock} title={t('header.timeTitle')}>
      {worked < 10_000 ? `${Math.floor(worked / 1000)} s` : formatDuration(Math.floor(worked / 1000) * 1000)}
    </Fact>
  );
}

/** Keeps its place while there is nothing to stop, so that nothing beside it moves. */
function StopButton() {
  const { t } = useTranslation('agent');
  const running = useChat((state) => state.running);
  const stopping = useChat((state) => state.stopping);
  const stop = useChat((state) => state.stop);
  return (
    <Button
      icon={Square}
      data-testid="run-stop"
      busy={stopping}
      disabled={!running}
      onClick={() => stop().catch((thrown) => toastError(toApiError(thrown)))}
      className={cx(!running && 'invisible')}
    >
      {t(stopping ? 'header.stopping' : 'header.stop')}
    </Button>
  );
}
