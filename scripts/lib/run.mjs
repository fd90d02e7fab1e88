import { spawn } from 'node:child_process';

const OUTPUT_LIMIT = 4 * 1024 * 1024;
const WINDOWS = process.platform === 'win32';
const running = new Set();

function killTree(child, signal) {
  try {
    if (WINDOWS) spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}

/**
 * Ends every command that {@link run} still has running. They are in process groups of their own, so that the terminal's
 * Ctrl-C reaches the script alone.
 */
export function killRunning() {
  for (const child of running) killTree(child, 'SIGKILL');
}

/**
 * Runs a command without stdin and collects what it prints (the last 4 MiB, stdout and stderr as they come).
 *
 * @param {object} [options]
 * @param {number} [options.timeoutMs] after which the command's whole process group is killed
 * @param {number} [options.idleMs] like `timeoutMs`, counted from the last sign of `watch`
 * @param {() => unknown} [options.watch] asked every second; a value other than the last one is a sign of progress
 * @param {(text: string) => void} [options.onOutput]
 * @returns {Promise<{code: number|null, signal: string|null, output: string, stopped?: 'timeout'|'idle', error?: Error}>}
 *   never rejects; `error` when the command could not be started
 */
export function run(command, args, options = {}) {
  const { timeoutMs, idleMs, watch, onOutput, ...spawnOptions } = options;
  return new Promise((resolve) => {
    let output = '';
    let stopped;
    const child = spawn(command, args, { ...spawnOptions, stdio: ['ignore', 'pipe', 'pipe'], detached: !WINDOWS });
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        output = (output + text).slice(-OUTPUT_LIMIT);
        onOutput?.(text);
      });
    }
    const stop = (why) => {
      stopped = why;
      killTree(child, 'SIGKILL');
    };
    const timer = timeoutMs && setTimeout(stop, timeoutMs, 'timeout');
    let seen = watch?.();
    let seenAt = Date.now();
    const watcher =
      watch &&
      setInterval(() => {
        const now = watch();
        if (now !== seen) seenAt = Date.now();
        seen = now;
        if (Date.now() - seenAt > idleMs) stop('idle');
      }, 1000);
    const finish = (result) => {
      clearTimeout(timer);
      clearInterval(watcher);
      running.delete(child);
      resolve({ ...result, output, stopped });
    };
    child.once('error', (error) => finish({ code: null, signal: null, error }));
    child.once('close', (code, signal) => finish({ code, signal }));
  });
}

/** Runs a tool of this repository, given as its JavaScript file, under the Node that runs this script. */
export const runNode = (file, args, options) => run(process.execPath, [file, ...args], options);
