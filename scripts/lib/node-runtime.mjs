import { spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './failure.mjs';
import { ensureInstalled } from './install.mjs';
import { inRoot } from './paths.mjs';
import { onStopSignal } from './stop-signals.mjs';

/** The oldest Node that may run everything itself, and the oldest that may fetch a newer one from the lock file. */
export const MINIMUM = [22, 12];
const MINIMUM_WITH_LOCKED = [20, 0];
const PARENT_LOOK_MS = 500;

/** Whether a version such as `20.19.1` is at least `[major, minor]`. */
export function isAtLeast(version, [major, minor]) {
  const [haveMajor, haveMinor] = version.split('.').map(Number);
  return haveMajor > major || (haveMajor === major && haveMinor >= minor);
}

/** The lock file brings Node for this platform alone; elsewhere the machine's own has to do. */
const hasLockedNode = process.platform === 'linux' && process.arch === 'x64';

/** The Node of the lock file, or undefined where it isn't installed or can't run (another C library, say). */
function lockedNode() {
  const path = inRoot('node_modules', '.bin', 'node');
  if (!hasLockedNode || !existsSync(path)) return undefined;
  return spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0 ? realpathSync(path) : undefined;
}

function requireVersion(minimum) {
  if (isAtLeast(process.versions.node, minimum)) return;
  throw new SetupError(
    `TinyElf Desktop needs Node ${minimum.join('.')} or later here (${process.platform}-${process.arch}); ` +
      `this is Node ${process.versions.node} (${process.execPath}).\nInstall a newer one and run the same command again.`,
  );
}

/**
 * Makes this script run where everything is installed and new enough: installs the packages, and hands over to the Node
 * of the lock file when it isn't the one that runs already. Returns only in the process that is to do the work.
 *
 * @param {string} scriptUrl `import.meta.url` of the script
 */
export async function enterRuntime(scriptUrl) {
  requireVersion(hasLockedNode ? MINIMUM_WITH_LOCKED : MINIMUM);
  stopWithNpm();
  await ensureInstalled();
  process.env.PATH = [inRoot('node_modules', '.bin'), process.env.PATH].join(delimiter);
  const node = lockedNode();
  if (!node) return requireVersion(MINIMUM);
  if (realpathSync(process.execPath) === node) return stopWithParent();
  await handOver(node, fileURLToPath(scriptUrl));
}

/** Runs the script again under `node` and ends as it ends. Signals are passed on; never returns. */
function handOver(node, script) {
  return new Promise(() => {
    const child = spawn(node, [script, ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    onStopSignal((signal) => child.kill(signal));
    child.once('error', (error) => {
      console.error(`The Node of the lock file could not be started: ${error.message}`);
      process.exit(1);
    });
    child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
}

/** npm passes SIGTERM to its shell and no further; the shell's end is the only sign of it. */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
  const shell = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_LOOK_MS);
  look.unref();
}

/** The process above holds one end of a channel: should it be killed, this one stops as if it had been told to. */
function stopWithParent() {
  if (!process.channel) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
