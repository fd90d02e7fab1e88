import { spawn } from 'node:child_process';
import { SetupError } from './failure.mjs';
import { findProgram, installSystemPackages } from './system-packages.mjs';

const START_MS = 15_000;

// Xvfb finds a free number itself and writes it to descriptor 3. The shell holds the other end of our pipe: when this
// script is gone, however it went, `cat` ends and the display with it.
const KEEPER = `
Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp >/dev/null 2>&1 &
xvfb=$!
exec 3>&-
cat >/dev/null
kill "$xvfb"
wait "$xvfb"
`;

/** Whether windows have somewhere to go without our help. */
export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * Starts a virtual display, installing Xvfb where we may.
 *
 * @returns {Promise<{name: string, stop(): Promise<void>}>} `name` is a value for DISPLAY
 */
export async function startVirtualDisplay() {
  if (!findProgram(['Xvfb'])) await installSystemPackages(['xvfb'], 'There is no display, and no Xvfb to make one.');
  // A session of its own: the terminal's Ctrl-C must not take the display away before the app has shut down.
  const keeper = spawn('sh', ['-c', KEEPER], { stdio: ['pipe', 'ignore', 'ignore', 'pipe'], detached: true });
  const ended = new Promise((resolve) => keeper.once('close', resolve));
  const stop = async () => {
    keeper.stdin.end();
    await ended;
  };
  try {
    return { name: `:${await displayNumber(keeper)}`, stop };
  } catch (error) {
    keeper.stdin.end();
    throw error;
  }
}

function displayNumber(keeper) {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new SetupError('Xvfb did not start: run "Xvfb -displayfd 1" to see why.'));
    const timer = setTimeout(fail, START_MS);
    let text = '';
    keeper.stdio[3].on('data', (chunk) => {
      text += chunk;
      if (!text.includes('\n')) return;
      clearTimeout(timer);
      resolve(text.trim());
    });
    keeper.stdio[3].once('end', () => {
      clearTimeout(timer);
      fail();
    });
    keeper.once('error', fail);
    keeper.stdin.on('error', () => {});
  });
}
