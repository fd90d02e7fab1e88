import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Copies the sample files where the person finds them, once: what is changed or deleted there later stays so, and a folder
 * that has been deleted comes back empty, because a server is told to serve it. The copy appears whole or not at all. That it
 * was made is remembered beside it, in `<to>.copied`. Throws what the file system throws.
 *
 * @param from folder of the app's resources
 * @param to folder of the user's data
 * @returns whether they were copied now
 */
export function ensureSampleFiles(from: string, to: string): boolean {
  const marker = `${to}.copied`;
  const isThere = existsSync(to);
  const isFirst = !isThere && !existsSync(marker);
  if (isFirst) copyWhole(from, to);
  else if (!isThere) mkdirSync(to, { recursive: true });
  if (!existsSync(marker)) writeFileSync(marker, '');
  return isFirst;
}

function copyWhole(from: string, to: string): void {
  const unfinished = `${to}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, unfinished, { recursive: true });
  renameSync(unfinished, to);
}
