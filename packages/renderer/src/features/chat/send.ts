import type { ModelRef } from '@shared/contracts/message-types.ts';
import { useChat } from '../../stores/chat.ts';
import { useConversations } from '../../stores/conversations.ts';
import { attachmentsOf, useDrafts } from '../../stores/drafts.ts';

/**
 * Sends the draft of the shown conversation with what is attached to it, beginning one where none is shown. The draft is gone once it has been sent, and
 * only then. Throws ApiError.
 */
export async function sendDraft(draft: string, model: ModelRef): Promise<void> {
  const { write, attach } = useDrafts.getState();
  const conversationId = useConversations.getState().selectedId ?? (await beginConversation(draft, model));
  await useChat.getState().send(draft.trim(), model, attachmentsOf(useDrafts.getState(), conversationId));
  write(conversationId, '');
  attach(conversationId, []);
}

async function beginConversation(draft: string, model: ModelRef): Promise<string> {
  const { create, select } = useConversations.getState();
  const { write, attach } = useDrafts.getState();
  const { id } = await create(model);
  write(id, draft);
  write(null, '');
  attach(id, attachmentsOf(useDrafts.getState(), null));
  attach(null, []);
  // Opened before the message is sent, so that no event of its turn is missed.
  select(id);
  await useChat.getState().open(id);
  return id;
}
