import { lstat, readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { AppError } from '../../../ports/errors.ts';

/** Where a path leads. */
export interface ResolvedPath {
  /** Absolute, as it was named; links not followed. */
  named: string;
  /** Absolute, every link followed; what doesn't exist yet follows the part that does. */
  real: string;
  /** Whether `real` lies in the workspace or is it. */
  inside: boolean;
}

/** As many as Linux follows. */
const MAX_LINKS = 40;

/** The folder that a run works in. */
export class Workspace {
  /** Absolute, links followed. */
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** Throws AppError `workspace-missing` when there is no such folder. */
  static async open(folder: string): Promise<Workspace> {
    const root = await realpath(folder).catch(() => undefined);
    if (root === undefined || !(await lstat(root)).isDirectory()) {
      throw new AppError('workspace-missing', `There is no folder ${folder}.`, { hint: 'Choose another workspace.' });
    }
    return new Workspace(root);
  }

  /**
   * `~` and `~/…` are the person's home; anything else that is relative is below `from`, which is the workspace by default.
   * Throws AppError `invalid-path` for what no system takes as a path, and for links that lead round in circles.
   */
  async resolve(given: string, from: string = this.root): Promise<ResolvedPath> {
    if (given === '' || given.includes('\0')) throw new AppError('invalid-path', 'This is not a path.');
    const expanded = given === '~' || /^~[/\\]/.test(given) ? path.join(homedir(), given.slice(1)) : given;
    const named = path.resolve(from, expanded);
    const real = await follow(named);
    return { named, real, inside: isInside(this.root, real) };
  }

  /** For people and models: relative to the workspace with `/`, or absolute when it lies outside. */
  show(real: string): string {
    if (!isInside(this.root, real)) return real;
    return path.relative(this.root, real).split(path.sep).join('/') || '.';
  }
}

/** Whether an absolute path is `folder` or lies below it, by its names alone. */
export function isInside(folder: string, absolute: string): boolean {
  const relative = path.relative(folder, absolute);
  return relative === '' || !(relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}

/** `realpath` that also takes paths whose end doesn't exist, links to nowhere included. */
async function follow(absolute: string): Promise<string> {
  let rest = path.relative(path.parse(absolute).root, absolute).split(path.sep).filter(Boolean);
  let at = path.parse(absolute).root;
  for (let links = 0; rest.length > 0; ) {
    const [name = '', ...more] = rest;
    const next = path.join(at, name);
    const stat = await lstat(next).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EACCES') return undefined;
      throw new AppError('invalid-path', `${absolute} can't be followed.`, { details: error.message, cause: error });
    });
    // Nothing can be below what isn't there, or can't be looked into.
    if (!stat) return path.join(next, ...more);
    if (!stat.isSymbolicLink()) {
      at = next;
      rest = more;
      continue;
    }
    if (++links > MAX_LINKS) throw new AppError('invalid-path', `The links in ${absolute} lead round in circles.`);
    const target = path.resolve(at, await readlink(next));
    at = path.parse(target).root;
    rest = [...path.relative(at, target).split(path.sep).filter(Boolean), ...more];
  }
  return at;
}
