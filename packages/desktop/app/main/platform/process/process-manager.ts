import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { ServerEnvironment } from './environment.ts';
import { Ledger, type LedgerEntry } from './ledger.ts';
import { MARK_VARIABLE, newMark } from './mark.ts';
import { type ProcessTable, systemProcessTable } from './process-table.ts';
import { DEFAULT_STOP_TIMES, ProcessTree, type StopTimes } from './process-tree.ts';
import { checkFolder, checkInterpreter, resolveCommand, variable } from './resolve-command.ts';
import { StartError } from './start-error.ts';
import { Watcher } from './watcher.ts';
import { windowsStart } from './windows.ts';

export interface StartSpec {
  /** A name to look for in PATH, or a path. */
  command: string;
  args?: string[];
  /** Default: the home folder. */
  cwd?: string;
  /** Added to the environment that every server gets. */
  env?: Record<string, string>;
}

export interface ProcessManagerOptions {
  /** Where running trees are written down for the next start; without it nothing is. */
  ledgerFile?: string;
  environment?: ServerEnvironment;
  stopTimes?: StopTimes;
  logger?: { warn(message: string, data?: Record<string, unknown>): void };
}

/**
 * The one owner of child process trees. Each gets a process group of its own and a mark in its environment. Whatever way main
 * ends, the trees end with it: in good order by {@link stopAll}, at `process.exit` by a synchronous kill, and at a sudden
 * death by the watcher process; what survives even that is removed at the next start by {@link removeLeftovers}.
 */
export class ProcessManager {
  readonly #trees = new Set<ProcessTree>();
  readonly #table: ProcessTable = systemProcessTable();
  readonly #ledger: Ledger | undefined;
  readonly #environment: ServerEnvironment;
  readonly #times: StopTimes;
  readonly #watcher: Watcher;
  readonly #logger: ProcessManagerOptions['logger'];
  readonly #onExit = () => this.killAllSync();
  #closed = false;

  constructor(options: ProcessManagerOptions = {}) {
    this.#ledger = options.ledgerFile === undefined ? undefined : new Ledger(options.ledgerFile, this.#table);
    this.#environment = options.environment ?? new ServerEnvironment();
    this.#times = options.stopTimes ?? DEFAULT_STOP_TIMES;
    this.#logger = options.logger;
    this.#watcher = new Watcher((reason) => this.#logger?.warn('The process watcher is not running', { reason }));
    process.on('exit', this.#onExit);
  }

  /** Kills what an earlier run left behind. Call it once, before anything is started. Never throws. */
  removeLeftovers(): LedgerEntry[] {
    try {
      return this.#ledger?.removeLeftovers() ?? [];
    } catch (error) {
      this.#logger?.warn('Leftover processes could not be removed', { reason: String(error) });
      return [];
    }
  }

  /** Does ahead of time what the first start would wait for (asking the login shell for its PATH). */
  prepare(): Promise<void> {
    return this.#environment.prepare();
  }

  /**
   * Starts a process with piped input and outputs; the caller must read both outputs.
   * @throws StartError when the folder or the command is missing, or the system refuses; also after {@link stopAll}.
   */
  async start(spec: StartSpec): Promise<ProcessTree> {
    const cwd = spec.cwd || os.homedir();
    const mark = newMark();
    const env = { ...(await this.#environment.build(spec.env)), [MARK_VARIABLE]: mark };
    if (this.#closed) throw new StartError('failed', 'The app is closing and starts no more processes.');
    checkFolder(cwd);
    const file = resolveCommand(spec.command, env, cwd);
    this.#watcher.expect(mark);
    try {
      const child = spawnChild(file, spec.args ?? [], cwd, env);
      if (hasPid(child)) return this.#track(new ProcessTree(child, mark, this.#table, this.#times));
      // A start that fails has no pid and tells why in an event, where it doesn't throw.
      throw (await once(child, 'error'))[0];
    } catch (error) {
      this.#watcher.ended(mark);
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') checkInterpreter(spec.command, file);
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError('failed', `“${spec.command}” could not be started: ${reason}`, { cause: error });
    }
  }

  /** Ends all trees in parallel and refuses to start more. */
  async stopAll(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#trees].map((tree) => tree.stop()));
  }

  /** Kills all trees within this call. */
  killAllSync(): void {
    this.#closed = true;
    for (const tree of this.#trees) tree.killSync();
  }

  /** After {@link stopAll}: ends the watcher and forgets the exit handler. */
  dispose(): void {
    this.killAllSync();
    this.#watcher.dispose();
    process.off('exit', this.#onExit);
  }

  #track(tree: ProcessTree): ProcessTree {
    this.#trees.add(tree);
    this.#watcher.started(tree.mark, tree.pid);
    this.#note(() =>
      this.#ledger?.add({
        pid: tree.pid,
        startTime: tree.startTime ?? '',
        command: this.#table.commandOf(tree.pid) ?? '',
        group: tree.pid,
        mark: tree.mark,
      }),
    );
    void tree.gone.then(() => {
      this.#trees.delete(tree);
      this.#watcher.ended(tree.mark);
      this.#note(() => this.#ledger?.remove(tree.mark));
    });
    return tree;
  }

  /** The ledger is a second safety net: a full disk must not keep a server from starting. */
  #note(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#logger?.warn('The list of running processes could not be written', { reason: String(error) });
    }
  }
}

const hasPid = (child: ChildProcess): child is ChildProcess & { pid: number } => child.pid !== undefined;

function spawnChild(file: string, args: string[], cwd: string, env: Record<string, string>): ChildProcess {
  const stdio = ['pipe', 'pipe', 'pipe'] as const;
  if (process.platform !== 'win32') return spawn(file, args, { cwd, env, stdio: [...stdio], detached: true });
  const start = windowsStart(file, args, variable(env, 'COMSPEC', 'win32'));
  return spawn(start.file, start.args, {
    cwd,
    env,
    stdio: [...stdio],
    windowsHide: true,
    windowsVerbatimArguments: start.verbatim,
  });
}
