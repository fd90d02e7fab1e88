import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createEvent } from './events.mjs';
import { Lifecycle } from './lifecycle.mjs';
import { note } from './log.mjs';
import { notEmulated, refuseMissing, refusingEmitter } from './not-emulated.mjs';
import { runtime } from './runtime.mjs';
import { SingleInstance } from './single-instance.mjs';

/** Folders of the desktop that `xdg-user-dir` knows. */
const XDG_NAMES = { desktop: 'DESKTOP', documents: 'DOCUMENTS', downloads: 'DOWNLOAD' };
Object.assign(XDG_NAMES, { music: 'MUSIC', pictures: 'PICTURES', videos: 'VIDEOS' });

const COMMAND_LINE = refuseMissing('app.commandLine', {
  /**
   * @param {string} name
   * @param {string} [value]
   */
  appendSwitch(name, value = '') {
    runtime.switches.set(name.toLowerCase(), value);
  },
  /** @param {string} name */
  hasSwitch: (name) => runtime.switches.has(name.toLowerCase()),
  /** @param {string} name */
  getSwitchValue: (name) => runtime.switches.get(name.toLowerCase()) ?? '',
  /** @param {string} name */
  removeSwitch(name) {
    runtime.switches.delete(name.toLowerCase());
  },
  appendArgument() {},
});

/** Electron's `app`. */
export class App extends refusingEmitter('app') {
  /** @type {Map<string, string>} */
  #paths = new Map();
  #singleInstance = new SingleInstance();
  #name = 'Electron';
  #version;
  #appPath = process.cwd();

  commandLine = COMMAND_LINE;
  isPackaged = false;

  /** @param {string} electronVersion what `getVersion` says for an app without a package.json */
  constructor(electronVersion) {
    super();
    this.#version = electronVersion;
    /** For the stand-in's own parts. */
    this.standin = {
      lifecycle: new Lifecycle(this),
      /**
       * What Electron's launcher reads from the app's folder.
       *
       * @param {{ appPath: string, name?: string, version?: string }} identity
       */
      identify: ({ appPath, name, version }) => {
        this.#appPath = appPath;
        if (name) this.#name = name;
        if (version) this.#version = version;
      },
    };
    Object.defineProperty(this, 'standin', { enumerable: false });
  }

  get name() {
    return this.#name;
  }
  set name(name) {
    this.#name = name;
  }
  getName() {
    return this.#name;
  }
  /** @param {string} name */
  setName(name) {
    this.#name = name;
  }
  getVersion() {
    return this.#version;
  }
  getAppPath() {
    return this.#appPath;
  }
  getLocale() {
    return runtime.ready ? this.#locale() : '';
  }
  getSystemLocale() {
    return this.#locale();
  }
  getPreferredSystemLanguages() {
    return [this.#locale()];
  }
  #locale() {
    return runtime.switches.get('lang') || Intl.DateTimeFormat().resolvedOptions().locale;
  }

  isReady() {
    return runtime.ready;
  }
  whenReady() {
    return this.standin.lifecycle.whenReady();
  }
  quit() {
    this.standin.lifecycle.quit();
  }
  /** @param {number} [code] */
  exit(code) {
    this.standin.lifecycle.exit(code);
  }
  relaunch() {
    throw notEmulated('app.relaunch');
  }
  focus() {
    this.standin.lifecycle.windows()[0]?.focus();
  }
  setAppUserModelId() {}
  setDesktopName() {}
  setAboutPanelOptions() {}
  showAboutPanel() {
    note('the about panel would open');
  }
  /** Only counts for Electron's own sandbox; Chromium's is on unless root runs it. */
  enableSandbox() {}

  /** @param {unknown} [additionalData] */
  requestSingleInstanceLock(additionalData) {
    const message = {
      argv: [process.execPath, ...runtime.args],
      workingDirectory: process.cwd(),
      additionalData: additionalData === undefined ? null : additionalData,
    };
    return this.#singleInstance.request(this.getPath('userData'), message, (second) => {
      // Electron keeps it until the app is ready.
      void this.standin.lifecycle.whenReady().then(() => {
        this.emit('second-instance', createEvent(), second.argv, second.workingDirectory, second.additionalData);
      });
    });
  }
  hasSingleInstanceLock() {
    return this.#singleInstance.held();
  }
  releaseSingleInstanceLock() {
    this.#singleInstance.release();
  }

  /**
   * @param {string} name
   * @returns {string}
   */
  getPath(name) {
    const set = this.#paths.get(name);
    if (set) return set;
    switch (name) {
      case 'home':
        return os.homedir();
      case 'appData':
        return process.env.XDG_CONFIG_HOME || path.join(os.homedir(), '.config');
      case 'userData':
        return this.#userData();
      case 'sessionData':
        return this.getPath('userData');
      case 'logs': {
        const folder = path.join(this.getPath('userData'), 'logs');
        fs.mkdirSync(folder, { recursive: true });
        return folder;
      }
      case 'temp':
        return os.tmpdir();
      case 'exe':
      case 'module':
        return process.execPath;
      case 'crashDumps':
        return path.join(this.getPath('userData'), 'Crashpad');
      case 'assets':
        return process.resourcesPath;
      default:
        if (Object.hasOwn(XDG_NAMES, name)) return this.#desktopFolder(/** @type {keyof XDG_NAMES} */ (name));
        throw new Error(`Failed to get '${name}' path`);
    }
  }

  #userData() {
    const given = runtime.switches.get('user-data-dir');
    return given ? path.resolve(given) : path.join(this.getPath('appData'), this.#name);
  }

  /** @param {keyof typeof XDG_NAMES} name */
  #desktopFolder(name) {
    try {
      return execFileSync('xdg-user-dir', [XDG_NAMES[name]], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    } catch {
      return path.join(os.homedir(), name[0].toUpperCase() + name.slice(1));
    }
  }

  /**
   * @param {string} name
   * @param {string} folder absolute
   */
  setPath(name, folder) {
    if (!path.isAbsolute(folder)) throw new Error('Path must be absolute');
    // Throws for a name that Electron doesn't know.
    this.getPath(name);
    if (name === 'userData' || name === 'sessionData') fs.mkdirSync(folder, { recursive: true });
    this.#paths.set(name, folder);
  }

  /** @param {string} [folder] */
  setAppLogsPath(folder) {
    const logs = folder ?? path.join(this.getPath('userData'), 'logs');
    fs.mkdirSync(logs, { recursive: true });
    this.#paths.set('logs', logs);
  }
}
