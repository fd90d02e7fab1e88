import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessTable } from './process-table.ts';
import { TreeMembers } from './tree-members.ts';
import { taskkillArguments } from './windows.ts';

/** How a process ended: by itself with a code, or by a signal. */
export interface ExitInfo {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Time each step of stopping is given before the next, in milliseconds. */
export interface StopTimes {
  endOfInputMs: number;
  terminateMs: number;
}

export const DEFAULT_STOP_TIMES: StopTimes = { endOfInputMs: 2000, terminateMs: 1000 };

const POLL_MS = 25;
const KILL_PASSES = 40;
/** Looking at all processes costs: trees that are stopped side by side share what is not older. It can't hide a living one. */
const SHARED_LOOK_MS = 20;
/** What a root may still have in its pipes when it ends is read within this time before the rest of its tree is ended. */
const DRAIN_MS = 200;

/** A running child process with everything that descends from it. It is started, tracked and ended as one. */
export class ProcessTree {
  readonly pid: number;
  readonly mark: string;
  /** Opaque; with the pid it names the root for good. */
  readonly startTime: string | undefined;
  /** Resolves when the root has ended, whoever ended it. Its tree may outlive it for a moment; see {@link gone}. */
  readonly exited: Promise<ExitInfo>;
  /** Resolves when nothing of the tree is left, with how many processes the root left behind when it ended by itself. */
  readonly gone: Promise<number>;
  readonly #child: ChildProcess;
  readonly #members: TreeMembers;
  readonly #times: StopTimes;
  #state: 'running' | 'stopping' | 'gone' = 'running';
  #rootExited = false;
  #leftBehind = 0;
  #resolveGone: (leftBehind: number) => void = () => {};

  constructor(child: ChildProcess & { pid: number }, mark: string, table: ProcessTable, times: StopTimes) {
    this.#child = child;
    this.pid = child.pid;
    this.mark = mark;
    this.startTime = table.get(child.pid)?.startTime;
    this.#members = new TreeMembers({ pid: this.pid, startTime: this.startTime, mark }, table);
    this.#times = times;
    this.gone = new Promise((resolve) => {
      this.#resolveGone = resolve;
    });
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#rootExited = true;
        resolve({ code, signal });
        if (this.#state === 'running') void this.#sweep();
      });
    });
  }

  get stdin(): Writable {
    return this.#child.stdin!;
  }
  get stdout(): Readable {
    return this.#child.stdout!;
  }
  get stderr(): Readable {
    return this.#child.stderr!;
  }

  /**
   * Ends the whole tree: end of its input, then SIGTERM, then SIGKILL. Resolves when nothing of it is left, about three
   * seconds for one that ignores the first two. Can be called as often as one likes.
   */
  async stop(): Promise<void> {
    if (this.#state === 'running') {
      this.#state = 'stopping';
      void this.#climb();
    }
    await this.gone;
  }

  /** Ends the whole tree at once, within this call. For handlers that can't wait. */
  killSync(): void {
    if (this.#state === 'gone') return;
    if (process.platform === 'win32') spawnSync('taskkill', taskkillArguments(this.pid), { windowsHide: true });
    else this.#members.killSync();
  }

  /** Ends the whole tree without asking it first. Resolves when nothing is left. */
  async kill(): Promise<void> {
    if (this.#state === 'gone') return;
    this.#state = 'stopping';
    await this.#killAll();
    this.#finish();
  }

  async #climb(): Promise<void> {
    if (process.platform === 'win32') {
      if (!(await this.#goneAtEndOfInput())) await this.#killAll();
      this.#finish();
      return;
    }
    // The descendants are looked for before the first step: who loses its parent then can't be found by it any more.
    this.#members.find(SHARED_LOOK_MS);
    if (!(await this.#goneAtEndOfInput())) await this.#terminate();
    this.#finish();
  }

  async #goneAtEndOfInput(): Promise<boolean> {
    // Who has gone on without input won't end for want of it now.
    if (this.#child.stdin?.writableEnded) return false;
    this.#child.stdin?.end();
    return this.#goneWithin(this.#times.endOfInputMs);
  }

  /** After the root ended by itself: whatever it left behind is of no use to anyone. */
  async #sweep(): Promise<void> {
    this.#state = 'stopping';
    const drained = Promise.all([streamEnd(this.#child.stdout), streamEnd(this.#child.stderr)]);
    await Promise.race([drained, sleep(DRAIN_MS)]);
    if (process.platform !== 'win32') {
      this.#leftBehind = this.#members.find().length;
      if (this.#leftBehind > 0) await this.#terminate();
    }
    // Nobody writes any more. A main that was too busy to read until now gets another turn of its loop for it.
    await Promise.race([drained, sleep(DRAIN_MS)]);
    this.#finish();
  }

  async #terminate(): Promise<void> {
    this.#members.signal('SIGTERM', SHARED_LOOK_MS);
    if (!(await this.#goneWithin(this.#times.terminateMs))) await this.#killAll();
  }

  async #killAll(): Promise<void> {
    if (process.platform === 'win32') {
      await new Promise<void>((resolve) => {
        const taskkill = spawn('taskkill', taskkillArguments(this.pid), { windowsHide: true, stdio: 'ignore' });
        taskkill.once('error', () => resolve());
        taskkill.once('close', () => resolve());
      });
      return;
    }
    for (let pass = 0; pass < KILL_PASSES && this.#members.signal('SIGKILL', SHARED_LOOK_MS) > 0; pass++)
      await sleep(POLL_MS);
  }

  async #goneWithin(ms: number): Promise<boolean> {
    const end = performance.now() + ms;
    for (;;) {
      if (this.#rootExited && !this.#members.someKnownAlive() && this.#members.find(SHARED_LOOK_MS).length === 0)
        return true;
      const left = end - performance.now();
      if (left <= 0) return false;
      const pause = sleep(Math.min(POLL_MS, left));
      await (this.#rootExited ? pause : Promise.race([this.exited, pause]));
    }
  }

  #finish(): void {
    if (this.#state === 'gone') return;
    this.#state = 'gone';
    // A grandchild that nobody could find may still hold the other ends.
    this.#child.stdin?.destroy();
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#resolveGone(this.#leftBehind);
  }
}

const streamEnd = (stream: Readable | null): Promise<void> =>
  new Promise((resolve) => {
    if (!stream || stream.closed) resolve();
    else stream.once('close', () => resolve());
  });
