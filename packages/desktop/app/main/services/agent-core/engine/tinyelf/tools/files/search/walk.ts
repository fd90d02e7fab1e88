import { type Dirent, lstatSync, opendirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isInside } from '../../../workspace.ts';

/** Never worth searching, unless asked for. */
const SKIPPED = new Set(['.git', '.hg', '.svn', 'node_modules']);
const MAX_IGNORE_FILE = 128 * 1024;
/** More entries of one folder than this could need more memory than a worker has. */
const MAX_ENTRIES = 200_000;

export interface WalkOptions {
  /** Absolute folder, links followed. */
  root: string;
  /** A folder above `root`, or itself: ignore files count from here on, and links that lead out of it are left out. */
  top: string;
  includeIgnored: boolean;
  /** Whether a folder is worth entering. */
  reaches(folder: string): boolean;
  onUnreadable(): void;
}

export interface WalkedFile {
  /** Relative to the root, with `/`. */
  path: string;
  absolute: string;
  /** A link to a file: what is in it belongs to another place. */
  isLink: boolean;
}

/** Rules of one ignore file and the folder that they are relative to. */
interface Rules {
  folder: string;
  ignore: Ignore;
}

/**
 * Files below a folder, sorted by name within each folder, files before what is in the folders beside them. Links to folders
 * aren't followed, so nothing can lead round in circles. Synchronous: meant for a worker thread.
 */
export function* walk(options: WalkOptions): Generator<WalkedFile> {
  const rules = options.includeIgnored ? [] : rulesAbove(options.root, options.top);
  // Asking for an ignored folder by name means it.
  const start = isIgnored(rules, options.root, true) ? [] : rules;
  yield* walkFolder(options, options.root, '', start);
}

function* walkFolder(options: WalkOptions, folder: string, relative: string, above: Rules[]): Generator<WalkedFile> {
  const entries = entriesOf(folder, options);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const rules = options.includeIgnored ? [] : [...above, ...rulesOf(folder)];
  const folders: Dirent[] = [];
  for (const entry of entries) {
    if (!options.includeIgnored && SKIPPED.has(entry.name)) continue;
    const absolute = path.join(folder, entry.name);
    if (isIgnored(rules, absolute, entry.isDirectory())) continue;
    const name = relative === '' ? entry.name : `${relative}/${entry.name}`;
    if (entry.isDirectory()) folders.push(entry);
    else if (entry.isFile()) yield { path: name, absolute, isLink: false };
    else if (entry.isSymbolicLink() && leadsToFileIn(options.top, absolute))
      yield { path: name, absolute, isLink: true };
  }
  for (const entry of folders) {
    const name = relative === '' ? entry.name : `${relative}/${entry.name}`;
    if (options.reaches(name)) yield* walkFolder(options, path.join(folder, entry.name), name, rules);
  }
}

/** None, or not all, of a folder that can't be read, or not to its end. */
function entriesOf(folder: string, { onUnreadable }: WalkOptions): Dirent[] {
  const entries: Dirent[] = [];
  try {
    const handle = opendirSync(folder, { bufferSize: 1000 });
    try {
      for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
        if (entries.length === MAX_ENTRIES) throw new Error('too many');
        entries.push(entry);
      }
    } finally {
      handle.closeSync();
    }
  } catch {
    onUnreadable();
  }
  return entries;
}

function leadsToFileIn(top: string, link: string): boolean {
  try {
    const real = realpathSync(link);
    return isInside(top, real) && statSync(real).isFile();
  } catch {
    // It leads nowhere, or round in circles.
    return false;
  }
}

/** Rules of the folders above `root`, from `top` on. */
function rulesAbove(root: string, top: string): Rules[] {
  const rules: Rules[] = [];
  const names = path.relative(top, root).split(path.sep).filter(Boolean);
  let folder = top;
  for (const name of names) {
    rules.push(...rulesOf(folder));
    folder = path.join(folder, name);
  }
  return rules;
}

function rulesOf(folder: string): Rules[] {
  const file = path.join(folder, '.gitignore');
  try {
    const stat = lstatSync(file);
    if (!stat.isFile() || stat.size > MAX_IGNORE_FILE) return [];
    return [{ folder, ignore: ignore().add(readFileSync(file, 'utf8')) }];
  } catch {
    // Nothing there, or nothing that can be read: no rules.
    return [];
  }
}

/** The rules nearest to the file that say anything decide. */
function isIgnored(rules: readonly Rules[], absolute: string, isFolder: boolean): boolean {
  for (let i = rules.length - 1; i >= 0; i--) {
    const { folder, ignore } = rules[i]!;
    const relative = path.relative(folder, absolute).split(path.sep).join('/');
    const { ignored, unignored } = ignore.test(isFolder ? `${relative}/` : relative);
    if (ignored || unignored) return ignored;
  }
  return false;
}
