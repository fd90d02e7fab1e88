import type { TodoItem } from '@shared/contracts/agent-types.ts';
import type { Message } from '@shared/contracts/message-types.ts';

/** The items of a run's newest todo list that are not done yet. Empty when it has no list. */
export function openTodo(rows: readonly Message[]): TodoItem[] {
  for (const { parts } of rows.toReversed()) {
    const list = parts.findLast((part) => part.type === 'tool' && part.display?.kind === 'todo');
    if (list?.type === 'tool' && list.display?.kind === 'todo') {
      return list.display.items.filter(({ status }) => status !== 'done');
    }
  }
  return [];
}
