import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { _electron } from '@playwright/test';

const HERE = import.meta.dirname;
const STANDIN = path.join(HERE, '..');
export const APP = path.join(HERE, 'app');
const LAUNCHER = path.join(STANDIN, '../../node_modules/.bin/electron');

/** @type {(() => unknown)[]} */
const cleanups = [];

/** To be called after each test: ends what it started. */
export async function cleanUp() {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

/** @returns {string} an empty folder, removed after the test */
export function temporaryFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'standin-test-'));
  cleanups.push(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** The environment of a start: the stand-in, and no display unless the test is about one. */
function environment(extra) {
  const { DISPLAY: _display, ...rest } = process.env;
  return { ...rest, ELECTRON_OVERRIDE_DIST_PATH: STANDIN, ...extra };
}

/**
 * Starts an app under Playwright, as the Electron specs do.
 *
 * @param {{ app?: string, args?: string[], env?: Record<string, string>, userData?: string }} [options]
 */
export async function launch({ app = APP, args = [], env = {}, userData = temporaryFolder(), ...options } = {}) {
  // Playwright asks Electron's own package in this process where the executable is.
  process.env.ELECTRON_OVERRIDE_DIST_PATH = STANDIN;
  const electronApp = await _electron.launch({
    args: [app, `--user-data-dir=${userData}`, ...args],
    env: environment(env),
    ...options,
  });
  const main = electronApp.process();
  cleanups.push(() => main.exitCode === null && main.signalCode === null && main.kill('SIGKILL'));
  return electronApp;
}

/**
 * @param {() => unknown} condition
 * @param {string} what for the error
 * @returns {Promise<any>} its first truthy value
 */
export async function until(condition, what) {
  const end = Date.now() + 20_000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Starts an app without Playwright, by Electron's own launcher or straight.
 *
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, throughLauncher?: boolean, cwd?: string }} [options]
 */
export function start(args, { env = {}, throughLauncher = false, cwd } = {}) {
  const command = throughLauncher ? LAUNCHER : path.join(STANDIN, 'electron');
  const child = spawn(command, args, { env: environment(env), cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const run = {
    child,
    stdout: '',
    stderr: '',
    /** @type {Promise<{ code: number | null, signal: string | null }>} */
    ended: new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal }))),
    /** @param {string} text */
    says: (text) => until(() => run.stdout.includes(text), `${text}; it said: ${run.stdout}${run.stderr}`),
  };
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    run.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    run.stderr += chunk;
  });
  cleanups.push(() => child.kill('SIGKILL'));
  return run;
}

/**
 * Starts a main script of a few lines; `electron` is imported as a whole and `say` writes a line.
 *
 * @param {string} source
 * @param {Parameters<typeof start>[1] & { args?: string[], userData?: string }} [options]
 */
export function startScript(source, { args = [], userData = temporaryFolder(), ...options } = {}) {
  const file = path.join(temporaryFolder(), 'main.mjs');
  const prelude = `import * as electron from 'electron';
const { app, BrowserWindow } = electron;
const say = (...words) => process.stdout.write(words.join(' ') + '\\n');
`;
  fs.writeFileSync(file, prelude + source);
  return start([file, `--user-data-dir=${userData}`, ...args], options);
}

/**
 * @param {number} pid of a main process
 * @returns {{ chromiums: number[], profiles: string[] }} what of it is left
 */
export function leftovers(pid) {
  const prefix = `electron-standin-${pid}-`;
  const chromiums = fs.readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(prefix);
    } catch {
      return false;
    }
  });
  const profiles = fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith(prefix));
  return { chromiums: chromiums.map(Number), profiles };
}
