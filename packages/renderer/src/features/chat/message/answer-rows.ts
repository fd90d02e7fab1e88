import type { Message } from '@shared/contracts/message-types.ts';
import type { Transcript } from '../../../stores/chat-reducer.ts';

/** The rows of the answer that ends with row `lastId`: back to the person's message before it. */
export function answerRows({ rows, messages }: Pick<Transcript, 'rows' | 'messages'>, lastId: string): Message[] {
  const answer: Message[] = [];
  for (let index = rows.findIndex(({ id }) => id === lastId); index >= 0; index -= 1) {
    const message = messages[rows[index]?.id ?? ''];
    if (message?.role !== 'assistant') break;
    answer.unshift(message);
  }
  return answer;
}
