import path from 'node:path';
import { secrecyOf } from './credentials.ts';
import { isHarmlessToRead, systemFolderOf } from './system-paths.ts';
import { ALLOWED, ask, deny, type Verdict } from './verdict.ts';

export type Use = 'read' | 'write';

/** All that the rules go by, apart from the path. Folders are absolute, with their links followed. */
export interface Surroundings {
  /** The workspace. */
  root: string;
  /** The person's home folder. */
  home: string;
  /** Where the app keeps its own data. */
  appFolders: readonly string[];
  platform: NodeJS.Platform;
}

/** Folders that hold one home for each person. */
const HOMES = new Set(['home', 'homes', 'users']);
/** Homes that belong to everybody. */
const SHARED_HOMES = new Set(['shared', 'public']);

const pathsOf = (platform: NodeJS.Platform) => (platform === 'win32' ? path.win32 : path.posix);

/** One form for names that a file system or a person may take for the same. */
export const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/**
 * What an absolute path may be used for, by its names alone.
 *
 * @param inside whether it leads into the workspace, links followed
 */
export function judgePath(absolute: string, inside: boolean, use: Use, surroundings: Surroundings): Verdict {
  const { root, home, appFolders, platform } = surroundings;
  const paths = pathsOf(platform);
  const folded = fold(absolute);
  const within = (folder: string, one: string = folded) => isBelow(fold(folder), fold(one), paths);
  /** A workspace that was chosen inside a guarded folder may be worked in. */
  const chosen = (folder: string) => inside && within(folder, root);
  const doing = use === 'read' ? 'reading' : 'changing';

  const own = appFolders.find((folder) => within(folder));
  if (own !== undefined && !(chosen(own) && fold(own) !== fold(root))) {
    return deny('app-data', `${doing} ${absolute}: the app’s own data is off limits.`);
  }

  const all = namesOf(folded, paths);
  // How the workspace's own folder is called says nothing about what is in it.
  const names = within(root) ? all.slice(namesOf(fold(root), paths).length) : all;
  const secrecy = secrecyOf(names, within(home) ? all.slice(namesOf(fold(home), paths).length) : undefined);
  if (secrecy === 'always' || (secrecy && !inside)) {
    return deny('credentials', `${doing} ${absolute}: credentials, keys and private histories are off limits.`);
  }

  const stranger = otherHome(absolute, surroundings);
  if (stranger !== undefined && !chosen(stranger)) {
    return deny('other-home', `${doing} ${absolute}: this is the home of somebody else.`);
  }

  if (use === 'read' && platform !== 'win32' && isHarmlessToRead(folded)) return ALLOWED;
  const system = systemFolderOf(folded, use, platform);
  if (system !== undefined && !chosen(system)) {
    return deny('system', `${doing} ${absolute}: this belongs to the system.`);
  }

  if (!inside) {
    return use === 'read'
      ? ask(`It reads ${absolute}, outside the workspace.`)
      : deny('outside-workspace', `changing ${absolute}: only files in the workspace may be changed.`);
  }
  if (secrecy) return ask(`${absolute} may hold secrets.`);
  if (use === 'write') {
    if (fold(root) === folded) return ask('It changes the workspace as a whole.');
    if (names.includes('.git')) return ask(`It changes ${absolute}, which decides what git runs and keeps.`);
    if (names.includes('.vscode')) return ask(`It changes ${absolute}, which decides what an editor runs.`);
  } else if (within(folded, home) || appFolders.some((folder) => within(folded, folder))) {
    return ask(`${absolute} holds folders that are off limits.`);
  }
  return ALLOWED;
}

/** The home of somebody else that a path lies in. */
function otherHome(absolute: string, { home, platform }: Surroundings): string | undefined {
  const paths = pathsOf(platform);
  const same = platform === 'linux' ? (text: string) => text.normalize('NFC') : fold;
  const parents = ['/home', '/Users'];
  if (HOMES.has(fold(paths.basename(paths.dirname(home))))) parents.push(paths.dirname(home));
  const candidates = parents.flatMap((parent) => {
    const [name] = isBelow(same(parent), same(absolute), paths)
      ? namesOf(absolute, paths).slice(namesOf(parent, paths).length)
      : [];
    return name === undefined || SHARED_HOMES.has(fold(name)) ? [] : [paths.join(parent, name)];
  });
  if (isBelow('/root', absolute, paths)) candidates.push('/root');
  return candidates.find((candidate) => same(candidate) !== same(home));
}

/** Whether `one` is `folder` or lies below it, by the names alone. */
function isBelow(folder: string, one: string, paths: path.PlatformPath): boolean {
  const relative = paths.relative(folder, one);
  return relative === '' || !(relative === '..' || relative.startsWith(`..${paths.sep}`) || paths.isAbsolute(relative));
}

const namesOf = (absolute: string, paths: path.PlatformPath): string[] => absolute.split(paths.sep).filter(Boolean);
