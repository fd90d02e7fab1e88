import type { TodoItem } from '@shared/contracts/agent-types.ts';
import type { Message } from '@shared/contracts/message-types.ts';

/** The newest todo list of a run, while a turn adds rows to it. Rows that are finished are looked at once. */
export class OpenTodo {
  readonly #rows: readonly Message[];
  /** How many rows have been looked at and don't change any more. */
  #seen = 0;
  /** Of the newest list among these. */
  #items: readonly TodoItem[] = [];

  /** @param rows of the run, to which the turn adds its own */
  constructor(rows: readonly Message[]) {
    this.#rows = rows;
  }

  /** The items that are not done yet. Empty when there is no list. */
  items(): TodoItem[] {
    let items = this.#items;
    for (let index = this.#seen; index < this.#rows.length; index++) {
      const row = this.#rows[index]!;
      items = listOf(row) ?? items;
      if (row.status !== 'streaming' && index === this.#seen) {
        this.#seen++;
        this.#items = items;
      }
    }
    return items.filter(({ status }) => status !== 'done');
  }
}

function listOf({ parts }: Message): readonly TodoItem[] | undefined {
  const list = parts.findLast((part) => part.type === 'tool' && part.display?.kind === 'todo');
  return list?.type === 'tool' && list.display?.kind === 'todo' ? list.display.items : undefined;
}
