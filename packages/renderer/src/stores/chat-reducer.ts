import type { CompletionContract, Waiting } from '@shared/contracts/completion.contract.ts';
import type { DomainEvent } from '@shared/contracts/contract.ts';
import type { Message, MessagePart } from '@shared/contracts/message-types.ts';

export type CompletionEvent = DomainEvent<CompletionContract>;
export type TurnOutcome = Extract<CompletionEvent, { type: 'completion.turnEnded' }>['payload']['outcome'];

export const conversationOf = (event: CompletionEvent): string =>
  event.type === 'completion.message' ? event.payload.message.conversationId : event.payload.conversationId;

export interface Row {
  id: string;
  role: Message['role'];
}

/** What is shown of one conversation. Whatever an event doesn't touch keeps its reference: that is what views memoise by. */
export interface Transcript {
  rows: readonly Row[];
  messages: Readonly<Record<string, Message>>;
  running: boolean;
  /** Stop was asked for and the turn has not ended yet. */
  stopping: boolean;
  waiting: Waiting;
}

export const emptyTranscript: Transcript = {
  rows: [],
  messages: {},
  running: false,
  stopping: false,
  waiting: null,
};

export function transcriptOf(messages: readonly Message[], running: boolean, waiting: Waiting = null): Transcript {
  return {
    ...emptyTranscript,
    rows: messages.map(({ id, role }) => ({ id, role })),
    messages: Object.fromEntries(messages.map((message) => [message.id, message])),
    running,
    waiting,
  };
}

/**
 * The transcript after one event of its conversation. Null when the event doesn't fit what is there, as after a loss: the
 * conversation must be opened again.
 */
export function reduce(transcript: Transcript, event: CompletionEvent): Transcript | null {
  switch (event.type) {
    case 'completion.message':
      return putMessage(transcript, event.payload.message);
    case 'completion.delta': {
      const { messageId, partIndex, partType, text } = event.payload;
      return changeParts(transcript, messageId, (parts) => {
        const part = parts[partIndex];
        if (part === undefined) return put(parts, partIndex, { type: partType, text });
        if (part.type !== partType) return null;
        return put(parts, partIndex, { ...part, text: part.text + text });
      });
    }
    case 'completion.toolPart': {
      const { messageId, partIndex, part } = event.payload;
      return changeParts(transcript, messageId, (parts) => put(parts, partIndex, part));
    }
    case 'completion.waiting':
      return { ...transcript, waiting: event.payload.waiting };
    case 'completion.turnStarted':
      return { ...transcript, running: true, stopping: false, waiting: null };
    case 'completion.turnEnded':
      return { ...transcript, running: false, stopping: false, waiting: null };
  }
}

function putMessage(transcript: Transcript, message: Message): Transcript {
  const messages = { ...transcript.messages, [message.id]: message };
  if (transcript.messages[message.id]) return { ...transcript, messages };
  const row = { id: message.id, role: message.role };
  const parentAt = transcript.rows.findIndex(({ id }) => id === message.parentId);
  if (parentAt === -1) return { ...transcript, rows: [...transcript.rows, row], messages };
  // A second child of the same parent replaces the first one and what followed it, as a retry does.
  for (const replaced of transcript.rows.slice(parentAt + 1)) delete messages[replaced.id];
  return { ...transcript, rows: [...transcript.rows.slice(0, parentAt + 1), row], messages };
}

function changeParts(
  transcript: Transcript,
  messageId: string,
  change: (parts: MessagePart[]) => MessagePart[] | null,
): Transcript | null {
  const message = transcript.messages[messageId];
  const parts = message && change(message.parts);
  if (!message || !parts) return null;
  return { ...transcript, messages: { ...transcript.messages, [messageId]: { ...message, parts } } };
}

/** Replaces the part at `index` or appends it as the next one; null would leave a hole. */
function put(parts: MessagePart[], index: number, part: MessagePart): MessagePart[] | null {
  if (index > parts.length) return null;
  const next = parts.slice();
  next[index] = part;
  return next;
}
