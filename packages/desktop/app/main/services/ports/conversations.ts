import type { AgentRun } from '@shared/contracts/agent-types.ts';
import type { Conversation, Message, ModelRef } from '@shared/contracts/message-types.ts';

/**
 * Conversations and their messages at rest. Everything is synchronous and durable when it returns. A refusing disk is
 * AppError `store-failed`; an id that is unknown or removed is AppError `not-found`, unless said otherwise.
 */
export interface ConversationStore {
  /** Those not removed, most recently used first. */
  list(): Conversation[];
  /** A new one with an empty title, which means: not named yet. With `agent` a run of the agent, otherwise a chat. */
  create(input: { model: ModelRef | null; agent?: AgentRun }): Conversation;
  /** undefined when there is none, or it is removed. */
  get(conversationId: string): Conversation | undefined;
  rename(conversationId: string, title: string): Conversation;
  setModel(conversationId: string, model: ModelRef): Conversation;
  /** Replaces what makes it a run of the agent. */
  setAgent(conversationId: string, agent: AgentRun): Conversation;
  /** Hides it. It is deleted for good when the app next starts. */
  remove(conversationId: string): void;
  /** Undoes `remove`. */
  restore(conversationId: string): Conversation;
  /** Marks it as used now: it moves to the head of the list. */
  touch(conversationId: string): Conversation;

  /** Every message in the order in which they were first put. Empty for an unknown conversation. */
  messages(conversationId: string): Message[];
  /**
   * Inserts the row or replaces the one with this id, which keeps its place. The conversation may be removed by then (a turn
   * that is being stopped still saves its last row); for one that doesn't exist at all it does nothing.
   */
  putMessage(message: Message): void;
  /** Messages of all conversations that stand as `streaming`: at the start, those that a crash left behind. */
  unfinishedMessages(): Message[];
}
