import { constants, readlinkSync } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { AppError } from '../../../../../ports/errors.ts';

/**
 * Whether an open file or folder is what lies at a path whose links were followed before: false when a folder on the way has
 * become a link since. Under Linux the system says where it is; elsewhere a swap back and forth at the right moment isn't seen.
 */
export async function isAt(file: FileHandle, real: string): Promise<boolean> {
  const at = await openedPath(file);
  // It may have been replaced in the meantime: what was opened was there.
  if (at !== undefined) return same(at, real) || same(at, `${real} (deleted)`);
  const [opened, there, way] = await Promise.all([file.stat(), lstat(real), realpath(real)]);
  return same(way, real) && opened.dev === there.dev && opened.ino === there.ino;
}

/** The same for the thread of a search; true where the system doesn't tell. */
export function isAtSync(fd: number, real: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    const at = readlinkSync(`/proc/self/fd/${fd}`);
    return same(at, real) || same(at, `${real} (deleted)`);
  } catch {
    return true;
  }
}

/** undefined where the system doesn't tell. */
const openedPath = async ({ fd }: FileHandle): Promise<string | undefined> =>
  process.platform === 'linux' ? readlink(`/proc/self/fd/${fd}`).catch(() => undefined) : undefined;

/** Some file systems keep names in another form than they are asked for. */
const same = (one: string, other: string): boolean =>
  one === other || one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();

/**
 * Runs a task with a path of the folder that goes on to lead to it, whatever becomes of the folders above: under Linux, only.
 * Elsewhere, it is the folder's own path. Throws AppError `path-changed` when that leads elsewhere.
 *
 * @param folder absolute, links followed
 */
export async function inPinnedFolder<T>(folder: string, task: (folder: string) => Promise<T>): Promise<T> {
  if (process.platform !== 'linux') {
    if (!same(await realpath(folder), folder)) throw pathChanged();
    return task(folder);
  }
  await using handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  if (!(await isAt(handle, folder))) throw pathChanged();
  const canPin = (await openedPath(handle)) !== undefined;
  // Awaited, so that it stays open as long.
  return await task(canPin ? `/proc/self/fd/${handle.fd}` : folder);
}

export const pathChanged = (shown = 'The file'): AppError =>
  new AppError('path-changed', `${shown} leads elsewhere now: a folder of its path has become a link.`, {
    hint: 'Try again.',
  });
