import type { TodoItem } from '@shared/contracts/agent-types.ts';
import type { Message } from '@shared/contracts/message-types.ts';
import type { Transcript } from '../../../stores/chat-reducer.ts';

type Rows = Pick<Transcript, 'rows' | 'messages'>;

/** Tokens of a run, in and out, as the provider counted them. */
export function tokensUsed({ rows, messages }: Rows): number {
  let sum = 0;
  for (const { id } of rows) {
    const usage = messages[id]?.usage;
    if (usage) sum += usage.inputTokens + usage.outputTokens;
  }
  return sum;
}

/**
 * How long a run has worked, in milliseconds: each response with its calls, without the time between a stop and what came
 * after it. `until` is the end of the last response: now while the run goes on, else when the conversation last changed.
 */
export function workedFor({ rows, messages }: Rows, until: number): number {
  let sum = 0;
  rows.forEach(({ id }, index) => {
    const message = messages[id];
    if (message?.role !== 'assistant') return;
    const next = messages[rows[index + 1]?.id ?? ''];
    sum += Math.max(0, endOf(message, next, until) - message.createdAt);
  });
  return sum;
}

function endOf(message: Message, next: Message | undefined, until: number): number {
  if (message.status === 'streaming') return until;
  const ended = message.parts.map((part) => (part.type === 'tool' ? (part.endedAt ?? 0) : 0));
  const own = Math.max(message.createdAt, ...ended);
  if (!next) return Math.max(own, until);
  return next.role === 'assistant' && message.status === 'complete' ? next.createdAt : own;
}

/** How far a list is: what is done of it, and what the run is at or comes to next; undefined when all is done. */
export function todoProgress(items: readonly TodoItem[]): { done: number; current: TodoItem | undefined } {
  const open = items.filter(({ status }) => status !== 'done');
  return {
    done: items.length - open.length,
    current: open.find(({ status }) => status === 'in-progress') ?? open[0],
  };
}

/** What is to be done, as the run said it last; undefined while it has said nothing. */
export function latestTodo({ rows, messages }: Rows): readonly TodoItem[] | undefined {
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const parts = messages[rows[index]?.id ?? '']?.parts ?? [];
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      const part = parts[at];
      if (part?.type === 'tool' && part.display?.kind === 'todo') return part.display.items;
    }
  }
  return undefined;
}
