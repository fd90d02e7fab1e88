import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from './failure.mjs';
import { inCache, inRoot, ROOT } from './paths.mjs';
import { step } from './progress.mjs';
import { run } from './run.mjs';
import { readStamp, writeStamp } from './stamp.mjs';

// Inside node_modules, so that it disappears with what it stands for.
const STAMP = inRoot('node_modules', '.cache', 'tinyelf', 'install.json');
const LOCK_FOLDER = inCache('install.lock');
// A lock without an owner was left by a script killed in the act; one this old by a machine that was switched off.
const OWNERLESS_MS = 60_000;
const LOCK_STALE_MS = 60 * 60_000;

/** What an installation depends on. */
export function installKey(lockText) {
  return { lock: createHash('sha256').update(lockText).digest('hex'), platform: `${process.platform}-${process.arch}` };
}

/**
 * Whether npm's own note of what is installed (`node_modules/.package-lock.json`) agrees with the lock file: the same
 * versions, and nothing missing that isn't optional. Spares the installation for those who ran `npm ci` themselves.
 */
export function matchesLock(lock, installed) {
  const wanted = lock?.packages ?? {};
  const present = installed?.packages ?? {};
  if (Object.keys(present).length === 0) return false;
  const strangers = Object.keys(present).some((path) => present[path].version !== wanted[path]?.version);
  const missing = Object.keys(wanted).some((path) => path !== '' && !wanted[path].optional && !present[path]);
  return !strangers && !missing;
}

function isInstalled(lockText) {
  const key = installKey(lockText);
  const stamp = readStamp(STAMP);
  if (stamp) return stamp.lock === key.lock && stamp.platform === key.platform;
  if (!matchesLock(JSON.parse(lockText), readStamp(inRoot('node_modules', '.package-lock.json')))) return false;
  writeStamp(STAMP, key);
  return true;
}

/** Waits for another script of this repository that is installing; a lock left by one that was killed is taken over. */
async function takeLock() {
  mkdirSync(inCache(), { recursive: true });
  for (let told = false; ; await sleep(1000)) {
    try {
      mkdirSync(LOCK_FOLDER);
      writeStamp(`${LOCK_FOLDER}/owner.json`, { pid: process.pid });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isLockStale()) rmSync(LOCK_FOLDER, { recursive: true, force: true });
    else if (!told) {
      console.log('• Waiting for another script that is installing packages here …');
      told = true;
    }
  }
}

function isLockStale() {
  try {
    const age = Date.now() - statSync(LOCK_FOLDER).mtimeMs;
    const owner = readStamp(`${LOCK_FOLDER}/owner.json`);
    if (owner) process.kill(owner.pid, 0);
    return age > (owner ? LOCK_STALE_MS : OWNERLESS_MS);
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** How to start npm: the one that runs this script, if any, otherwise the one on the PATH. */
function npmCommand(args) {
  const npm = process.env.npm_execpath;
  if (npm && /\.c?js$/.test(npm) && existsSync(npm)) return [process.execPath, [npm, ...args], {}];
  // On Windows npm is a command file, which needs a shell; the arguments are fixed.
  return ['npm', args, { shell: process.platform === 'win32' }];
}

/** Installs the packages of the lock file when it, the platform or node_modules changed since the last time. */
export async function ensureInstalled() {
  const lockText = readFileSync(inRoot('package-lock.json'), 'utf8');
  if (isInstalled(lockText)) return;
  await takeLock();
  try {
    if (isInstalled(lockText)) return;
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
    writeStamp(STAMP, installKey(lockText));
  } finally {
    rmSync(LOCK_FOLDER, { recursive: true, force: true });
  }
}
