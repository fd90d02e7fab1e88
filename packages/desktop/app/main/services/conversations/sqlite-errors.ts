import { AppError } from '../ports/errors.ts';

/** Primary result codes of SQLite that we tell apart. */
const SQLITE = {
  ERROR: 1,
  PERM: 3,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
} as const;

/** The primary code of an error of `node:sqlite`; undefined for any other error. */
function primaryCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  // The upper bytes refine it (SQLITE_IOERR_WRITE and so on).
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** The file is no sound database, as opposed to a disk that refuses at the moment. */
export function isDamage(error: unknown): boolean {
  const code = primaryCode(error);
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB;
}

/** A statement of ours doesn't fit the tables: a column is missing, say. */
export function isWrongSchema(error: unknown): boolean {
  return primaryCode(error) === SQLITE.ERROR;
}

/** `store-failed` in words, for anything that SQLite or the file system threw. */
export function storeFailed(file: string, error: unknown): AppError {
  const { message, hint } = explain(file, error);
  return new AppError('store-failed', message, {
    hint,
    details: error instanceof Error ? error.message : String(error),
    cause: error,
  });
}

function explain(file: string, error: unknown): { message: string; hint: string } {
  const errno = (error as NodeJS.ErrnoException | null)?.code;
  switch (primaryCode(error)) {
    case SQLITE.FULL:
      return {
        message: 'The conversation could not be saved: the disk is full.',
        hint: 'Free some space and try again. What was saved before is still there.',
      };
    case SQLITE.READONLY:
    case SQLITE.CANTOPEN:
    case SQLITE.PERM:
      return {
        message: 'The conversation could not be saved: its file can’t be written.',
        hint: `Check that there is space on the disk and that you may write to ${file} and its folder, then try again.`,
      };
    case SQLITE.BUSY:
    case SQLITE.LOCKED:
      return {
        message: 'The conversations could not be read or saved: another program is using its file.',
        hint: `Close whatever else has ${file} open and try again.`,
      };
    case SQLITE.CORRUPT:
    case SQLITE.NOTADB:
      return {
        message: 'The file of conversations is damaged.',
        hint: 'Restart the app: it checks the file then, keeps it aside if need be, and goes on with a new one.',
      };
    case SQLITE.IOERR:
      return {
        message: 'The conversations could not be read or saved: the disk reported an error.',
        hint: 'Check that there is space on the disk and that it works, then try again.',
      };
    default:
      return {
        message: 'The conversations could not be read or saved.',
        hint: errno
          ? `Check that you may read and write ${file} and its folder, then try again.`
          : 'Try again. If it keeps happening, restart the app; the log says more.',
      };
  }
}
