import type { Conversation, Message } from '@shared/contracts/message-types.ts';
import type { ApprovalPort, ToolPort, ToolSet } from './tools.ts';

/** What a turn of a conversation runs with, apart from its model and its rows. */
export interface TurnSetup {
  tools: ToolPort;
  approvals: ApprovalPort;
  /** The system prompt of a request that goes out with these tools. Called for every request. */
  systemPrompt: (tools: ToolSet) => string | undefined;
  /** Model responses before the person is asked whether to go on. Default: the turn's own. */
  maxRounds?: number;
  /** Tokens that the conversation may use in all before the person is asked whether to go on. Default: no limit. */
  tokenBudget?: number;
  /** Ends what lived for this turn. Called once, however the turn ends; never rejects. */
  dispose?(): Promise<void>;
}

export interface TurnContext {
  conversation: Conversation;
  /** The conversation so far. */
  rows: readonly Message[];
  /** Stops the turn. */
  signal: AbortSignal;
  /** Says which servers a request waits for; null when it goes on. */
  onWaiting: (serverNames: string[] | null) => void;
}

/** What answers in a conversation: plain chat, or the agent. The loop, the storage and the events are the same for all. */
export interface Engine {
  open(context: TurnContext): TurnSetup | Promise<TurnSetup>;
}
