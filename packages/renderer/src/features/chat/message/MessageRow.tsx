import { memo } from 'react';
import { useChat } from '../../../stores/chat.ts';
import { AssistantMessage } from './AssistantMessage.tsx';
import { UserMessage } from './UserMessage.tsx';

export interface MessageRowProps {
  id: string;
  /** First and last row of what one side says. */
  opens: boolean;
  closes: boolean;
  /** Last row of the conversation: the one that can be tried again. */
  latest: boolean;
}

/** A message by its id. Renders again only when this message changes. */
export const MessageRow = memo(function MessageRow({ id, opens, closes, latest }: MessageRowProps) {
  const message = useChat((state) => state.messages[id]);
  if (!message) return null;
  return (
    <article
      data-testid="message"
      data-role={message.role}
      data-status={message.status}
      data-message-id={id}
      className="column"
    >
      {message.role === 'user' ? (
        <UserMessage message={message} />
      ) : (
        <AssistantMessage message={message} opens={opens} closes={closes} latest={latest} />
      )}
    </article>
  );
});
