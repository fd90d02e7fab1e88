import { completionContract } from '@shared/contracts/completion.contract.ts';
import type { CompletionService } from '../completion/CompletionService.ts';
import { defineRouter } from './router.ts';

export const createCompletionRouter = (completion: CompletionService) =>
  defineRouter(completionContract, {
    chatInSession: ({ conversationId, text, model }) => completion.chatInSession(conversationId, { text, model }),
    retry: ({ conversationId, model }) => completion.retry(conversationId, { model }),
    proceed: ({ conversationId, model }) => completion.proceed(conversationId, { model }),
    stop: ({ conversationId }) => completion.stop(conversationId),
    approve: ({ conversationId, callId, decision }) => completion.approve(conversationId, callId, decision),
  });
