import { realpathSync } from 'node:fs';
import type { ToolAccess } from '../tools/ITool.ts';
import type { Workspace } from '../workspace.ts';
import { findPaths } from './foreign-paths.ts';
import { PathGuard } from './PathGuard.ts';
import type { Surroundings } from './path-rules.ts';
import { readCommand } from './shell/read-command.ts';
import { isOwnStream } from './system-paths.ts';
import { ALLOWED, ask, deny, type Verdict, worst } from './verdict.ts';

export interface FirewallOptions extends Omit<Surroundings, 'root'> {
  workspace: Workspace;
}

/**
 * Decides by rules alone what a call may touch: the same question gets the same answer as long as the disk is the same. It
 * reads names and links, never what is in a file. No sandbox: what a program does once it runs is beyond it.
 */
export class ExecutionFirewall {
  readonly #guard: PathGuard;
  readonly #surroundings: Surroundings;

  constructor({ workspace, home, appFolders, platform }: FirewallOptions) {
    this.#surroundings = { root: workspace.root, home: real(home), appFolders: appFolders.map(real), platform };
    this.#guard = new PathGuard(workspace, this.#surroundings);
  }

  /** The reason of a denial begins with `[firewall] Blocked`: it is what the model reads. Doesn't throw. */
  async check(access: ToolAccess): Promise<Verdict> {
    const verdict = await this.#judge(access).catch((error: unknown) =>
      deny('invalid-path', `what it would touch can’t be told (${error instanceof Error ? error.message : error}).`),
    );
    if (verdict.decision !== 'deny') return verdict;
    return { ...verdict, reason: `[firewall] Blocked: ${verdict.reason}` };
  }

  async #judge({ reads = [], writes = [], command, url, foreignArguments }: ToolAccess): Promise<Verdict> {
    return worst([
      ...(await Promise.all(reads.map((path) => this.#guard.check(path, 'read')))),
      ...(await Promise.all(writes.map((path) => this.#guard.check(path, 'write')))),
      command === undefined ? ALLOWED : await this.#command(command),
      url === undefined ? ALLOWED : await this.#url(url),
      foreignArguments === undefined ? ALLOWED : await this.#foreign(foreignArguments),
    ]);
  }

  async #command(line: string): Promise<Verdict> {
    if (line.includes('\0'))
      return deny('invalid-path', 'the command holds a character that ends it for some programs.');
    const { root, home, platform } = this.#surroundings;
    const { uses, asks } = await readCommand(line, root, home);
    const verdicts = await Promise.all(
      uses
        .filter(({ path }) => platform === 'win32' || !isOwnStream(path))
        .map(({ path, use, from }) =>
          use === 'either' ? this.#either(path, from) : this.#guard.check(path, use, from),
        ),
    );
    if (platform === 'win32') asks.unshift('Command lines of this system’s shell can’t be read.');
    return worst([...verdicts, ...asks.map(ask)]);
  }

  /** A URL of the web is no business of the firewall's: the tool that fetches it looks at where it leads. */
  async #url(url: string): Promise<Verdict> {
    if (/^\s*file:/i.test(url)) return this.#guard.check(url.trim(), 'read');
    return /^\s*https?:/i.test(url) ? ALLOWED : ask('It opens an address that is not of the web.');
  }

  async #foreign(args: Record<string, unknown>): Promise<Verdict> {
    const { paths, commands, cut } = findPaths(args, this.#surroundings.root);
    return worst([
      ...(await Promise.all(paths.map((path) => this.#either(path)))),
      ...(await Promise.all(commands.map((command) => this.#command(command)))),
      cut ? ask('Its arguments are too large to be checked.') : ALLOWED,
    ]);
  }

  /** For what may be read or written: denied only where reading is. */
  async #either(path: string, from?: string): Promise<Verdict> {
    const reading = await this.#guard.check(path, 'read', from);
    if (reading.decision === 'deny') return reading;
    const writing = await this.#guard.check(path, 'write', from);
    return writing.decision === 'deny' ? ask(`It may use ${path}, outside the workspace.`) : worst([reading, writing]);
  }
}

/** With its links followed; a folder that doesn't exist yet has none. */
export function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
