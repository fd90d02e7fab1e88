import { cutMiddle } from '../ports/cut-middle.ts';
import type { ModelMessage } from '../ports/model.ts';
import { estimateMessages, estimateTokens, MAX_TOKENS_PER_CHARACTER } from './token-estimate.ts';

/**
 * The messages of one row in at most `room` tokens, as far as cutting what people and tools wrote does it: the longest texts
 * lose their middle, each as much as is needed, with a note in its place. What a model wrote stays whole. The same messages
 * and room give the same result; where nothing is too long it is the messages themselves.
 */
export function fitMessages(messages: ModelMessage[], room: number): ModelMessage[] {
  if (charactersOf(messages) * MAX_TOKENS_PER_CHARACTER <= room) return messages;
  const sizes = messages.flatMap(cuttable).map(estimateTokens);
  const rest = estimateMessages(messages) - sizes.reduce((sum, size) => sum + size, 0);
  const most = highestLimit(sizes, Math.max(room - rest, 0));
  if (most === Number.POSITIVE_INFINITY) return messages;
  const cut = <Text extends string | undefined>(text: Text): Text => {
    const tokens = estimateTokens(text ?? '');
    return tokens <= most ? text : (cutMiddle(text ?? '', Math.floor((text ?? '').length * (most / tokens))) as Text);
  };
  return messages.map((message): ModelMessage => {
    if (message.role === 'assistant') return message;
    if (message.role === 'tool') {
      return { ...message, results: message.results.map((result) => ({ ...result, text: cut(result.text) })) };
    }
    const { text, attached } = message;
    return { ...message, text: cut(text), ...(attached !== undefined && { attached: cut(attached) }) };
  });
}

function charactersOf(messages: readonly ModelMessage[]): number {
  let characters = 0;
  for (const message of messages) {
    if (message.role === 'user') characters += message.text.length + (message.attached?.length ?? 0);
    if (message.role === 'tool') for (const { text } of message.results) characters += text.length;
  }
  return characters;
}

function cuttable(message: ModelMessage): string[] {
  if (message.role === 'assistant') return [];
  if (message.role === 'tool') return message.results.map(({ text }) => text);
  return message.attached === undefined ? [message.text] : [message.text, message.attached];
}

/** The highest limit for each at which all fit into `room` together; infinite when they do as they are. */
function highestLimit(sizes: readonly number[], room: number): number {
  let left = room;
  const ascending = [...sizes].sort((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
