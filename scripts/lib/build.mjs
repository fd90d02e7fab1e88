import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SetupError } from './failure.mjs';
import { inRoot, ROOT } from './paths.mjs';
import { step } from './progress.mjs';
import { runNode } from './run.mjs';
import { readStamp, writeStamp } from './stamp.mjs';

const STAMP = inRoot('out', '.build.json');
const INPUTS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'electron.vite.config.ts',
  'packages',
  'resources',
];
const MAIN_OUTPUTS = ['out/main/index.js', 'out/preload/index.cjs'].map((file) => inRoot(file));
const OUTPUTS = [...MAIN_OUTPUTS, inRoot('out', 'renderer', 'index.html')];
const BUILD_MS = 5 * 60_000;

/** The build tool's command, a script for Node. */
export const ELECTRON_VITE = inRoot('node_modules', 'electron-vite', 'bin', 'electron-vite.js');

/** Tests go into no bundle, so a change to one needs no build. */
const isInput = (path) => !/\.test\.tsx?$/.test(path);

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A digest of everything that the build reads in this repository. */
export function inputDigest(root = ROOT, inputs = INPUTS) {
  const digest = createHash('sha256');
  for (const file of inputs
    .flatMap((input) => filesBelow(join(root, input)))
    .filter(isInput)
    .sort()) {
    digest
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return digest.digest('hex');
}

/** Builds the app with electron-vite. Returns electron-vite's result; `code` 0 is success. */
export async function build(options = {}) {
  const inputs = inputDigest();
  forgetBuild();
  const result = await runNode(ELECTRON_VITE, ['build'], { cwd: ROOT, timeoutMs: BUILD_MS, ...options });
  const missing = OUTPUTS.filter((file) => !existsSync(file));
  if (result.code === 0 && missing.length > 0) {
    return { ...result, code: 1, output: `${result.output}\nThe build left out ${missing.join(', ')}.` };
  }
  if (result.code === 0) writeStamp(STAMP, { inputs });
  return result;
}

/** Takes the last build away: the output is about to become something else. */
export function forgetBuild() {
  for (const file of [STAMP, ...OUTPUTS]) rmSync(file, { force: true });
}

/** Whether there is something to start, apart from the page, which comes from a server while developing. */
export const isMainBuilt = () => MAIN_OUTPUTS.every((file) => existsSync(file));

/** Builds the app when something that goes into it changed since the last build. */
export async function ensureBuilt(env = {}) {
  const complete = OUTPUTS.every((file) => existsSync(file));
  if (complete && readStamp(STAMP)?.inputs === inputDigest()) return;
  // electron-vite writes beside its configuration, too.
  accessSync(ROOT, constants.W_OK);
  const result = await step('Building the app', () => build({ env: { ...process.env, ...env } }));
  if (result.code !== 0) throw new SetupError(`The app could not be built:\n\n${result.output.trim()}`);
}
