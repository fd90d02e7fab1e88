import type { AppEvent } from '@shared/contracts/index.ts';
import type { Conversation, Message, MessagePart, ToolPart } from '@shared/contracts/message-types.ts';

export const CONVERSATION = 'chat-1';

export const conversation = (values: Partial<Conversation> = {}): Conversation => ({
  id: CONVERSATION,
  title: 'Tea',
  model: { providerId: 'demo', modelId: 'demo' },
  createdAt: 1,
  updatedAt: 1,
  ...values,
});

export const message = (id: string, values: Partial<Message> = {}): Message => ({
  id,
  conversationId: CONVERSATION,
  parentId: null,
  role: 'assistant',
  parts: [],
  status: 'complete',
  createdAt: 1,
  ...values,
});

export const textPart = (text: string): MessagePart => ({ type: 'text', text });

export const toolPart = (values: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId: 'call-1',
  wireName: 'mcp__files__read_file',
  serverId: 'files',
  serverName: 'Sample files',
  toolName: 'read_file',
  args: { path: 'welcome.txt' },
  state: 'done',
  ...values,
});

export const delta = (
  messageId: string,
  text: string,
  values: { partIndex?: number; partType?: 'text' | 'reasoning' } = {},
) =>
  ({
    type: 'completion.delta',
    payload: { conversationId: CONVERSATION, messageId, partIndex: 0, partType: 'text', text, ...values },
  }) as const satisfies AppEvent;

export const messageEvent = (changed: Message) =>
  ({ type: 'completion.message', payload: { message: changed } }) as const satisfies AppEvent;

export const toolEvent = (messageId: string, partIndex: number, part: ToolPart) =>
  ({
    type: 'completion.toolPart',
    payload: { conversationId: CONVERSATION, messageId, partIndex, part },
  }) as const satisfies AppEvent;

export const started = {
  type: 'completion.turnStarted',
  payload: { conversationId: CONVERSATION },
} as const satisfies AppEvent;

export const ended = (outcome: 'complete' | 'stopped' | 'failed' = 'complete') =>
  ({ type: 'completion.turnEnded', payload: { conversationId: CONVERSATION, outcome } }) as const satisfies AppEvent;
