import type { Conversation } from '@shared/contracts/message-types.ts';
import type { Engine } from '../ports/engine.ts';

/** Says what answers in a conversation: the agent where it is a run of one, otherwise chat. */
export const dispatchEngine =
  ({ chat, agent }: { chat: Engine; agent: Engine }) =>
  (conversation: Conversation): Engine =>
    conversation.agent ? agent : chat;
