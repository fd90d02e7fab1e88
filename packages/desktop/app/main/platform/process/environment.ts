import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

type Environment = Record<string, string | undefined>;

/** What a server is given of the app's own environment: what programs need to run, and nothing that is the app's secret. */
const PASSED_POSIX =
  'HOME LOGNAME USER SHELL TERM TMPDIR TZ LANG LANGUAGE DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS NVM_DIR VOLTA_HOME ASDF_DATA_DIR'.split(
    ' ',
  );
const PASSED_WINDOWS =
  'APPDATA COMSPEC COMMONPROGRAMFILES HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR'.split(
    ' ',
  );
/** Proxies; programs read these names in capitals, in small letters, or in both. */
const PASSED_PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);
const PASSED_CERTIFICATES = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE'];
const PASSED_PREFIXES = ['LC_', 'XDG_'];

/** The part of `own` that servers may see, without PATH. */
export function passedEnvironment(own: Environment, platform: NodeJS.Platform): Record<string, string> {
  const names = new Set([
    ...(platform === 'win32' ? PASSED_WINDOWS : PASSED_POSIX),
    ...PASSED_PROXIES,
    ...PASSED_CERTIFICATES,
  ]);
  const passes = (name: string) =>
    names.has(platform === 'win32' ? name.toUpperCase() : name) ||
    names.has(name) ||
    PASSED_PREFIXES.some((prefix) => name.startsWith(prefix));
  // A value that begins with `()` is a shell function in disguise.
  return Object.fromEntries(
    Object.entries(own).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && passes(entry[0]) && !entry[1].startsWith('()'),
    ),
  );
}

/** Where package managers put programs; used besides PATH when the login shell doesn't answer. */
export function usualFolders(home: string, platform: NodeJS.Platform): string[] {
  if (platform === 'win32') return [];
  const inHome = [
    '.local/bin',
    '.volta/bin',
    '.bun/bin',
    '.deno/bin',
    '.cargo/bin',
    '.npm-global/bin',
    '.nix-profile/bin',
  ];
  const shims = ['.asdf/shims', '.local/share/mise/shims', '.nodenv/shims', '.pyenv/shims', '.rbenv/shims', 'bin'];
  const added = ['/opt/homebrew/bin', '/home/linuxbrew/.linuxbrew/bin', '/opt/local/bin', '/run/current-system/sw/bin'];
  const system = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin', '/snap/bin'];
  return [
    ...[...inHome, ...shims].map((folder) => path.posix.join(home, folder)),
    ...VERSION_FOLDERS.flatMap(([versions, bin]) => newestFirst(path.posix.join(home, versions), bin)),
    ...added,
    ...system,
  ];
}

/** Where managers of Node versions keep them, and the programs in each; these add to PATH only what the profile chooses. */
const VERSION_FOLDERS = [
  ['.nvm/versions/node', 'bin'],
  ['.local/share/fnm/node-versions', 'installation/bin'],
  ['.fnm/node-versions', 'installation/bin'],
] as const;

function newestFirst(versions: string, bin: string): string[] {
  try {
    const newerFirst = new Intl.Collator('en', { numeric: true });
    const names = readdirSync(versions).sort((a, b) => newerFirst.compare(b, a));
    return names.map((name) => path.posix.join(versions, name, bin));
  } catch {
    return []; // that manager isn't used here
  }
}

/** More than any greeting; what prints on and on would only keep the app busy. In characters. */
const MAX_PROFILE_OUTPUT = 1024 * 1024;

/** How a shell runs one command after its profiles, those of a login and those of an interactive one. */
function loginArguments(shell: string, script: string): { args: string[]; argv0?: string } {
  const name = path.posix.basename(shell);
  // It knows `-l` only alone, and takes a name that begins so for the same.
  if (name === 'csh' || name === 'tcsh') return { args: ['-ic', script], argv0: `-${name}` };
  if (name === 'pwsh') return { args: ['-Login', '-Command', script] };
  if (name === 'nu' || name === 'xonsh') return { args: ['-i', '-l', '-c', script] };
  return { args: ['-ilc', script] };
}

/**
 * The PATH of the person's login shell. A program started from a desktop gets a short one, without what the shell's profile
 * adds. The answer stands between two markers, since a profile may print a greeting, or the commands that are run.
 * @returns undefined when there is no shell, or it doesn't answer within `limitMs`; the shell is ended then.
 */
