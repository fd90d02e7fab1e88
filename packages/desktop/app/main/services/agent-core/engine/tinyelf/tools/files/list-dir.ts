import type { Dirent } from 'node:fs';
import { lstat, opendir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../../../ports/errors.ts';
import type { ITool } from '../ITool.ts';
import { missingFile } from './close-names.ts';
import { fileError } from './file-errors.ts';
import { type FileToolsDeps, fileTool, pathParameter, refuseOffLimits } from './file-tool.ts';
import { plural, ResultLines, showName, showSize } from './presentation.ts';

const MAX_SHOWN = 1000;
/** Entries that are looked at; a folder can hold millions. */
const MAX_ENTRIES = 100_000;

export const listDirTool = ({ workspace, judge }: FileToolsDeps): ITool =>
  fileTool({
    name: 'ListDir',
    description:
      'Lists a folder by name, hidden entries too: folders with / at the end, links with their target, files with their ' +
      `size. At most ${MAX_SHOWN} entries; use Glob to find files in deeper folders.`,
    parameters: z.object({ path: pathParameter.describe('The folder. Default: the workspace.').optional() }),
    risk: 'safe',
    access: (path) => ({ reads: [path] }),
    async execute({ path: given = '.' }, { signal }) {
      const { real } = await workspace.resolve(given);
      const shown = showName(workspace.show(real));
      refuseOffLimits({ judge }, real, 'read', shown);
      const entries = await entriesOf(real, shown).catch(async (error) => {
        throw error.code === 'file-missing' ? await missingFile(workspace, real) : error;
      });
      if (entries.length === 0) return `(${shown} is empty.)`;
      // By code unit: the same everywhere.
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      const result = new ResultLines();
      for (const entry of entries.slice(0, MAX_SHOWN)) {
        signal?.throwIfAborted();
        if (!result.add(await entryLine(real, entry))) break;
      }
      if (result.count === entries.length) return result.toString();
      const all = entries.length >= MAX_ENTRIES ? `more than ${MAX_ENTRIES}` : String(entries.length);
      return result.toString(
        `(${plural(result.count, 'entry', 'entries')} of ${all}. Use Glob to find what you need.)`,
      );
    },
  });

async function entriesOf(real: string, shown: string): Promise<Dirent[]> {
  try {
    const stat = await lstat(real);
    if (!stat.isDirectory())
      throw new AppError('not-a-folder', `${shown} is no folder.`, { hint: 'Use Read for a file.' });
    const entries: Dirent[] = [];
    for await (const entry of await opendir(real, { bufferSize: 1000 })) {
      if (entries.push(entry) >= MAX_ENTRIES) break;
    }
    return entries;
  } catch (error) {
    throw fileError('read', shown, error);
  }
}

async function entryLine(folder: string, entry: Dirent): Promise<string> {
  const name = showName(entry.name);
  const absolute = path.join(folder, entry.name);
  if (entry.isDirectory()) return `${name}/`;
  if (entry.isSymbolicLink()) return `${name} -> ${showName(await readlink(absolute).catch(() => '(gone)'))}`;
  if (entry.isFIFO()) return `${name} (named pipe)`;
  if (entry.isSocket()) return `${name} (socket)`;
  if (!entry.isFile()) return `${name} (device)`;
  const stat = await lstat(absolute).catch(() => undefined);
  return stat ? `${name}  ${showSize(stat.size)}` : `${name} (can't be read)`;
}
