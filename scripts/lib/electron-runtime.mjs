import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { isRefusedWrite, SetupError } from './failure.mjs';
import { inCache, inRoot } from './paths.mjs';
import { step } from './progress.mjs';
import { run, runNode } from './run.mjs';
import { readStamp, writeStamp } from './stamp.mjs';
import { installSystemPackages } from './system-packages.mjs';

const MODULE = inRoot('node_modules', 'electron');
const STAND_IN = inRoot('scripts', 'electron-standin');
const FAILURE_NOTE = inCache('electron-download.json');
const DOWNLOAD_FOLDER = inCache('electron-download');

/** A download that brings nothing for this long has failed. */
const NO_PROGRESS_MS = 20_000;
/** How long a failed download is remembered, so that the next start doesn't wait for it again. */
const FAILURE_KEPT_MS = 24 * 60 * 60_000;

/** What the real binary needs beside itself on Debian; Electron's documentation names them. */
const LIBRARIES = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libxss1', 'libnotify4', 'xdg-utils'];

const version = () => JSON.parse(readFileSync(join(MODULE, 'package.json'), 'utf8')).version;

/** The binary that Electron's package has fetched, or undefined. Electron's own test of completeness. */
function realBinary() {
  try {
    if (
      readFileSync(join(MODULE, 'dist', 'version'), 'utf8')
        .replace(/^v/, '')
        .trim() !== version()
    )
      return undefined;
    const path = join(MODULE, 'dist', readFileSync(join(MODULE, 'path.txt'), 'utf8'));
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Bytes below a folder: grows while a download or its extraction does. */
function sizeOf(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
      (sum, entry) => (entry.isFile() ? sum + statSync(join(entry.parentPath, entry.name)).size : sum),
      0,
    );
  } catch {
    return 0;
  }
}

/** Fetches the binary with the installer of Electron's package. Returns why it failed, or undefined. */
async function download() {
  try {
    rmSync(DOWNLOAD_FOLDER, { recursive: true, force: true });
    writeStamp(join(DOWNLOAD_FOLDER, 'note.json'), { pid: process.pid });
  } catch (error) {
    if (isRefusedWrite(error)) return `${error.path} can not be written`;
    throw error;
  }
  const env = {
    ...process.env,
    // The installer says nothing for half a minute; the growth of its folder tells whether it gets on.
    TMPDIR: DOWNLOAD_FOLDER,
    NODE_USE_ENV_PROXY: '1',
    ELECTRON_GET_NO_PROGRESS: '1',
  };
  delete env.ELECTRON_OVERRIDE_DIST_PATH;
  const result = await step(`Fetching Electron ${version()} (once, about 120 MB)`, (detail) =>
    runNode(join(MODULE, 'install.js'), [], {
      cwd: MODULE,
      env,
      idleMs: NO_PROGRESS_MS,
      watch: () => {
        const bytes = sizeOf(DOWNLOAD_FOLDER) + sizeOf(join(MODULE, 'dist'));
        detail(`${Math.round(bytes / 1024 / 1024)} MB`);
        return bytes;
      },
    }),
  );
  rmSync(DOWNLOAD_FOLDER, { recursive: true, force: true });
  if (realBinary()) return undefined;
  if (result.stopped === 'idle') return `nothing arrived for ${NO_PROGRESS_MS / 1000} s`;
  const reason = /^\w*Error: (.+)$/m.exec(result.output)?.[1];
  if (reason === 'fetch failed') return 'its host can not be reached from here';
  return reason ?? `its installer ended with exit code ${result.code}`;
}

function rememberFailure(reason) {
  try {
    writeStamp(FAILURE_NOTE, { version: version(), at: Date.now(), reason });
  } catch (error) {
    // The next start tries again, then.
    if (!isRefusedWrite(error)) throw error;
  }
}

