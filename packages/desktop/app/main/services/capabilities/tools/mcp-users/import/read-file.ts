import { lstat, open, stat } from 'node:fs/promises';
import { ImportProblem } from './problem.ts';

/** No program's settings are larger. */
export const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The text of another program's file, undefined where there is none. A link is followed; what isn't a plain file in the end
 * (a pipe, a device) is not opened. Throws ImportProblem for what can't be read.
 */
export async function readSourceFile(path: string): Promise<string | undefined> {
  try {
    const info = await stat(path);
    if (!info.isFile()) throw new ImportProblem('This is not a file.');
    if (info.size > MAX_BYTES) throw tooLarge();
    return decode(await readUpTo(path, MAX_BYTES));
  } catch (error) {
    if (error instanceof ImportProblem) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      if (await isLink(path)) throw new ImportProblem('This is a link to a file that is not there.');
      return undefined;
    }
    if (code === 'EACCES' || code === 'EPERM') throw new ImportProblem('You are not allowed to read this file.');
    if (code === 'ELOOP') throw new ImportProblem('This is a link that leads back to itself.');
    throw new ImportProblem(`It could not be read (${code ?? 'unknown error'}).`);
  }
}

const tooLarge = () => new ImportProblem(`It is larger than ${MAX_BYTES / 1024 / 1024} MiB.`);

/** The file may have grown since its size was asked for. */
async function readUpTo(path: string, limit: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(64 * 1024), 0, 64 * 1024);
      if (bytesRead === 0) return Buffer.concat(chunks);
      size += bytesRead;
      if (size > limit) throw tooLarge();
      chunks.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** Editors on Windows also write UTF-16 with a byte order mark. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (info) => info.isSymbolicLink(),
    () => false,
  );
