import type { Readable, Writable } from 'node:stream';

/** A started program with everything that descends from it. `platform/process` implements it. */
export interface ManagedProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the program itself has ended. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  /**
   * Resolves when nothing of the tree is left and its output was read. What the program leaves behind when it ends by itself is
   * ended then; the number says how many processes that were.
   */
  readonly gone: Promise<number>;
  /**
   * Ends the whole tree in good order, and by force after about three seconds; one second when its input has ended before.
   * Resolves when nothing of it is left.
   */
  stop(): Promise<void>;
  /** Ends the whole tree by force. Resolves when nothing of it is left. */
  kill(): Promise<void>;
  /** The same within this call, for handlers that can't wait. */
  killSync(): void;
}

/** The environment variable by which what descends from a program is found, however far it detaches itself. */
export const MARK_VARIABLE = 'TINYELF_PROCESS_MARK';

/**
 * What a POSIX shell runs first, so that it is found by a limit too, which goes on to processes that get another environment.
 * Says nothing where that can't be done, as outside of Linux.
 */
export const SET_LIMIT = `ulimit -q "\${${MARK_VARIABLE}#*-}" 2>/dev/null`;

/** Starts programs. What it throws has a `code` (`command-missing`, `folder-missing`, …) and a message for people. */
export interface ProcessPort {
  start(spec: {
    command: string;
    args?: string[];
    cwd?: string;
    /** Added to the environment that every server gets. */
    env?: Record<string, string>;
  }): Promise<ManagedProcess>;
}
