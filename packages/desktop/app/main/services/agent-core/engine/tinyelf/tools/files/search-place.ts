import { lstat } from 'node:fs/promises';
import { AppError } from '../../../../../ports/errors.ts';
import { missingFile } from './close-names.ts';
import { type FileToolsDeps, refuseOffLimits } from './file-tool.ts';
import { plural, showName } from './presentation.ts';
import type { SearchGaps } from './search/search-types.ts';

/** Where Glob and Grep search, and below what ignore files count and links may lead. */
export async function searchPlace(
  { workspace, judge }: Pick<FileToolsDeps, 'workspace' | 'judge'>,
  given: string,
): Promise<{ root: string; top: string; isFile: boolean }> {
  const { real, inside } = await workspace.resolve(given);
  refuseOffLimits({ judge }, real, 'read', showName(workspace.show(real)));
  const stat = await lstat(real).catch(() => undefined);
  if (!stat) throw await missingFile(workspace, real);
  if (!stat.isDirectory() && !stat.isFile()) {
    throw new AppError('not-a-folder', `${showName(workspace.show(real))} is neither a folder nor a file.`);
  }
  return { root: real, top: inside ? workspace.root : real, isFile: stat.isFile() };
}

/** A pattern relative to the folder that is searched; an absolute one below that folder is made so. Throws AppError. */
export function relativePattern(pattern: string, root: string): string {
  const slashed = root.endsWith('/') ? root : `${root}/`;
  const relative = pattern.startsWith(slashed) ? pattern.slice(slashed.length) : pattern;
  if (relative.startsWith('/') || relative.split('/').includes('..')) {
    throw new AppError('invalid-pattern', 'A pattern is relative to the folder that is searched, without "..".', {
      hint: 'Name another folder in path.',
    });
  }
  return relative;
}

/** What a result has to say about what isn't in it. */
export function gapNotes({ more, outOfTime, unreadable, tooLarge }: SearchGaps, shown: string): string[] {
  return [
    more && `(There is more than these ${shown}. Narrow the search, or raise limit.)`,
    outOfTime && '(Not everything was searched: it took too long. Search a smaller folder.)',
    unreadable > 0 && `(${plural(unreadable, 'file or folder', 'files or folders')} could not be read.)`,
    tooLarge > 0 && `(${plural(tooLarge, 'file')} larger than 32 MB left out.)`,
  ].filter((note) => note !== false);
}
