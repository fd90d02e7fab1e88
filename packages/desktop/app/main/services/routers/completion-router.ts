import { completionContract } from '@shared/contracts/completion.contract.ts';
import type { CompletionService } from '../completion/CompletionService.ts';
import { defineRouter } from './router.ts';

export const createCompletionRouter = (completion: CompletionService) =>
  defineRouter(completionContract, {
    chatInSession: ({ conversationId, ...message }) => completion.chatInSession(conversationId, message),
    retry: ({ conversationId, model }) => completion.retry(conversationId, { model }),
    proceed: ({ conversationId, model }) => completion.proceed(conversationId, { model }),
    stop: ({ conversationId }) => completion.stop(conversationId),
    approve: ({ conversationId, callId, decision }) => completion.approve(conversationId, callId, decision),
  });
