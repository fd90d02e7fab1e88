import { randomBytes, randomInt } from 'node:crypto';

export { MARK_VARIABLE } from '../../services/ports/processes.ts';

const LEAST_LIMIT = 500_000;
/** Below what Linux gives to everybody, 819,200, and enough for several queues. */
const LIMITS = 300_000;
const firstLimit = randomInt(LIMITS);
let marks = 0;

/**
 * A mark, with the number of bytes of message queues that a shell sets as its limit (SET_LIMIT): hardly any program uses
 * those, and processes inherit it even where they are given another environment and a session of their own.
 */
export const newMark = (): string =>
  `${randomBytes(12).toString('hex')}-${LEAST_LIMIT + ((firstLimit + marks++) % LIMITS)}`;

/** The limit that goes with a mark, in decimal digits. */
export const limitOf = (mark: string): string | undefined => mark.split('-')[1];
