import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../../stores/chat.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { MessageList, type MessageListHandle } from './MessageList.tsx';

/** The messages of the open conversation; `empty` where there are none, and what is happening while they are fetched. */
export function ConversationContent({ ref, empty: nothing }: { ref: Ref<MessageListHandle>; empty: ReactNode }) {
  const { t } = useTranslation('common');
  const phase = useChat((state) => state.phase);
  const error = useChat((state) => state.error);
  const conversationId = useChat((state) => state.conversationId);
  const empty = useChat((state) => state.rows.length === 0 && !state.running);
  const reopen = useChat((state) => state.reopen);

  if (phase === 'none' || (phase === 'ready' && empty)) return nothing;
  if (phase === 'loading') return <Loading />;
  if (phase === 'failed' && error) {
    return (
      <div className="column pt-6">
        <ErrorNote
          error={error}
          actions={
            <Button size="sm" onClick={() => void reopen()}>
              {t('retry')}
            </Button>
          }
        />
      </div>
    );
  }
  return <MessageList ref={ref} key={conversationId} />;
}

const Loading = () => (
  <div className="column flex flex-col gap-4 pt-6">
    <Skeleton className="h-10 w-2/5 self-end" />
    <Skeleton className="h-4 w-4/5" />
    <Skeleton className="h-4 w-3/5" />
    <Skeleton className="h-4 w-2/3" />
  </div>
);
