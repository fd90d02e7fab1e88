import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { inPinnedFolder, pathChanged } from './pinned.ts';

/** What a file keeps when it is replaced. */
export type Kept = Pick<Stats, 'mode' | 'uid' | 'gid'>;

/**
 * Puts a new file in the place of `real`, whose links were followed before: whole or not at all, even when the power fails.
 * Missing folders are made. `kept` gives it the permissions (and, where the system lets us, the owner) of the file before;
 * without it, it gets those that the system gives to new files. A file that may not be written is not replaced.
 * Throws what the file system throws, and AppError `path-changed` when a folder of the path has become a link meanwhile.
 */
export async function writeAtomic(real: string, bytes: Uint8Array, kept?: Partial<Kept>): Promise<void> {
  const folder = path.dirname(real);
  await mkdir(folder, { recursive: true });
  await inPinnedFolder(folder, async (pinned) => {
    const target = path.join(pinned, path.basename(real));
    // Replacing a file needs no right to write it, but that it is read-only means something.
    await access(target, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    const temporary = path.join(pinned, `.tinyelf-${randomUUID()}.tmp`);
    try {
      {
        await using file = await open(temporary, 'wx', kept?.mode === undefined ? 0o666 : 0o600);
        await file.writeFile(bytes);
        await keep(file, kept);
        await file.sync();
      }
      if ((await realpath(folder)) !== folder) throw pathChanged();
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncFolder(pinned);
  });
}

async function keep(file: Awaited<ReturnType<typeof open>>, kept: Partial<Kept> | undefined): Promise<void> {
  const now = await file.stat();
  if (kept?.uid !== undefined && kept.gid !== undefined && (kept.uid !== now.uid || kept.gid !== now.gid)) {
    await file.chown(kept.uid, kept.gid).catch((error: NodeJS.ErrnoException) => {
      // Only root can give files away; the new content matters more than the owner.
      if (error.code !== 'EPERM') throw error;
    });
  }
  // After the owner: changing that clears bits.
  if (kept?.mode !== undefined) await file.chmod(kept.mode & 0o7777);
}

/** So that the new name is on the disk too. */
async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, constants.O_RDONLY);
    await handle.sync();
  } catch {
    // The file is in its place already; Windows and some network file systems can't do this.
  }
}
