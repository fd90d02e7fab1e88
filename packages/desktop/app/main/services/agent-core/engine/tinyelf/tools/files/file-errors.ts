import { AppError } from '../../../../../ports/errors.ts';

const WORDS: Record<string, string> = {
  // Of writing: that is how Node reports a folder that can't be made on a read-only file system.
  ENOENT: 'its folder is gone, or could not be made',
  EACCES: 'the system denies access to it',
  EPERM: 'the system denies access to it',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'the name is too long',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ELOOP: 'there is a link in the place of it',
  EBUSY: 'another program uses it',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};

/** An error of the file system in words, with the path as the model knows it. */
export function fileError(action: 'read' | 'written', shown: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT' && action === 'read') return new AppError('file-missing', `There is no ${shown}.`, { cause });
  return new AppError('file-failed', `${shown} can't be ${action}: ${WORDS[code ?? ''] ?? message}.`, { cause });
}