/** Makes sure that the real binary starts: on a bare Debian it lacks libraries. */
async function ensureLibraries(binary) {
  const start = () =>
    run(binary, ['--version'], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' }, timeoutMs: 30_000 });
  let result = await start();
  if (result.code === 0 || process.platform !== 'linux') return;
  const reason = result.output.trim() || result.error?.message;
  await installSystemPackages(LIBRARIES, `Electron's binary is there but does not start: ${reason}`);
  result = await start();
  if (result.code !== 0) throw new SetupError(`Electron's binary does not start:\n${result.output.trim()}`);
}

function standInAllowed() {
  return process.platform === 'linux' && existsSync(join(STAND_IN, 'electron'));
}

async function standIn() {
  if (!standInAllowed()) throw new SetupError('The stand-in runtime (scripts/electron-standin) is for Linux only.');
  await ensureChromium();
  return {
    kind: 'stand-in',
    binary: join(STAND_IN, 'electron'),
    description: `the stand-in runtime (scripts/electron-standin on Node ${process.versions.node} and Chromium)`,
    env: { ELECTRON_OVERRIDE_DIST_PATH: STAND_IN },
  };
}

async function real(binary) {
  await ensureLibraries(binary);
  return { kind: 'real', binary, description: `real Electron ${version()}`, env: {} };
}

const WAYS = `To run on real Electron instead:
  TINYELF_ELECTRON=real npm start         tries to fetch it again now
  ELECTRON_MIRROR=<url>                   beside that: fetches it from a mirror
  ELECTRON_OVERRIDE_DIST_PATH=<folder>    takes the "electron" program in that folder`;

/**
 * Chooses what runs the app: a folder named by ELECTRON_OVERRIDE_DIST_PATH, else the real binary (fetched when it isn't
 * there), else the stand-in. TINYELF_ELECTRON=real insists on the real one, =stand-in on the other.
 *
 * @returns {Promise<{kind: 'real'|'stand-in'|'given', binary: string, description: string, env: Record<string, string>}>}
 *   `env` is what Electron's package, Playwright and electron-vite must find in the environment to take the same one
 */
export async function chooseElectron() {
  const wish = process.env.TINYELF_ELECTRON;
  if (wish && wish !== 'real' && wish !== 'stand-in') {
    throw new SetupError(`TINYELF_ELECTRON is "${wish}"; it can be "real" or "stand-in".`);
  }
  const given = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (wish === 'stand-in' || (given && resolve(given) === STAND_IN)) return standIn();
  if (given) return givenRuntime(resolve(given));

  const present = realBinary();
  if (present) return real(present);
  const note = readStamp(FAILURE_NOTE);
  const isFresh = note?.version === version() && Date.now() - note.at < FAILURE_KEPT_MS;
  const reason = isFresh && wish !== 'real' ? note.reason : await download();
  if (reason === undefined) {
    rmSync(FAILURE_NOTE, { force: true });
    return real(realBinary());
  }
  if (!isFresh) rememberFailure(reason);
  if (wish === 'real' || !standInAllowed()) {
    throw new SetupError(`Electron ${version()} could not be fetched: ${reason}.\n\n${WAYS}`);
  }
  console.log(`• Electron's own binary could not be fetched${isFresh ? ' at the last try' : ''}: ${reason}.`);
  console.log('  Running on the stand-in runtime: the same app, with its windows in Chromium.');
  console.log(`  ${WAYS.replaceAll('\n', '\n  ')}`);
  return standIn();
}

function givenRuntime(folder) {
  const inside = existsSync(join(MODULE, 'path.txt')) ? readFileSync(join(MODULE, 'path.txt'), 'utf8') : 'electron';
  const binary = join(folder, inside);
  if (!existsSync(binary))
    throw new SetupError(`ELECTRON_OVERRIDE_DIST_PATH names ${folder}, which has no "${inside}".`);
  return {
    kind: 'given',
    binary,
    description: `the Electron in ${folder}`,
    env: { ELECTRON_OVERRIDE_DIST_PATH: folder },
  };
}

/** Real Electron refuses to start as root with its sandbox on; switching that off is the person's decision. */
export function refuseRootWithSandbox(electron, appArguments) {
  const isRoot = process.platform === 'linux' && process.getuid() === 0;
  if (electron.kind === 'stand-in' || !isRoot || appArguments.includes('--no-sandbox')) return;
  throw new SetupError(
    'Electron does not start as root while its sandbox is on. Run this as another user (better), or switch the sandbox\n' +
      'off yourself:  npm start -- --no-sandbox',
  );
}
