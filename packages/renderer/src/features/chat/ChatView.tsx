import { type Ref, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../bridge/errors.ts';
import { useChat } from '../../stores/chat.ts';
import { useConversations } from '../../stores/conversations.ts';
import { toastError } from '../../stores/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { overlayOpen } from '../../ui/overlay.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ChatHeader } from './ChatHeader.tsx';
import { Composer } from './composer/Composer.tsx';
import { focusComposer } from './composer/focus.ts';
import { Sidebar } from './sidebar/Sidebar.tsx';
import { SidebarFrame } from './sidebar/SidebarFrame.tsx';
import { MessageList, type MessageListHandle } from './transcript/MessageList.tsx';
import { Welcome } from './Welcome.tsx';

/** The conversation, with the list of all beside it. */
export function ChatView() {
  const selectedId = useConversations((state) => state.selectedId);
  const open = useChat((state) => state.open);
  const list = useRef<MessageListHandle>(null);

  useEffect(() => void open(selectedId), [open, selectedId]);
  useStopByEscape();

  return (
    <div className="flex h-full">
      <SidebarFrame>
        <Sidebar />
      </SidebarFrame>
      <main className="flex min-w-0 grow flex-col bg-surface-1">
        <ChatHeader />
        <div className="min-h-0 grow">
          <Content ref={list} />
        </div>
        <Composer onSent={() => list.current?.toLatest()} />
      </main>
    </div>
  );
}

function Content({ ref }: { ref: Ref<MessageListHandle> }) {
  const { t } = useTranslation(['chat', 'common']);
  const phase = useChat((state) => state.phase);
  const error = useChat((state) => state.error);
  const conversationId = useChat((state) => state.conversationId);
  const empty = useChat((state) => state.rows.length === 0 && !state.running);
  const reopen = useChat((state) => state.reopen);

  if (phase === 'none' || (phase === 'ready' && empty)) return <Welcome />;
  if (phase === 'loading') return <Loading />;
  if (phase === 'failed' && error) {
    return (
      <div className="column pt-6">
        <ErrorNote
          error={error}
          actions={
            <Button size="sm" onClick={() => void reopen()}>
              {t('common:retry')}
            </Button>
          }
        />
      </div>
    );
  }
  return <MessageList ref={ref} key={conversationId} />;
}

/** Esc stops the answer, unless something else on the screen takes it. */
function useStopByEscape(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || overlayOpen()) return;
      const { running, stopping, stop } = useChat.getState();
      if (!running || stopping) return;
      event.preventDefault();
      // The approval that has the focus goes with the turn.
      if (event.target instanceof Element && event.target.closest('[data-testid="approval"]')) focusComposer();
      stop().catch((thrown) => toastError(toApiError(thrown)));
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const Loading = () => (
  <div className="column flex flex-col gap-4 pt-6">
    <Skeleton className="h-10 w-2/5 self-end" />
    <Skeleton className="h-4 w-4/5" />
    <Skeleton className="h-4 w-3/5" />
    <Skeleton className="h-4 w-2/3" />
  </div>
);
