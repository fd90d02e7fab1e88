import type { ProcessEntry, ProcessTable } from './process-table.ts';

/** A process tree's root, as far as its living members can be found by it. */
export interface TreeRoot {
  pid: number;
  startTime: string | undefined;
  mark: string;
}

/**
 * The living processes of one tree on a POSIX system: the group that the root leads, the descendants by parent, and whatever
 * else carries the mark. Who was found once stays known, with the start time, since a process that loses its parent can't be
 * found by it any more.
 */
export class TreeMembers {
  readonly #root: TreeRoot;
  readonly #table: ProcessTable;
  readonly #known = new Map<number, string>();

  constructor(root: TreeRoot, table: ProcessTable) {
    this.#root = root;
    this.#table = table;
  }

  /**
   * Looks at all processes of the system and returns the tree's living ones.
   * @param maxAgeMs trees that are ended side by side can share one look that is not older than this
   */
  find(maxAgeMs = 0): ProcessEntry[] {
    const all = this.#table.list(maxAgeMs);
    const byPid = new Map(all.map((entry) => [entry.pid, entry]));
    const isRoot = (entry: ProcessEntry) =>
      entry.pid === this.#root.pid && (this.#root.startTime ?? entry.startTime) === entry.startTime;
    const isMember = (entry: ProcessEntry) =>
      isRoot(entry) ||
      this.#known.get(entry.pid) === entry.startTime ||
      (entry.group === this.#root.pid && entry.pid !== this.#root.pid) ||
      this.#table.carries(entry, this.#root);

    const members = new Map(all.filter(isMember).map((entry) => [entry.pid, entry]));
    const descends = (entry: ProcessEntry): boolean => {
      const seen = new Set<number>();
      for (let at = byPid.get(entry.parent); at && !seen.has(at.pid); at = byPid.get(at.parent)) {
        if (members.has(at.pid)) return true;
        seen.add(at.pid);
      }
      return false;
    };
    for (const entry of all) if (!members.has(entry.pid) && descends(entry)) members.set(entry.pid, entry);
    for (const entry of members.values()) this.#known.set(entry.pid, entry.startTime);
    return [...members.values()];
  }

  /** Whether any process known from the last {@link find} still lives. Cheap: looks at those only. */
  someKnownAlive(): boolean {
    for (const [pid, startTime] of this.#known) if (this.#table.isAlive(pid, startTime)) return true;
    return false;
  }

  /** Finds the tree anew, as {@link find} does, and signals all of it. Returns how many processes there were. */
  signal(signal: NodeJS.Signals, maxAgeMs = 0): number {
    const members = this.find(maxAgeMs);
    // The group in one call first: it leaves no gap in which a member could start another.
    if (members.some((entry) => entry.group === this.#root.pid)) sendSignal(-this.#root.pid, signal);
    for (const entry of members) if (entry.group !== this.#root.pid) sendSignal(entry.pid, signal);
    return members.length;
  }

  /** Kills the tree within this call, in as many passes as it takes for processes that are being started meanwhile. */
  killSync(): void {
    for (let pass = 0; pass < 5 && this.signal('SIGKILL') > 0; pass++) {
      // Next pass: whoever was forked between looking and killing.
    }
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}
