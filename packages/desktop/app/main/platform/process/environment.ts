import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';

type Environment = Record<string, string | undefined>;

/** What a server is given of the app's own environment: what programs need to run, and nothing that is the app's secret. */
const PASSED_POSIX = ['HOME', 'LOGNAME', 'USER', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'LANG', 'LANGUAGE', 'DISPLAY'];
const PASSED_POSIX_TOO = ['WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS', 'NVM_DIR', 'VOLTA_HOME', 'ASDF_DATA_DIR'];
const PASSED_WINDOWS =
  'APPDATA COMSPEC COMMONPROGRAMFILES HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR'.split(
    ' ',
  );
/** Proxies and certificates; the first four are used in both cases. */
const PASSED_NETWORK = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);
const PASSED_CERTIFICATES = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE'];
const PASSED_PREFIXES = ['LC_', 'XDG_'];

/** The part of `own` that servers may see, without PATH. */
export function passedEnvironment(own: Environment, platform: NodeJS.Platform): Record<string, string> {
  const names = new Set([
    ...(platform === 'win32' ? PASSED_WINDOWS : [...PASSED_POSIX, ...PASSED_POSIX_TOO]),
    ...PASSED_NETWORK,
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
  const inHome = ['.local/bin', '.volta/bin', '.bun/bin', '.deno/bin', '.cargo/bin', '.asdf/shims', 'bin'];
  const system = ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin', '/snap/bin'];
  return [...inHome.map((folder) => path.posix.join(home, folder)), ...system];
}

/**
 * The PATH of the person's login shell. A program started from a desktop gets a short one, without what the shell's profile
 * adds. The answer stands between two markers, since a profile may print a greeting.
 * @returns undefined when there is no shell, or it doesn't answer within `limitMs`; the shell is ended then.
 */
export function readLoginShellPath(options: {
  shell: string | undefined;
  env: Environment;
  limitMs?: number;
}): Promise<string | undefined> {
  const { shell, env, limitMs = 3000 } = options;
  if (!shell || !path.isAbsolute(shell)) return Promise.resolve(undefined);
  const marker = `__${randomBytes(8).toString('hex')}__`;
  // `command env` and a search for the line keep to what sh, bash, zsh and fish all understand.
  const script = `echo ${marker}; command env; echo ${marker}`;
  return new Promise((resolve) => {
    const child = spawn(shell, ['-ilc', script], { env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    let output = '';
    const finish = () => {
      clearTimeout(limit);
      child.stdout.destroy();
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The shell and what it started have ended.
      }
      const answer = output.split(marker);
      const found = answer.length < 3 ? undefined : answer[1]?.match(/^PATH=(.*)$/m)?.[1];
      resolve(found || undefined);
    };
    const limit = setTimeout(finish, limitMs);
    child.once('error', finish);
    child.once('close', finish);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // What a profile started in the background may hold the pipe open for ever.
      if (output.split(marker).length > 2) finish();
    });
  });
}

const joinPaths = (delimiter: string, ...paths: string[]): string =>
  [...new Set(paths.flatMap((each) => each.split(delimiter)).filter(Boolean))].join(delimiter);

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
              shell: this.#own.SHELL ?? os.userInfo().shell ?? undefined,
              env: passedEnvironment(this.#own, this.#platform),
            }));
  }

  /** Asks the login shell ahead of time, so that the first server doesn't wait for it. */
  async prepare(): Promise<void> {
    await this.#searchPath();
  }

  /** Passed variables, PATH, and on top of them the configured values. */
  async build(configured: Record<string, string> = {}): Promise<Record<string, string>> {
    const searchPath = await this.#searchPath();
    return { ...passedEnvironment(this.#own, this.#platform), PATH: searchPath, ...configured };
  }

  #searchPath(): Promise<string> {
    this.#path ??= this.#readShellPath().then((fromShell) => {
      const delimiter = this.#platform === 'win32' ? ';' : ':';
      const own = this.#own.PATH ?? this.#own.Path ?? '';
      if (fromShell !== undefined) return joinPaths(delimiter, fromShell, own);
      return joinPaths(delimiter, own, ...usualFolders(this.#own.HOME ?? os.homedir(), this.#platform));
    });
    return this.#path;
  }
}
