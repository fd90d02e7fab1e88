import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/**
 * Moves a file out of the way, beside where it was, as `name.damaged-2026-11-29T12-30-05.ext`; nothing is deleted or
 * overwritten. Files that belong to it (SQLite's `-wal`, say) go along under the same new name.
 *
 * @returns the new path. Throws what the file system throws; the file is where it was then.
 */
export function setFileAside(file: string, label: string, at: number, companions: readonly string[] = []): string {
  const extension = extname(file);
  const stem = `${basename(file, extension)}.${label}-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}`;
  for (let attempt = 1; ; attempt++) {
    const target = join(dirname(file), `${stem}${attempt === 1 ? '' : `-${attempt}`}${extension}`);
    if ([target, ...companions.map((suffix) => target + suffix)].some((path) => existsSync(path))) continue;
    renameSync(file, target);
    for (const suffix of companions) if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix);
    return target;
  }
}

/** Whether a file that {@link setFileAside} moved is still there. Throws what the file system throws. */
export function wasSetAside(file: string): boolean {
  const extension = extname(file);
  const stem = `${basename(file, extension)}.`;
  return readdirSync(dirname(file)).some(
    (name) => name.startsWith(stem) && SET_ASIDE.test(name.slice(stem.length)) && name.endsWith(extension),
  );
}

/** What is in the name after that of the file: the label and the time. */
const SET_ASIDE = /^[a-z]+-\d{4}-\d\d-\d\dT/;
