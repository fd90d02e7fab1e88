import { cutMiddle } from '../ports/cut-middle.ts';
import type { ModelMessage } from '../ports/model.ts';
import { estimateTokens } from './token-estimate.ts';

/** Most characters of one entry: the first of these with which the whole fits. */
const ENTRY_LIMITS = [8000, 4000, 2000, 1000, 400];
const SHORTEST = 150;

/**
 * A conversation as text, for a model that is to read about it rather than to go on with it. Pictures are named, reasoning
 * is left out. Long entries lose their middles until the whole has at most about `room` tokens.
 */
export function writeTranscript(messages: readonly ModelMessage[], room: number): string {
  const entries = messages.flatMap(entriesOf);
  const write = (limit: number) => entries.map(([who, words]) => `${who}: ${cutMiddle(words, limit)}`).join('\n\n');
  for (const limit of ENTRY_LIMITS) {
    const text = write(limit);
    if (estimateTokens(text) <= room) return text;
  }
  const text = write(SHORTEST);
  return cutMiddle(text, Math.floor((text.length * room) / estimateTokens(text)));
}

type Entry = [who: string, words: string];

function entriesOf(message: ModelMessage): Entry[] {
  if (message.role === 'user') {
    const pictures = message.images ? `(${message.images.length} pictures)` : '';
    return [['USER', [message.text, message.attached, pictures].filter(Boolean).join('\n')]];
  }
  if (message.role === 'tool') {
    return message.results.map(({ name, isError, text }) => [`${isError ? 'ERROR' : 'RESULT'} of ${name}`, text]);
  }
  return message.content.flatMap((item): Entry[] => {
    if (item.type === 'text') return [['ASSISTANT', item.text]];
    return item.type === 'tool-call' ? [[`CALL of ${item.name}`, JSON.stringify(item.args)]] : [];
  });
}
