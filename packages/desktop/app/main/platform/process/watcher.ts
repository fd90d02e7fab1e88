import { type ChildProcess, spawn } from 'node:child_process';
import { watcherProgram } from './watcher-program.ts';

/** A watcher that keeps dying is started no more often than this. */
const RESTART_MS = 1000;

/**
 * The small process that outlives main by a moment: it holds the other end of a pipe, and when main dies, even by SIGKILL, it
 * kills every tree that is still on its list and ends. Started at the first {@link expect}, and again when it has died.
 */
export class Watcher {
  readonly #onFailure: (reason: string) => void;
  readonly #lines = new Map<string, string>();
  #child: ChildProcess | undefined;
  #disposed = false;
  #startedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(onFailure: (reason: string) => void) {
    this.#onFailure = onFailure;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Announces a tree before it is started, so that there is no moment in which it is unknown. */
  expect(mark: string): void {
    this.#tell(mark, `+${mark}`);
  }

  started(mark: string, pid: number): void {
    this.#tell(mark, `+${mark} ${pid}`);
  }

  ended(mark: string): void {
    this.#lines.delete(mark);
    this.#child?.stdin?.write(`-${mark}\n`);
  }

  /** Ends the watcher. What is still on its list dies with it. */
  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#child?.stdin?.end();
    this.#child = undefined;
  }

  #tell(mark: string, line: string): void {
    this.#lines.set(mark, line);
    if (this.#child) this.#child.stdin?.write(`${line}\n`);
    else if (!this.#timer) this.#start();
  }

  #start(): void {
    this.#timer = undefined;
    if (this.#disposed) return;
    this.#startedAt = performance.now();
    // The app's own runtime, told to be plain Node where it is Electron. Its own group: Ctrl-C in a terminal must not reach it.
    const child = spawn(process.execPath, ['-e', `(${watcherProgram.toString()})()`], {
      env: { ELECTRON_RUN_AS_NODE: '1', ...(process.platform === 'win32' && { SYSTEMROOT: process.env.SYSTEMROOT }) },
      cwd: process.platform === 'win32' ? undefined : '/',
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      windowsHide: true,
    });
    const lost = (reason: string) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (this.#disposed) return;
      this.#onFailure(reason);
      if (this.#lines.size === 0) return;
      // Without it, nothing guards what is running.
      const wait = Math.max(0, this.#startedAt + RESTART_MS - performance.now());
      this.#timer = setTimeout(() => this.#start(), wait);
      this.#timer.unref();
    };
    child.once('error', (error) => lost(error.message));
    child.once('exit', (code, signal) => lost(`it ended with ${signal ?? `code ${code}`}`));
    child.stdin.on('error', () => {
      // Its exit is reported above.
    });
    child.unref();
    (child.stdin as unknown as { unref(): void }).unref();
    this.#child = child;
    for (const line of this.#lines.values()) child.stdin.write(`${line}\n`);
  }
}
