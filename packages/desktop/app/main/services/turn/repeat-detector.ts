import { digest } from './digest.ts';

/** One call of a round, with what the model got to read of its result. */
export interface RoundCall {
  name: string;
  args: unknown;
  result: unknown;
}

/** The longest group of rounds that is recognised when it repeats. */
const MAX_GROUP = 4;
/** A group counts as repeating when it was seen this many times in a row. */
const TIMES = 3;

/**
 * Notices a model that goes round in circles: a group of one to four rounds whose names, arguments and results are the same
 * three times in a row. A poll whose result changes is a different round each time and is never stopped by this.
 */
export class RepeatDetector {
  #recent: string[] = [];

  /** Adds a finished round (its calls in any order). True when the last rounds repeat. */
  add(calls: readonly RoundCall[]): boolean {
    this.#recent.push(digest(calls.map((call) => digest([call.name, call.args ?? null, call.result ?? null])).sort()));
    if (this.#recent.length > MAX_GROUP * TIMES) this.#recent.shift();
    for (let size = 1; size <= MAX_GROUP; size++) if (this.#repeats(size)) return true;
    return false;
  }

  #repeats(size: number): boolean {
    const tail = this.#recent.slice(-size * TIMES);
    return tail.length === size * TIMES && tail.every((round, index) => round === tail[index % size]);
  }
}
