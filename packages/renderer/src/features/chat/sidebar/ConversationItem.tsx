import type { Conversation } from '@shared/contracts/message-types.ts';
import { Bot, Ellipsis, Pencil, ShieldQuestion, Trash2 } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../../bridge/errors.ts';
import { useApp } from '../../../stores/app.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { toastError } from '../../../stores/toasts.ts';
import { cx } from '../../../ui/cx.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { removeWithUndo } from './ConversationList.tsx';

interface Props {
  conversation: Conversation;
  selected: boolean;
  /** Whether Tab stops here; one item of the list has it. */
  tabStop: boolean;
}

/** A conversation in the list. F2 renames, Delete deletes, a right click opens the menu. */
export const ConversationItem = memo(function ConversationItem({ conversation, selected, tabStop }: Props) {
  const { t } = useTranslation(['chat', 'agent', 'common']);
  const [renaming, setRenaming] = useState(false);
  const [menuOpen, setMenuOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  const open = () => {
    useConversations.getState().select(conversation.id);
    useApp.getState().go({ name: 'chat' });
  };
  const remove = () => removeWithUndo(conversation, { removed: t('list.removed'), undo: t('common:undo') });

  if (renaming) {
    return (
      <li>
        <RenameField
          conversation={conversation}
          onDone={() => {
            setRenaming(false);
            requestAnimationFrame(() => button.current?.focus());
          }}
        />
      </li>
    );
  }
  return (
    <li className="group/item relative [content-visibility:auto] [contain-intrinsic-height:36px]">
      <button
        ref={button}
        type="button"
        data-testid="conversation-item"
        data-conversation-id={conversation.id}
        aria-current={selected ? 'true' : undefined}
        tabIndex={tabStop ? 0 : -1}
        title={conversation.title}
        onClick={open}
        onDoubleClick={() => setRenaming(true)}
        onContextMenu={(event) => {
          event.preventDefault();
          setMenuOpen(true);
        }}
        onKeyDown={(event) => {
          if (event.key === 'F2') setRenaming(true);
          if (event.key === 'Delete') remove();
        }}
        className={cx(
          'flex h-9 w-full items-center gap-2 rounded-md pr-9 pl-3 text-left text-sm outline-offset-[-2px] transition-colors',
          selected ? 'bg-surface-3 font-medium' : 'hover:bg-surface-3/60',
        )}
      >
        {(conversation.agent ?? conversation.agentError) && (
          <>
            <Bot size={16} aria-hidden data-testid="run-mark" className="shrink-0 text-muted" />
            <span className="sr-only">{t('agent:run')}: </span>
          </>
        )}
        <span dir="auto" className="truncate">
          {conversation.title}
        </span>
        <ActivityMark id={conversation.id} />
      </button>
      <Menu
        open={menuOpen}
        onOpenChange={setMenuOpen}
        keepFocus={renaming}
        trigger={
          <IconButton
            icon={Ellipsis}
            label={t('list.menu', { title: conversation.title })}
            tabIndex={tabStop ? 0 : -1}
            className={cx(
              'absolute top-1 right-1 size-7 opacity-0 focus-visible:opacity-100 group-hover/item:opacity-100',
              menuOpen && 'opacity-100',
            )}
          />
        }
        items={[
          { label: t('common:rename'), icon: Pencil, onSelect: () => setRenaming(true) },
          { label: t('common:delete'), icon: Trash2, danger: true, onSelect: remove },
        ]}
      />
    </li>
  );
});

function ActivityMark({ id }: { id: string }) {
  const { t } = useTranslation(['chat', 'agent']);
  const activity = useConversations((state) => state.activity[id]);
  const waiting = useConversations((state) => state.waiting[id] ?? 0);
  if (!activity) return null;
  return (
    <span className="ml-auto flex shrink-0 items-center group-hover/item:invisible">
      {activity === 'running' && <Spinner className="text-muted" />}
      {activity === 'approval' && (
        <span aria-hidden className="tabular flex items-center gap-1 font-medium text-warning text-xs">
          {waiting > 1 && waiting}
          <ShieldQuestion size={16} />
        </span>
      )}
      {activity === 'unread' && <span aria-hidden className="size-2 rounded-full bg-accent" />}
      <span className="sr-only">
        {activity === 'approval' && waiting > 1 ? t('agent:waits', { count: waiting }) : t(`list.activity.${activity}`)}
      </span>
    </span>
  );
}

function RenameField({ conversation, onDone }: { conversation: Conversation; onDone: () => void }) {
  const { t } = useTranslation('chat');
  const [title, setTitle] = useState(conversation.title);
  const done = useRef(false);

  const finish = (keep: boolean) => {
    // Leaving by Enter or Esc takes the focus away as well, which would finish a second time.
    if (done.current) return;
    done.current = true;
    const next = title.trim();
    if (keep && next !== '' && next !== conversation.title) {
      useConversations
        .getState()
        .rename(conversation.id, next)
        .catch((thrown) => toastError(toApiError(thrown)));
    }
    onDone();
  };

  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here
      autoFocus
      value={title}
      maxLength={500}
      aria-label={t('list.rename')}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') finish(true);
        if (event.key === 'Escape') {
          event.preventDefault();
          finish(false);
        }
      }}
      className="h-9 w-full rounded-md border border-border-strong bg-surface-2 px-3 text-sm"
    />
  );
}
