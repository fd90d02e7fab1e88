import { type ChildProcess, spawn } from 'node:child_process';
import { watcherProgram } from './watcher-program.ts';

/**
 * The small process that outlives main by a moment: it holds the other end of a pipe, and when main dies, even by SIGKILL, it
 * kills every tree that is still on its list and ends. Started at the first {@link expect}, and again if it should die.
 */
export class Watcher {
  readonly #onFailure: (reason: string) => void;
  readonly #lines = new Map<string, string>();
  #child: ChildProcess | undefined;
  #disposed = false;

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
    this.#child?.stdin?.end();
    this.#child = undefined;
  }

  #tell(mark: string, line: string): void {
    this.#lines.set(mark, line);
    if (this.#child) this.#child.stdin?.write(`${line}\n`);
    else this.#start();
  }

  #start(): void {
    if (this.#disposed) return;
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
      if (!this.#disposed) this.#onFailure(reason);
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
