import type { Message } from '@shared/contracts/message-types.ts';

/**
 * Keeps the ids of calls apart within one conversation: some models count from `call_0` in every response, and a result is
 * told to belong to its call by nothing else.
 */
export class CallIds {
  readonly #used = new Set<string>();

  constructor(rows: Iterable<Message> = []) {
    for (const row of rows) for (const part of row.parts) if (part.type === 'tool') this.#used.add(part.callId);
  }

  /** The id itself while it is new, otherwise the same with a number behind it. An empty one becomes `call`. */
  claim(id: string): string {
    const base = id === '' ? 'call' : id;
    let unique = base;
    for (let number = 2; this.#used.has(unique); number++) unique = `${base}_${number}`;
    this.#used.add(unique);
    return unique;
  }
}
