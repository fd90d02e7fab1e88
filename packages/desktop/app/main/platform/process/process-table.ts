import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { limitOf, MARK_VARIABLE } from './mark.ts';

/** One process as the system lists it. `startTime` is opaque: with the pid it names a process for good. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  startTime: string;
}

/** What tells the members of a tree. `startTime`: of its root; undefined or empty when it isn't known. */
export interface MarkedTree {
  mark: string;
  startTime: string | undefined;
}

/**
 * What the system knows about processes, read synchronously so that an exit handler can use it. Ended processes that are
 * still waiting to be collected (zombies) are not listed: there is nothing left in them to signal.
 */
export interface ProcessTable {
  /** @param maxAgeMs an earlier answer that is not older will do. Default 0. */
  list(maxAgeMs?: number): ProcessEntry[];
  get(pid: number): ProcessEntry | undefined;
  /** Cheap enough to be asked again and again. */
  isAlive(pid: number, startTime: string): boolean;
  /**
   * Whether a process has the mark of a tree in its environment, or else the limit that goes with it; false where the system
   * shows neither. Another running app may have come to the same number: the limit doesn't count in a process that is older
   * than the tree, nor where the nearest mark with this number, of itself or above it, is another one.
   */
  carries(entry: ProcessEntry, tree: MarkedTree): boolean;
  /** The command line, arguments joined by a blank; undefined when the process is gone. */
  commandOf(pid: number): string | undefined;
  /** Changes with every start of the machine, so that a pid and start time of an earlier one match nothing. */
  bootId(): string;
}

const readOrUndefined = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined; // it ended meanwhile, or belongs to someone else
  }
};

/** Reads one line of `/proc/PID/stat`. The name in brackets may itself hold blanks and brackets. */
export function parseStat(line: string): ProcessEntry | undefined {
  const nameEnd = line.lastIndexOf(')');
  const pid = Number.parseInt(line, 10);
  const [state, parent, group, ...rest] = line.slice(nameEnd + 2).split(' ');
  // From field 6 on; the start time is field 22.
  const startTime = rest[16];
  if (!Number.isInteger(pid) || nameEnd < 0 || startTime === undefined || state === 'Z' || state === 'X')
    return undefined;
  return { pid, parent: Number(parent), group: Number(group), startTime };
}

/** What a process has of a mark. */
interface Marks {
  variable: string | undefined;
  limit: string | undefined;
}

/** Processes whose marks are remembered: those that have ended stay among them, until all are read anew. */
const MAX_REMEMBERED = 5000;

class LinuxTable implements ProcessTable {
  /** By process: neither changes as a rule, and reading hundreds of them is what costs. */
  readonly #marks = new Map<string, Marks>();
  #last: { at: number; entries: ProcessEntry[] } = { at: Number.NEGATIVE_INFINITY, entries: [] };

  list(maxAgeMs = 0): ProcessEntry[] {
    const now = performance.now();
    if (now - this.#last.at < maxAgeMs) return this.#last.entries;
    const entries = readdirSync('/proc')
      .filter((name) => name >= '0' && name <= ':')
      .map((pid) => readOrUndefined(`/proc/${pid}/stat`))
      .map((line) => line && parseStat(line))
      .filter((entry) => !!entry);
    this.#last = { at: now, entries };
    return entries;
  }

  get(pid: number): ProcessEntry | undefined {
    const line = readOrUndefined(`/proc/${pid}/stat`);
    return line ? parseStat(line) : undefined;
  }

  isAlive(pid: number, startTime: string): boolean {
    return this.get(pid)?.startTime === startTime;
  }

  carries(entry: ProcessEntry, { mark, startTime }: MarkedTree): boolean {
    const { variable, limit } = this.#marksOf(entry);
    if (variable === mark) return true;
    if (limit === undefined || limit !== limitOf(mark) || Number(entry.startTime) < Number(startTime)) return false;
    for (let at: ProcessEntry | undefined = entry; at; at = this.get(at.parent)) {
      const { variable: nearest } = this.#marksOf(at);
      if (nearest !== undefined && limitOf(nearest) === limit) return nearest === mark;
    }
    return true;
  }

  #marksOf({ pid, startTime }: ProcessEntry): Marks {
    const key = `${pid} ${startTime}`;
    const known = this.#marks.get(key);
    if (known) return known;
    const entry = readOrUndefined(`/proc/${pid}/environ`)
      ?.split('\0')
      .find((each) => each.startsWith(`${MARK_VARIABLE}=`));
    const marks = {
      variable: entry?.slice(MARK_VARIABLE.length + 1),
      limit: /^Max msgqueue size +(\d+)/m.exec(readOrUndefined(`/proc/${pid}/limits`) ?? '')?.[1],
    };
    if (this.#marks.size > MAX_REMEMBERED) this.#marks.clear();
    this.#marks.set(key, marks);
    return marks;
  }

  commandOf(pid: number): string | undefined {
    return readOrUndefined(`/proc/${pid}/cmdline`)?.replace(/\0$/, '').replaceAll('\0', ' ') || undefined;
  }

  bootId(): string {
    return readOrUndefined('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  }
}

/** Reads the lines of `ps -axo pid=,ppid=,pgid=,state=,lstart=`, whose start time is five words. */
export function parsePs(output: string): ProcessEntry[] {
  return output.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...started] = line.trim().split(/\s+/);
    if (!pid || started.length < 5 || state?.startsWith('Z')) return [];
    return [
      { pid: Number(pid), parent: Number(parent), group: Number(group), startTime: started.slice(0, 5).join(' ') },
    ];
  });
}

const ps = (args: string[]): string => {
  try {
    return execFileSync('/bin/ps', args, {
      encoding: 'utf8',
      env: { LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return ''; // ps exits with 1 when the asked process is gone
  }
};

const psTable: ProcessTable = {
  list: () => parsePs(ps(['-axo', 'pid=,ppid=,pgid=,state=,lstart='])),
  get: (pid) => parsePs(ps(['-o', 'pid=,ppid=,pgid=,state=,lstart=', '-p', String(pid)]))[0],
  isAlive: (pid) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  },
  carries: () => false,
  commandOf: (pid) => ps(['-o', 'command=', '-p', String(pid)]).trim() || undefined,
  bootId: () => '',
};

/** Windows lists nothing here: its trees are ended by `taskkill`, which finds the descendants itself. */
const emptyTable: ProcessTable = {
  list: () => [],
  get: () => undefined,
  isAlive: () => false,
  carries: () => false,
  commandOf: () => undefined,
  bootId: () => '',
};

export function systemProcessTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  if (platform === 'linux') return new LinuxTable();
  return platform === 'win32' ? emptyTable : psTable;
}
