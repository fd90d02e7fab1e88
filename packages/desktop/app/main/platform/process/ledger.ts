import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ProcessTable } from './process-table.ts';
import { TreeMembers } from './tree-members.ts';

/** One start of a process tree, as written down. */
export interface LedgerEntry {
  pid: number;
  startTime: string;
  command: string;
  group: number;
  mark: string;
}

interface LedgerFile {
  bootId: string;
  /** The program that wrote it: as long as that lives, its trees are not leftovers. */
  owner: { pid: number; startTime: string };
  entries: LedgerEntry[];
}

/**
 * A file that names every process tree that is running, so that the next start of the app can remove what this one left
 * behind. It is written at once when a tree starts or ends.
 */
export class Ledger {
  readonly #file: string;
  readonly #table: ProcessTable;
  readonly #entries = new Map<string, LedgerEntry>();

  constructor(file: string, table: ProcessTable) {
    this.#file = file;
    this.#table = table;
  }

  add(entry: LedgerEntry): void {
    this.#entries.set(entry.mark, entry);
    this.#write();
  }

  remove(mark: string): void {
    if (this.#entries.delete(mark)) this.#write();
  }

  /**
   * Kills what an earlier run of the app left behind, and returns the entries that were found alive. A recorded process is
   * taken for ours only when its pid, its start time, and its mark or command agree; a pid that now belongs to another
   * program is left alone.
   */
  removeLeftovers(): LedgerEntry[] {
    const file = this.#read();
    if (!file || file.bootId !== this.#table.bootId()) return [];
    if (file.owner.pid !== process.pid && this.#table.get(file.owner.pid)?.startTime === file.owner.startTime)
      return [];
    const killed = file.entries.filter((entry) => this.#killLeftover(entry));
    if (this.#entries.size === 0) rmSync(this.#file, { force: true });
    return killed;
  }

  #killLeftover(entry: LedgerEntry): boolean {
    const root = this.#table.get(entry.pid);
    const isOurs =
      root?.startTime === entry.startTime &&
      (this.#table.carries(root, entry) || this.#table.commandOf(entry.pid) === entry.command);
    if (isOurs) {
      const members = new TreeMembers(entry, this.#table);
      const found = members.find().length > 0;
      members.killSync();
      return found;
    }
    // The root is gone, or its pid is another program's: only what carries the mark is ours beyond doubt.
    const marked = this.#table.list().filter((each) => this.#table.carries(each, entry));
    for (const { pid } of marked) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended meanwhile.
      }
    }
    return marked.length > 0;
  }

  #read(): LedgerFile | undefined {
    try {
      // Reading a pipe would wait for ever.
      if (!statSync(this.#file).isFile()) return undefined;
      const file = JSON.parse(readFileSync(this.#file, 'utf8')) as LedgerFile;
      if (!Array.isArray(file?.entries) || !file.owner) return undefined;
      return { ...file, entries: file.entries.filter((entry) => typeof entry?.pid === 'number') };
    } catch {
      return undefined; // none yet, or cut short by a crash: then the watcher has done the work
    }
  }

  #write(): void {
    const file: LedgerFile = {
      bootId: this.#table.bootId(),
      owner: { pid: process.pid, startTime: this.#table.get(process.pid)?.startTime ?? '' },
      entries: [...this.#entries.values()],
    };
    mkdirSync(path.dirname(this.#file), { recursive: true });
    writeFileSync(`${this.#file}.new`, JSON.stringify(file));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