export function readLoginShellPath(options: {
  shell: string | undefined;
  env: Environment;
  limitMs?: number;
}): Promise<string | undefined> {
  const { shell, env, limitMs = 3000 } = options;
  if (!shell || !path.isAbsolute(shell)) return Promise.resolve(undefined);
  const marker = randomBytes(8).toString('hex');
  // Another program's own PATH is all that every shell has in common. The markers stand nowhere in the script as they are
  // printed: a shell that shows what it runs would answer with that.
  const script = `/bin/sh -c 'printf "<%s>%s</%s>" ${marker} "$PATH" ${marker}'`;
  const answer = new RegExp(`<${marker}>([^]*)</${marker}>`);
  return new Promise<string | undefined>((resolve) => {
    const { args, argv0 } = loginArguments(shell, script);
    const child = spawn(shell, args, { argv0, env, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
    // Where a profile starts another shell in its place, that one reads what it is to do from here.
    child.stdin.on('error', () => {}).end(`${script}\n`);
    let output = '';
    const finish = () => {
      clearTimeout(limit);
      child.stdin.destroy();
      child.stdout.destroy();
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The shell and what it started have ended.
      }
      resolve(answer.exec(output)?.[1] || undefined);
    };
    const limit = setTimeout(finish, limitMs);
    child.once('error', finish);
    child.once('close', finish);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // What a profile started in the background may hold the pipe open for ever.
      if (output.includes(`</${marker}>`) || output.length > MAX_PROFILE_OUTPUT) finish();
    });
  }).catch(() => undefined); // a path that can't be started at all throws
}

const joinPaths = (delimiter: string, ...paths: string[]): string =>
  [...new Set(paths.flatMap((each) => each.split(delimiter)).filter(Boolean))].join(delimiter);

/** Undefined for a user that the system has no entry of, as in some containers. */
function shellOfUser(): string | undefined {
  try {
    return os.userInfo().shell ?? undefined;
  } catch {
    return undefined;
  }
}

/** The environment of servers. The login shell is asked once, at {@link prepare} or at the first {@link build}. */
export class ServerEnvironment {
  readonly #own: Environment;
  readonly #platform: NodeJS.Platform;
  readonly #readShellPath: () => Promise<string | undefined>;
  #path: Promise<string> | undefined;

  constructor(
    options: {
      own?: Environment;
      platform?: NodeJS.Platform;
      readShellPath?: () => Promise<string | undefined>;
    } = {},
  ) {
    this.#own = options.own ?? process.env;
    this.#platform = options.platform ?? process.platform;
    this.#readShellPath =
      options.readShellPath ??
      (() =>
        this.#platform === 'win32'
          ? Promise.resolve(undefined)
          : readLoginShellPath({
              shell: this.#own.SHELL || shellOfUser(),
              env: passedEnvironment(this.#own, this.#platform),
            }));
  }

  /** Asks the login shell ahead of time, so that the first server doesn't wait for it. */
  async prepare(): Promise<void> {
    await this.#searchPath();
  }

  /** Passed variables, PATH, and on top of them the configured values, whose names replace those in another case on Windows. */
  async build(configured: Record<string, string> = {}): Promise<Record<string, string>> {
    const own = { ...passedEnvironment(this.#own, this.#platform), PATH: await this.#searchPath() };
    if (this.#platform !== 'win32') return { ...own, ...configured };
    const replaced = new Set(Object.keys(configured).map((name) => name.toUpperCase()));
    const kept = Object.entries(own).filter(([name]) => !replaced.has(name.toUpperCase()));
    return { ...Object.fromEntries(kept), ...configured };
  }

  #searchPath(): Promise<string> {
    this.#path ??= this.#readShellPath().then((fromShell) => {
      const delimiter = this.#platform === 'win32' ? ';' : ':';
      const own = this.#own.PATH ?? this.#own.Path ?? '';
      if (fromShell !== undefined) return joinPaths(delimiter, fromShell, own);
      return joinPaths(delimiter, own, ...usualFolders(this.#own.HOME || os.homedir(), this.#platform));
    });
    return this.#path;
  }
}
