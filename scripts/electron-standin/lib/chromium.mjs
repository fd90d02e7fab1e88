import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CdpConnection } from './cdp.mjs';
import { findChromium, isHeadlessShell } from './find-chromium.mjs';
import { note } from './log.mjs';

/**
 * Has the kernel end a program when the one that started it ends. Chromium sees that its pipe closes, but the headless shell
 * has been seen to stay all the same.
 */
const WITH_PARENT = fs.existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL', '--'] : [];
const PROFILE_PREFIX = 'electron-standin-';
const STUBS = path.join(import.meta.dirname, '..', 'stubs');

/** The size of the only display when there is none. */
export const HEADLESS_DISPLAY = { width: 1920, height: 1080 };

/** Switches of the app's command line that mean the same to Chromium. Playwright's own are set below anyway. */
const PASSED_ON = ['lang', 'force-device-scale-factor', 'proxy-server', 'proxy-bypass-list', 'host-resolver-rules'];

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-breakpad',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-hang-monitor',
  '--disable-ipc-flooding-protection',
  '--disable-prompt-on-repost',
  '--disable-renderer-backgrounding',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--disable-infobars',
  '--force-color-profile=srgb',
  '--hide-crash-restore-bubble',
  '--metrics-recording-only',
  '--password-store=basic',
  // An upgrade to HTTPS would show as a second navigation, which Electron doesn't do. The omnibox's pop-ups are two pages
  // of a renderer of their own for each window, and a spare renderer waits for a site that no window goes to.
  `--disable-features=${[
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'MediaRouter',
    'OptimizationHints',
    'PaintHolding',
    'SpareRendererForSitePerProcess',
    'Translate',
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxPopup',
  ]}`,
];

/**
 * @param {number} pid
 * @returns {string | null} when that process was started, in clock ticks since boot; null when it isn't running
 */
function startTime(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return null;
  }
}

/** Removes the profile folders of mains that were killed. */
export async function sweepLeftovers() {
  const names = await fs.promises.readdir(os.tmpdir());
  for (const name of names) {
    const [, pid, started] = /^electron-standin-(\d+)-(\d+)-/.exec(name) ?? [];
    if (!pid || startTime(Number(pid)) === started) continue;
    // Its Chromium may still be on the way out; the next start tries again.
    await fs.promises.rm(path.join(os.tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}

/**
 * A running Chromium with a profile of its own. It ends when this process does, however that happens, because its
 * debugging pipe closes.
 */
export class Chromium {
  #process;
  #profile;
  #executable;
  #flags;
  /** @type {PromiseWithResolvers<string>} */
  #devtoolsLine = Promise.withResolvers();

  /** Chromium's own, known once it has answered. */
  version = '';

  /** Says why, once Chromium has ended. */
  exited = '';

  /** Whether windows can be seen: there is a display, and CHROMIUM_PATH names no headless shell. */
  headed;

  /** Whether this is the headless shell, whose windows are nothing but page and have none before their first document. */
  isShell;

  /**
   * @param {Map<string, string>} switches the app's command line
   * @throws {Error} when there is no Chromium, saying what to do
   */
  constructor(switches) {
    const executable = findChromium(Boolean(process.env.DISPLAY));
    if (!executable) {
      throw new Error('No Chromium was found. Install the package "chromium", or set CHROMIUM_PATH to its executable.');
    }
    this.#executable = executable;
    this.isShell = isHeadlessShell(executable);
    this.headed = Boolean(process.env.DISPLAY) && !this.isShell;
    const owner = `${PROFILE_PREFIX}${process.pid}-${startTime(process.pid)}-`;
    this.#profile = fs.mkdtempSync(path.join(os.tmpdir(), owner));
    this.#flags = [`--user-data-dir=${this.#profile}`, ...FLAGS];
    if (process.getuid?.() === 0 || switches.has('no-sandbox')) this.#flags.push('--no-sandbox');
    for (const name of PASSED_ON) {
      if (switches.has(name)) this.#flags.push(`--${name}=${switches.get(name)}`);
    }
    if (!this.headed) {
      const { width, height } = HEADLESS_DISPLAY;
      this.#flags.push('--headless=new', `--screen-info={${width}x${height}}`);
    }
    const args = [...this.#flags, '--no-startup-window', '--remote-debugging-pipe'];
    const port = switches.get('remote-debugging-port');
    if (port !== undefined) args.push(`--remote-debugging-port=${port || 0}`);
    // A process group of its own: Ctrl-C in the terminal is for the app, which may take its time.
    const [command, ...first] = [...WITH_PARENT, this.#executable];
    this.#process = spawn(command, [...first, ...args], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      env: this.#environment(),
    });
    const [, , stderr, toChromium, fromChromium] = this.#process.stdio;
    this.connection = new CdpConnection(/** @type {any} */ (toChromium), /** @type {any} */ (fromChromium));
    this.#readErrors(/** @type {import('node:stream').Readable} */ (stderr));
  }

  #environment() {
    return { ...process.env, PATH: `${STUBS}:${process.env.PATH}`, NODE_OPTIONS: '' };
  }

  /** @param {import('node:stream').Readable} stderr */
  #readErrors(stderr) {
    const verbose = Boolean(process.env.ELECTRON_ENABLE_LOGGING);
    let tail = '';
    let text = '';
    stderr.setEncoding('utf8').on('data', (chunk) => {
      tail = (tail + chunk).slice(-2000);
      if (verbose) process.stderr.write(chunk);
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('DevTools listening on ')) this.#devtoolsLine.resolve(line);
        // Chromium itself is chatty; only the stubs speak to the user.
        else if (line.startsWith('[electron-standin]') && !verbose) process.stderr.write(`${line}\n`);
      }
    });
    this.#process.on('error', (error) => note(`Chromium could not be started: ${error.message}`));
    this.#process.on('exit', (code, signal) => {
      this.exited = `Chromium ended (${signal ?? `exit code ${code}`}). Its last lines:\n${tail}`;
    });
  }

  async readVersion() {
    const { product } = await this.connection.send('Browser.getVersion');
    this.version = product.slice(product.indexOf('/') + 1);
  }

  get pid() {
    return /** @type {number} */ (this.#process.pid);
  }

  /** @returns {Promise<string>} Chromium's `DevTools listening on ws://…` line, when a port was asked for */
  devtoolsLine() {
    return this.#devtoolsLine.promise;
  }

  /**
   * Has the running Chromium open one more window without tabs and address bar. Needs a display.
   *
   * @param {string} url
   */
  openAppWindow(url) {
    // A second process hands its command line to the first one, which has the profile, and ends.
    spawn(this.#executable, [...this.#flags, `--app=${url}`], {
      detached: true,
      stdio: 'ignore',
      env: this.#environment(),
    }).on('error', (error) => note(`A window could not be opened: ${error.message}`));
  }

  /** Ends Chromium and removes its profile. Synchronous, for use while this process exits. */
  destroy() {
    try {
      process.kill(-(/** @type {number} */ (this.#process.pid)), 'SIGKILL');
    } catch {
      // It is gone already.
    }
    try {
      fs.rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    } catch {
      // A straggler still writes: the next start sweeps.
    }
  }
}
