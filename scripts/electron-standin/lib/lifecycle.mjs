import { createEvent } from './events.mjs';
import { runtime } from './runtime.mjs';

/**
 * The order of starting and quitting, as in Electron's browser process: `before-quit`, then each window's `close`,
 * `closed` as they go, `will-quit` and `quit`; any of the first three may call it off.
 */
export class Lifecycle {
  #app;
  #quitting = false;
  #exiting = false;
  #shutDown = false;
  #exitCode = 0;
  #running = false;
  #ready = Promise.withResolvers();
  /** @type {Set<import('./browser-window.mjs').BrowserWindow>} */
  #windows = new Set();

  /** @param {import('./app.mjs').App} app */
  constructor(app) {
    this.#app = app;
  }

  /** @returns {import('./browser-window.mjs').BrowserWindow[]} */
  windows() {
    return [...this.#windows];
  }

  /** Whether the end has begun for good. */
  get shutDown() {
    return this.#shutDown;
  }

  /** @returns {Promise<void>} */
  whenReady() {
    return this.#ready.promise;
  }

  /** Emits `ready`; an app that has quit before ends now, as there is a message loop to end. */
  start() {
    runtime.ready = true;
    this.#running = true;
    this.#ready.resolve(undefined);
    this.#app.emit('will-finish-launching');
    this.#app.emit('ready', createEvent(), {});
    if (this.#shutDown) setImmediate(() => this.#end());
  }

  /** @param {import('./browser-window.mjs').BrowserWindow} window */
  windowOpened(window) {
    this.#windows.add(window);
  }

  /** @param {import('./browser-window.mjs').BrowserWindow} window */
  windowClosed(window) {
    if (!this.#windows.delete(window) || this.#windows.size > 0) return;
    if (this.#exiting) this.#finish();
    else if (this.#quitting) this.#notifyAndFinish();
    else if (this.#app.listenerCount('window-all-closed') > 0) this.#app.emit('window-all-closed');
    else this.quit();
  }

  /** A `close` listener kept its window, so the app stays too. */
  windowKept() {
    this.#quitting = false;
  }

  quit() {
    if (this.#quitting) return;
    const event = createEvent();
    this.#app.emit('before-quit', event);
    if (event.defaultPrevented) return;
    this.#quitting = true;
    if (this.#windows.size === 0) this.#notifyAndFinish();
    else for (const window of this.windows()) window.close();
  }

  /**
   * Ends without asking anyone: windows are destroyed, `quit` is the only event of the app.
   *
   * @param {number} [code]
   */
  exit(code = 0) {
    this.#exitCode = code;
    // Without a message loop Electron calls exit(3), and JavaScript hears nothing of it.
    if (!this.#running) this.#end();
    this.#quitting = true;
    this.#exiting = true;
    if (this.#windows.size === 0) this.#finish();
    else for (const window of this.windows()) window.destroy();
  }

  #notifyAndFinish() {
    if (this.#shutDown) return;
    const event = createEvent();
    this.#app.emit('will-quit', event);
    if (event.defaultPrevented) this.#quitting = false;
    else this.#finish();
  }

  #finish() {
    if (this.#shutDown) return;
    this.#shutDown = true;
    this.#quitting = true;
    try {
      // Electron's own first listener of `quit` does this, so it comes before the app's listeners.
      process.emit('exit', this.#exitCode);
      this.#app.emit('quit', createEvent(), this.#exitCode);
    } finally {
      if (this.#running) setImmediate(() => this.#end());
    }
  }

  /** @returns {never} */
  #end() {
    runtime.chromium.destroy();
    return process.reallyExit(this.#exitCode);
  }
}
