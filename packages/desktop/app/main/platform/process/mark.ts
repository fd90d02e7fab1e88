import { randomBytes } from 'node:crypto';

/** The environment variable that every process of a tree inherits, however far it detaches itself. */
export const MARK_VARIABLE = 'TINYELF_PROCESS_MARK';

export const newMark = (): string => randomBytes(12).toString('hex');
