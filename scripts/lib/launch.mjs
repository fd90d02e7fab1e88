import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './paths.mjs';
import { onStopSignal } from './stop-signals.mjs';

const WINDOWS = process.platform === 'win32';

/** What a program that was ended leaves in its group (the app, of electron-vite) has this long to end, too. */
const REST_MS = 7000;
/** Longer than the app's own limit for an orderly end (5 s), which it keeps by itself. */
const END_MS = 15_000;
/**
 * One Ctrl-C arrives several times: from the terminal, from npm, from the script above. What comes this soon after the
 * first is the same one; the app takes a second signal as an order to end at once.
 */
const SAME_SIGNAL_MS = 1000;
const LOOK_MS = 50;

const DEVTOOLS_LINE = /^DevTools listening on (ws:\/\/\S+)/m;

function killGroup(child) {
  try {
    if (WINDOWS) child.kill();
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Resolves when nothing of a child's group runs any more, which is seen to by force in the end. */
async function groupEnded(child) {
  if (WINDOWS) return;
  const isThere = () => {
    try {
      return process.kill(-child.pid, 0);
    } catch {
      return false;
    }
  };
  for (const end = Date.now() + REST_MS; isThere() && Date.now() < end; ) await sleep(LOOK_MS);
  killGroup(child);
}

/**
 * Runs a program (the app, or what starts it) in the foreground until it ends. SIGINT, SIGTERM and SIGHUP are passed to it,
 * once each; it gets 15 s to end, then its process group is killed.
 *
 * @param {object} options
 * @param {string} options.command
 * @param {string[]} options.args
 * @param {Record<string, string|undefined>} options.env
 * @param {(endpoint: string) => void} [options.onDevTools] called with the address of the DevTools port when it is open
 * @param {AbortSignal} [options.stop] ends the program as SIGTERM would, and waits for what it has started, so that it can be
 *   run again; `stoppedBy` is not set then
 * @returns {Promise<{code: number|null, signal: string|null, stoppedBy?: string}>} `stoppedBy` is the signal we passed on
 */
export function runInForeground({ command, args, env, onDevTools, stop }) {
  return new Promise((resolve, reject) => {
    const stdio = ['inherit', 'inherit', onDevTools ? 'pipe' : 'inherit'];
    // A group of its own, so that the terminal's Ctrl-C reaches it through us only, once.
    const child = spawn(command, args, { cwd: ROOT, env, stdio, detached: !WINDOWS });
    if (onDevTools) watchForDevTools(child.stderr, onDevTools);

    let limit;
    const end = (signal) => {
      limit ??= setTimeout(() => {
        console.error(`• It has not ended within ${END_MS / 1000} s; ending it by force.`);
        killGroup(child);
      }, END_MS).unref();
      child.kill(signal);
    };
    let stoppedBy;
    let stoppedAt = 0;
    onStopSignal((signal) => {
      const now = Date.now();
      if (stoppedBy && now - stoppedAt < SAME_SIGNAL_MS) return;
      stoppedBy = signal;
      stoppedAt = now;
      end(signal);
    });
    const onStop = () => end('SIGTERM');
    stop?.addEventListener('abort', onStop);
    child.once('error', reject);
    child.once('exit', async (code, signal) => {
      clearTimeout(limit);
      stop?.removeEventListener('abort', onStop);
      if (stop?.aborted) await groupEnded(child);
      resolve({ code, signal, stoppedBy });
    });
  });
}

function watchForDevTools(stream, found) {
  let text = '';
  const search = (chunk) => {
    text += chunk;
    const match = DEVTOOLS_LINE.exec(text);
    if (!match && text.length < 256 * 1024) return;
    stream.off('data', search);
    if (match) found(match[1]);
  };
  stream.on('data', search);
  stream.pipe(process.stderr, { end: false });
}
