import { Bot, PanelLeftClose, Search, Settings2, SquarePen } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../../stores/app.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { toggleSidebar } from '../../../stores/sidebar.ts';
import { AppIcon } from '../../../ui/AppIcon.tsx';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { SegmentedControl } from '../../../ui/SegmentedControl.tsx';
import { focusComposer } from '../composer/focus.ts';
import { ConversationList, type Kind } from './ConversationList.tsx';
import { startNewChat, startNewRun } from './new.ts';

const KINDS: readonly Kind[] = ['all', 'chats', 'runs'];

/** The conversations, and the way to a new one and to the settings. */
export function Sidebar() {
  const { t } = useTranslation(['shell', 'chat', 'agent', 'common']);
  const go = useApp((state) => state.go);
  const hasRuns = useConversations((state) => state.conversations?.some(({ agent }) => agent !== undefined) ?? false);
  const [filter, setFilter] = useState('');
  const [kind, setKind] = useState<Kind>('all');

  return (
    <nav aria-label={t('sidebar.label')} className="flex h-full min-w-0 flex-col bg-surface-0">
      <div className="flex h-13 shrink-0 items-center gap-2 pr-2 pl-4">
        <AppIcon size={24} />
        <span className="grow font-semibold text-base tracking-tight">{t('common:appName')}</span>
        <IconButton icon={PanelLeftClose} label={t('sidebar.hide')} onClick={toggleSidebar} tooltipSide="bottom" />
      </div>
      <div className="flex shrink-0 flex-col gap-2 px-3 pb-2">
        <div className="flex flex-wrap gap-2">
          <Button icon={SquarePen} data-testid="new-conversation" onClick={startNewChat} className="grow basis-28 px-2">
            {t('chat:list.new')}
          </Button>
          <Button icon={Bot} data-testid="new-run" onClick={startNewRun} className="grow basis-28 px-2">
            {t('agent:new')}
          </Button>
        </div>
        <label className="relative block">
          <Search size={16} aria-hidden className="absolute top-2 left-3 text-muted" />
          <input
            type="search"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              // Never further: Esc would stop the answer.
              event.preventDefault();
              if (filter === '') focusComposer();
              else setFilter('');
            }}
            placeholder={t('chat:list.search')}
            aria-label={t('chat:list.search')}
            className="h-8 w-full rounded-md bg-transparent pr-2 pl-9 text-sm hover:bg-surface-3 focus:bg-surface-2 [&::-webkit-search-cancel-button]:appearance-none"
          />
        </label>
      </div>
      {hasRuns && (
        <div className="shrink-0 px-3 pb-1">
          <SegmentedControl
            label={t('agent:kinds.label')}
            value={kind}
            onChange={setKind}
            options={KINDS.map((value) => ({ value, label: t(`agent:kinds.${value}`) }))}
          />
        </div>
      )}
      <ConversationList filter={filter} kind={hasRuns ? kind : 'all'} />
      <div className="shrink-0 p-3">
        <button
          type="button"
          data-testid="nav-settings"
          onClick={() => go({ name: 'settings', section: 'providers' })}
          className="flex h-9 w-full items-center gap-2.5 rounded-md px-3 text-left text-muted text-sm transition-colors hover:bg-surface-3 hover:text-text"
        >
          <Settings2 size={16} aria-hidden />
          {t('sidebar.settings')}
        </button>
      </div>
    </nav>
  );
}
