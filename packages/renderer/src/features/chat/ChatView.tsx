import { lazy, Suspense, useEffect, useRef } from 'react';
import { toApiError } from '../../bridge/errors.ts';
import { useApp } from '../../stores/app.ts';
import { useChat } from '../../stores/chat.ts';
import { runOf, useConversations } from '../../stores/conversations.ts';
import { toastError } from '../../stores/toasts.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { useEscape } from '../../ui/useEscape.ts';
import { ChatHeader } from './ChatHeader.tsx';
import { Composer } from './composer/Composer.tsx';
import { focusComposer } from './composer/focus.ts';
import { Sidebar } from './sidebar/Sidebar.tsx';
import { SidebarFrame } from './sidebar/SidebarFrame.tsx';
import { ConversationContent } from './transcript/ConversationContent.tsx';
import type { MessageListHandle } from './transcript/MessageList.tsx';
import { Welcome } from './Welcome.tsx';

const NewRunView = lazy(() => import('../agent/new-run/NewRunView.tsx'));
const RunView = lazy(() => import('../agent/run/RunView.tsx'));

/** A conversation, a run of the agent or the form of a new one, with the list of all beside it. */
export function ChatView() {
  const selectedId = useConversations((state) => state.selectedId);
  const run = useConversations((state) => runOf(state, state.selectedId));
  const isNewRun = useApp((state) => state.view.name === 'new-run');
  const open = useChat((state) => state.open);

  useEffect(() => void open(selectedId), [open, selectedId]);
  useEscape(stopAnswer);

  return (
    <div className="flex h-full">
      <SidebarFrame>
        <Sidebar />
      </SidebarFrame>
      <main className="flex min-w-0 grow flex-col bg-surface-1">
        {isNewRun ? (
          <Suspense>
            <NewRunView />
          </Suspense>
        ) : selectedId !== null && run ? (
          <Suspense>
            <RunView conversationId={selectedId} run={run} />
          </Suspense>
        ) : (
          <Chat />
        )}
      </main>
    </div>
  );
}

function Chat() {
  const list = useRef<MessageListHandle>(null);
  const agentError = useConversations(
    ({ conversations, selectedId }) => conversations?.find(({ id }) => id === selectedId)?.agentError,
  );
  return (
    <>
      <ChatHeader />
      <div className="min-h-0 grow">
        <ConversationContent ref={list} empty={<Welcome />} />
      </div>
      {agentError ? (
        <div className="column beside-scrollbar pb-4">
          <ErrorNote error={agentError} />
        </div>
      ) : (
        <Composer onSent={() => list.current?.toLatest()} />
      )}
    </>
  );
}

function stopAnswer(): boolean {
  const { running, stopping, stop } = useChat.getState();
  if (!running || stopping) return false;
  // The approval that has the focus goes with the turn.
  if (document.activeElement?.closest('[data-testid="approval"]')) focusComposer();
  stop().catch((thrown) => toastError(toApiError(thrown)));
  return true;
}
