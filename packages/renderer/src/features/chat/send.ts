import type { ModelRef } from '@shared/contracts/message-types.ts';
import { useChat } from '../../stores/chat.ts';
import { useConversations } from '../../stores/conversations.ts';

/** Sends a message in the shown conversation, beginning one where none is shown. Throws ApiError. */
export async function sendMessage(text: string, model: ModelRef): Promise<void> {
  const { selectedId, create, select } = useConversations.getState();
  if (selectedId === null) {
    const { id } = await create(model);
    // Opened before the message is sent, so that no event of its turn is missed.
    select(id);
    await useChat.getState().open(id);
  }
  await useChat.getState().send(text, model);
}
