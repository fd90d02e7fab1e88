import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from './failure.mjs';
import { inCache, inRoot, ROOT } from './paths.mjs';
import { step } from './progress.mjs';
import { run } from './run.mjs';
import { readStamp } from './stamp.mjs';

/** npm's own note of what it installed. It is written last, so one that was interrupted has none. */
const NPM_NOTE = inRoot('node_modules', '.package-lock.json');
const LOCK_FOLDER = inCache('install.lock');
/** Who installs shows every so often that it still does. A process id would not do: it may be another program's by now. */
const LOCK_SIGN_MS = 2000;
const LOCK_STALE_MS = 30_000;

/** By the rules of `os` and `cpu` in a package.json: a name or several, or names with `!` that are excluded. */
function isAllowed(names, name) {
  const list = [names ?? []].flat();
  return list.some((entry) => !entry.startsWith('!')) ? list.includes(name) : !list.includes(`!${name}`);
}

/**
 * Whether npm's note of what is installed agrees with the lock file, this kind of machine and the disk: the same versions,
 * nothing missing that isn't optional, and every folder there.
 *
 * @param {object} lock the lock file
 * @param {object|undefined} installed npm's note, of the same shape
 * @param {{platform: string, arch: string}} machine
 * @param {(path: string) => boolean} exists whether a folder of a package is there
 */
export function matchesLock(lock, installed, { platform, arch }, exists) {
  const wanted = lock.packages ?? {};
  const present = installed?.packages ?? {};
  const isRight = ([path, { version, os, cpu }]) =>
    version === wanted[path]?.version && isAllowed(os, platform) && isAllowed(cpu, arch) && exists(path);
  const isOptional = (path) => path === '' || wanted[path].optional;
  return (
    Object.keys(present).length > 0 &&
    Object.entries(present).every(isRight) &&
    Object.keys(wanted).every((path) => isOptional(path) || present[path])
  );
}

function isInstalled() {
  const lock = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  return matchesLock(lock, readStamp(NPM_NOTE), process, (path) => existsSync(inRoot(path)));
}

/**
 * Waits for another script of this repository that is installing; a lock left by one that was killed is taken over. Returns
 * the function that releases the lock.
 */
async function takeLock() {
  mkdirSync(inCache(), { recursive: true });
  for (let told = false; ; await sleep(1000)) {
    try {
      mkdirSync(LOCK_FOLDER);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isLockStale()) rmSync(LOCK_FOLDER, { recursive: true, force: true });
    else if (!told) {
      console.log('• Waiting for another script that is installing packages here …');
      told = true;
    }
  }
  const sign = setInterval(() => utimesSync(LOCK_FOLDER, new Date(), new Date()), LOCK_SIGN_MS);
  const release = () => {
    clearInterval(sign);
    process.off('exit', release);
    rmSync(LOCK_FOLDER, { recursive: true, force: true });
  };
  // Ctrl-C in the middle.
  process.once('exit', release);
  return release;
}

function isLockStale() {
  const stats = statSync(LOCK_FOLDER, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > LOCK_STALE_MS;
}

/** How to start npm: the one that runs this script, if any, otherwise the one on the PATH. */
function npmCommand(args) {
  const npm = process.env.npm_execpath;
  if (npm && /\.c?js$/.test(npm) && existsSync(npm)) return [process.execPath, [npm, ...args], {}];
  // On Windows npm is a command file, which needs a shell; the arguments are fixed.
  return ['npm', args, { shell: process.platform === 'win32' }];
}

/** Installs the packages of the lock file unless they are there already, whoever installed them. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  const release = await takeLock();
  try {
    if (isInstalled()) return;
    // The tools are development dependencies and the newer Node an optional one: wanted whatever the user's npm omits.
    const [command, args, more] = npmCommand(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']);
    const result = await step('Installing packages from the lock file (once; a few minutes on a slow line)', () =>
      run(command, args, { cwd: ROOT, ...more }),
    );
    if (result.code !== 0) {
      throw new SetupError(
        `npm could not install the packages${result.error ? ` (${result.error.message})` : ''}:\n\n` +
          `${result.output.trim().split('\n').slice(-25).join('\n')}\n\n` +
          'Check the network and the proxy settings of npm, then run the same command again.',
      );
    }
  } finally {
    release();
  }
}
