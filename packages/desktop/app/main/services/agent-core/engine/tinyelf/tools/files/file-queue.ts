import { KeyedQueue } from '../../../../../ports/keyed-queue.ts';

/** Changes of one file never overlap, whichever runs and whoever undoes: keyed by real path. */
export const fileQueue = new KeyedQueue();
