import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const OUTPUT_LIMIT = 4 * 1024 * 1024;
const GRACE_MS = 5000;
/** A command that has ended may leave something behind that holds its output open; we don't wait longer for that. */
const CLOSE_MS = 2000;
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
 * Ctrl-C reaches the script alone. They get 5 s to end what they started themselves.
 */
export async function endRunning() {
  const ended = Promise.all([...running].map((child) => once(child, 'exit')));
  for (const child of running) killTree(child, 'SIGTERM');
  await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })]);
  for (const child of running) killTree(child, 'SIGKILL');
}

/**
 * Runs a command without stdin and collects what it prints (the last 4 MiB, stdout and stderr as they come).
 *
 * @param {object} [options]
 * @param {number} [options.timeoutMs] after which the command's whole process group is ended, by force if need be
 * @param {number} [options.idleMs] like `timeoutMs`, counted from the last sign of `watch`
 * @param {() => unknown} [options.watch] asked every second; a value other than the last one is a sign of progress
 * @param {(text: string) => void} [options.onOutput]
 * @returns {Promise<{code: number|null, signal: string|null, output: string, stopped?: 'timeout'|'idle', error?: Error}>}
 *   never rejects; `error` when the command could not be started
 */
export function run(command, args, options = {}) {
  const { timeoutMs, idleMs, watch, onOutput, env = process.env, ...spawnOptions } = options;
  // What is collected is shown indented or cut: colours would bleed.
  const { FORCE_COLOR, ...plainEnv } = env;
  return new Promise((resolve) => {
    let output = '';
    let stopped;
    const child = spawn(command, args, {
      ...spawnOptions,
      env: { ...plainEnv, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: !WINDOWS,
    });
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        output = (output + text).slice(-OUTPUT_LIMIT);
        onOutput?.(text);
      });
    }
    const stop = (why) => {
      stopped ??= why;
      killTree(child, 'SIGTERM');
      setTimeout(killTree, GRACE_MS, child, 'SIGKILL').unref();
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
      killTree(child, 'SIGKILL');
      resolve({ ...result, output, stopped });
    };
    child.once('error', (error) => finish({ code: null, signal: null, error }));
    child.once('close', (code, signal) => finish({ code, signal }));
    child.once('exit', (code, signal) => setTimeout(finish, CLOSE_MS, { code, signal }).unref());
  });
}

/** Runs a tool of this repository, given as its JavaScript file, under the Node that runs this script. */
export const runNode = (file, args, options) => run(process.execPath, [file, ...args], options);
