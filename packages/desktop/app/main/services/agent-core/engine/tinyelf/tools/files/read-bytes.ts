import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, statfs } from 'node:fs/promises';
import { AppError } from '../../../../../ports/errors.ts';
import { fileError } from './file-errors.ts';
import { isAt, pathChanged } from './pinned.ts';
import { showSize } from './presentation.ts';

/** File systems of the kernel: reading a file there may wait for ever, and its size says nothing. */
const KERNEL_FILE_SYSTEMS = new Map([
  [0x9fa0, 'proc'],
  [0x62656572, 'sysfs'],
  [0x64626720, 'debugfs'],
  [0x74726163, 'tracefs'],
]);

// Windows knows neither.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface FileContent {
  bytes: Buffer;
  stat: Stats;
}

/**
 * The content of a file whose links were followed before; undefined when there is none. Never waits for a device or a pipe.
 * Throws AppError, with `shown` as the name, for what isn't a file, is larger than `maxBytes`, or can't be read, and when a
 * folder on the way has become a link meanwhile.
 */
export async function readBytes(real: string, shown: string, maxBytes: number): Promise<FileContent | undefined> {
  try {
    await using file = await openFile(real, shown);
    const stat = await file.stat();
    const chunks: Buffer[] = [];
    let total = 0;
    while (total <= maxBytes) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(chunkSize(stat, total, maxBytes)) });
      if (bytesRead === 0) return { bytes: Buffer.concat(chunks, total), stat };
      chunks.push(buffer.subarray(0, bytesRead));
      total += bytesRead;
    }
    throw new AppError('file-too-large', `${shown} is ${showSize(Math.max(stat.size, total))}.`, {
      hint: `Files of up to ${showSize(maxBytes)} are taken. Use Grep to find what you need in it, or Bash for a part of it.`,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError('read', shown, error);
  }
}

/**
 * Opens a file whose links were followed before, to be read; never waits for a device or a pipe. Throws AppError, with `shown`
 * as the name, for what isn't a file, and when a folder on the way has become a link meanwhile; and what the system throws.
 */
export async function openFile(real: string, shown: string): Promise<FileHandle> {
  // Before opening: that alone can set a device going.
  refuseOthers(await lstat(real), shown);
  if (process.platform === 'linux') {
    const kernel = KERNEL_FILE_SYSTEMS.get((await statfs(real)).type);
    if (kernel) throw new AppError('not-a-file', `${shown} is made by the kernel (${kernel}); it isn't read here.`);
  }
  const file = await open(real, OPEN_FLAGS);
  try {
    refuseOthers(await file.stat(), shown);
    if (!(await isAt(file, real))) throw pathChanged(shown);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** One byte more than expected, to learn whether that was all. A file that is too large isn't read to the limit first. */
function chunkSize(stat: Stats, total: number, maxBytes: number): number {
  if (stat.size > maxBytes) return maxBytes + 1;
  return Math.max(4096, stat.size - total + 1);
}

function refuseOthers(stat: Stats, shown: string): void {
  if (stat.isFile()) return;
  if (stat.isDirectory()) {
    throw new AppError('is-folder', `${shown} is a folder.`, { hint: 'Use ListDir to see what is in it.' });
  }
  const kind = stat.isFIFO()
    ? 'a named pipe'
    : stat.isSocket()
      ? 'a socket'
      : stat.isCharacterDevice() || stat.isBlockDevice()
        ? 'a device'
        : 'a link';
  throw new AppError('not-a-file', `${shown} is ${kind}, not a file.`);
}
