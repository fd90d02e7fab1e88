import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { SetupError } from './failure.mjs';
import { findProgram, installSystemPackages } from './system-packages.mjs';

const START_MS = 15_000;
const ANSWER_MS = 3000;

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

/**
 * A virtual display for a program that has none, installing Xvfb where we may.
 *
 * @param {{kind: string}} electron as `chooseElectron` gives it; the stand-in shows windows on X11 only
 * @returns {Promise<{name: string, env: Record<string, string|undefined>, stop(): Promise<void>} | undefined>} undefined
 *   when windows have somewhere to go; `env` names it to a program
 */
export async function virtualDisplayFor(electron) {
  if (process.platform !== 'linux') return undefined;
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (electron.kind !== 'stand-in' && WAYLAND_DISPLAY && (await answers(waylandSocket(WAYLAND_DISPLAY))))
    return undefined;
  if (DISPLAY && (await displayAnswers(DISPLAY))) return undefined;
  if (DISPLAY) console.log(`• DISPLAY is ${DISPLAY}, but nothing answers there.`);
  const { name, stop } = await startVirtualDisplay();
  return { name, env: { DISPLAY: name, WAYLAND_DISPLAY: undefined }, stop };
}

/** Whether there is an X server for a value of DISPLAY. Terminals keep that of a session that is long gone. */
export function displayAnswers(display) {
  const [, host, number] = /^(.*):(\d+)(?:\.\d+)?$/.exec(display) ?? [];
  if (number === undefined) return false;
  const isLocal = host === '' || host === 'unix';
  return answers(isLocal ? { path: `/tmp/.X11-unix/X${number}` } : { host, port: 6000 + Number(number) });
}

const waylandSocket = (name) => ({ path: resolve(process.env.XDG_RUNTIME_DIR ?? '/', name) });

/** Whether somebody listens at an address of `net.connect`. */
function answers(address) {
  return new Promise((done) => {
    const socket = connect({ ...address, timeout: ANSWER_MS });
    const finish = (answer) => {
      socket.destroy();
      done(answer);
    };
    socket.once('connect', () => finish(true));
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
  });
}

/** @returns {Promise<{name: string, stop(): Promise<void>}>} `name` is a value for DISPLAY */
async function startVirtualDisplay() {
  if (!findProgram(['Xvfb'])) await installSystemPackages(['xvfb'], 'There is no display, and no Xvfb to make one.');
  // A session of its own: the terminal's Ctrl-C must not take the display away before the app has shut down.
  const keeper = spawn('sh', ['-c', KEEPER], { stdio: ['pipe', 'ignore', 'ignore', 'pipe'], detached: true });
  const ended = new Promise((done) => keeper.once('close', done));
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
  return new Promise((done, reject) => {
    const fail = () => reject(new SetupError('Xvfb did not start: run "Xvfb -displayfd 1" to see why.'));
    const timer = setTimeout(fail, START_MS);
    let text = '';
    keeper.stdio[3].on('data', (chunk) => {
      text += chunk;
      if (!text.includes('\n')) return;
      clearTimeout(timer);
      done(text.trim());
    });
    keeper.stdio[3].once('end', () => {
      clearTimeout(timer);
      fail();
    });
    keeper.once('error', fail);
    keeper.stdin.on('error', () => {});
  });
}
