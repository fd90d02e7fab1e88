import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Copies the sample files where the person finds them, at the first run only: a folder that is there already is left as it
 * is, whatever has been changed in it or deleted from it. The folder appears whole or not at all, so that an interrupted
 * copy is made again. Throws what the file system throws.
 *
 * @param from folder of the app's resources
 * @param to folder of the user's data
 * @returns whether it was copied now
 */
export function ensureSampleFiles(from: string, to: string): boolean {
  if (existsSync(to)) return false;
  const unfinished = `${to}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, unfinished, { recursive: true });
  renameSync(unfinished, to);
  return true;
}
