import { conversationsContract } from '@shared/contracts/conversations.contract.ts';
import type { CompletionService } from '../completion/CompletionService.ts';
import type { ConversationStore } from '../ports/conversations.ts';
import { AppError } from '../ports/errors.ts';
import type { EventHub } from './event-hub.ts';
import { defineRouter } from './router.ts';

export const createConversationsRouter = (
  store: ConversationStore,
  completion: CompletionService,
  events: EventHub,
) => {
  const changed = <C extends ReturnType<ConversationStore['create']>>(conversation: C): C => {
    events.emit({ type: 'conversations.changed', payload: { conversation } });
    return conversation;
  };

  return defineRouter(conversationsContract, {
    list: () =>
      store.list().map((conversation) => {
        const waiting = completion.waitingCalls(conversation.id);
        return {
          ...conversation,
          ...(completion.isRunning(conversation.id) && { running: true }),
          ...(waiting.length > 0 && { waiting }),
        };
      }),
    create: ({ model }) => changed(store.create({ model })),
    rename: ({ conversationId, title }) => changed(store.rename(conversationId, title)),
    setModel: ({ conversationId, model }) => changed(store.setModel(conversationId, model)),
    remove: async ({ conversationId }) => {
      await completion.stopIfRunning(conversationId);
      store.remove(conversationId);
      events.emit({ type: 'conversations.removed', payload: { conversationId } });
    },
    restore: ({ conversationId }) => changed(store.restore(conversationId)),
    open: ({ conversationId }) =>
      events.snapshot((seq) => {
        const conversation = store.get(conversationId);
        if (!conversation) throw new AppError('not-found', 'This conversation does not exist any more.');
        const messages = completion.liveMessages(conversationId);
        const [running, waiting] = [completion.isRunning(conversationId), completion.waits(conversationId)];
        return { conversation, messages, running, waiting, seq };
      }),
  });
};
