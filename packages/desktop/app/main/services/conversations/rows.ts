import { agentRunSchema } from '@shared/contracts/agent-types.ts';
import type { ErrorInfo } from '@shared/contracts/contract.ts';
import {
  type Conversation,
  conversationSchema,
  type Message,
  type MessagePart,
  messagePartSchema,
  messageSchema,
  messageStatusSchema,
  modelRefSchema,
  usageSchema,
} from '@shared/contracts/message-types.ts';
import type { z } from 'zod';

/** A row of `messages` as SQLite gives it. JSON columns are text. */
export interface MessageRow {
  conversation_id: string;
  id: string;
  parent_id: string | null;
  role: string;
  status: string;
  model: string | null;
  usage: string | null;
  created_at: number;
  parts: string;
}

export interface ConversationRow {
  id: string;
  title: string;
  model: string | null;
  agent: string | null;
  created_at: number;
  updated_at: number;
}

export function toConversation(row: ConversationRow): Conversation {
  return conversationSchema.parse({
    id: row.id,
    title: row.title,
    model: readJson(modelRefSchema, row.model) ?? null,
    ...(row.agent !== null && readAgent(row.agent)),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  });
}

/** A run that can't be read is no chat: it would go on without its folder, its tools and what it may do. */
function readAgent(json: string): Pick<Conversation, 'agent' | 'agentError'> {
  const read = agentRunSchema.safeParse(parseJson(json));
  return read.success ? { agent: read.data } : { agentError: unreadableRun(read.error.issues[0]) };
}

const unreadableRun = (issue: z.core.$ZodIssue | undefined): ErrorInfo => ({
  code: 'run-unreadable',
  message: 'This run can’t go on: its agent, its folder and its permissions can’t be read any more.',
  hint: 'What it said and did is all kept and can be read here. Start a new run to go on with the work.',
  details: issue && [issue.path.join('.'), issue.message].filter(Boolean).join(': '),
});

export function toMessageRow(message: Message): MessageRow {
  return {
    conversation_id: message.conversationId,
    id: message.id,
    parent_id: message.parentId,
    role: message.role,
    status: message.status,
    model: message.model ? JSON.stringify(message.model) : null,
    usage: message.usage ? JSON.stringify(message.usage) : null,
    created_at: message.createdAt,
    parts: JSON.stringify(message.parts),
  };
}

/** Never throws: what can't be read stands as an error part in its place, and whatever else is readable is kept. */
export function toMessage(row: MessageRow): Message {
  const role = messageSchema.shape.role.safeParse(row.role);
  const status = messageStatusSchema.safeParse(row.status);
  return {
    id: row.id,
    conversationId: row.conversation_id,
    parentId: row.parent_id,
    role: role.success ? role.data : 'assistant',
    parts: readParts(row.parts),
    status: role.success && status.success ? status.data : 'failed',
    model: readJson(modelRefSchema, row.model),
    usage: readJson(usageSchema, row.usage),
    createdAt: row.created_at,
  };
}

function readParts(json: string): MessagePart[] {
  const parts = parseJson(json);
  if (!Array.isArray(parts)) return [unreadable('message', 'Its parts are not a list.')];
  return parts.map((part) => {
    const read = messagePartSchema.safeParse(part);
    return read.success ? read.data : unreadable('part of a message', read.error.issues[0]?.message);
  });
}

function unreadable(what: string, details: string | undefined): MessagePart {
  return {
    type: 'error',
    error: {
      code: 'store-failed',
      message: `A stored ${what} could not be read.`,
      hint: 'The rest of the conversation is not affected, and you can go on with it.',
      details,
    },
  };
}

function readJson<Schema extends z.ZodType>(schema: Schema, json: string | null): z.infer<Schema> | undefined {
  if (json === null) return undefined;
  const read = schema.safeParse(parseJson(json));
  return read.success ? read.data : undefined;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
