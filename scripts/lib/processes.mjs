import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether processes can be looked at: through /proc, so on Linux. */
export const canSeeProcesses = process.platform === 'linux';

function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything; what follows is split by spaces, beginning with field 3.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const words = (file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
    return {
      pid,
      state: fields[0],
      parent: Number(fields[1]),
      startTime: fields[19],
      command: words('cmdline').join(' ').trim(),
      environment: words('environ'),
    };
  } catch {
    // It has ended, or belongs to someone else.
    return undefined;
  }
}

/** All processes that we may look at, those that have ended and wait to be collected (zombies) left out. */
function listProcesses() {
  if (!canSeeProcesses) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readProcess(Number(pid)))
    .filter((found) => found && found.state !== 'Z' && found.state !== 'X');
}

/**
 * Remembers what belongs to one run of the app, to tell afterwards what is left of it. Three nets, since each has a hole:
 * descendants by parent (a detached grandchild leaves that tree), a mark in the environment (a program may clean its own)
 * and a text in the command line (the run's own folder, which servers and the browser are given).
 */
export class ProcessWatch {
  #mark;
  #text;
  #known = new Map();

  /**
   * @param {{mark: string, text: string}} signs `mark` is an environment entry, `NAME=value`; `text` must be unique enough
   *   that no other program has it in its arguments
   */
  constructor({ mark, text }) {
    this.#mark = mark;
    this.#text = text;
  }

  /** Notes every descendant that `pid` has now. Call it while the app runs, as often as the tree changes. */
  note(pid) {
    const all = listProcesses();
    const pids = new Set([pid]);
    for (let size = 0; size !== pids.size; ) {
      size = pids.size;
      for (const found of all) if (pids.has(found.parent)) pids.add(found.pid);
    }
    for (const found of all) if (pids.has(found.pid)) this.#known.set(found.pid, found.startTime);
  }

  /** What still runs, each as `pid command`. */
  survivors() {
    return listProcesses()
      .filter(
        ({ pid, startTime, command, environment }) =>
          pid !== process.pid &&
          (this.#known.get(pid) === startTime || environment.includes(this.#mark) || command.includes(this.#text)),
      )
      .map(({ pid, command }) => `${pid} ${command.slice(0, 200)}`);
  }

  /** Waits until nothing is left. Returns what is left after `timeoutMs`: an empty list is good. */
  async waitForNone(timeoutMs) {
    const deadline = Date.now() + timeoutMs;
    let left = this.survivors();
    while (left.length > 0 && Date.now() < deadline) {
      await sleep(100);
      left = this.survivors();
    }
    return left;
  }
}
