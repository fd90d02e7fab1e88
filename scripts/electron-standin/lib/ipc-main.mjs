import { createEvent } from './events.mjs';
import { refuseMissing, refusingEmitter } from './not-emulated.mjs';

/** @param {object} sender */
const ipcEvent = (sender) => refuseMissing('event', createEvent(sender));

/** Electron's `ipcMain`. */
export class IpcMain extends refusingEmitter('ipcMain') {
  /** @type {Map<string, (event: object, ...args: unknown[]) => unknown>} */
  #handlers = new Map();

  constructor() {
    super();
    // Electron never treats a channel called `error` as an error.
    this.on('error', () => {});
    Object.defineProperty(this, 'standin', { enumerable: false });
  }

  /**
   * @param {string} channel
   * @param {(event: any, ...args: any[]) => unknown} handler
   */
  handle(channel, handler) {
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    if (typeof handler !== 'function') {
      throw new TypeError(`Expected handler to be a function, but found type '${typeof handler}'`);
    }
    this.#handlers.set(channel, handler);
  }

  /**
   * @param {string} channel
   * @param {(event: any, ...args: any[]) => unknown} handler
   */
  handleOnce(channel, handler) {
    this.handle(channel, (event, ...args) => {
      this.removeHandler(channel);
      return handler(event, ...args);
    });
  }

  /** @param {string} channel */
  removeHandler(channel) {
    this.#handlers.delete(channel);
  }

  /** For the stand-in's own parts. */
  standin = {
    /**
     * Answers an `ipcRenderer.invoke`.
     *
     * @param {object} sender what the event carries
     * @param {string} channel
     * @param {unknown[]} args
     * @param {(result: unknown) => void} reply throws for what can't be cloned
     * @param {(error: string) => void} fail
     */
    invoked: async (sender, channel, args, reply, fail) => {
      try {
        const handler = this.#handlers.get(channel);
        if (!handler) throw new Error(`No handler registered for '${channel}'`);
        reply(await handler(ipcEvent(sender), ...args));
      } catch (error) {
        console.error(`Error occurred in handler for '${channel}':`, error);
        fail(String(error));
      }
    },

    /**
     * Delivers an `ipcRenderer.send`.
     *
     * @param {object} sender what the event carries
     * @param {string} channel
     * @param {unknown[]} args
     */
    sent: (sender, channel, args) => this.emit(channel, ipcEvent(sender), ...args),
  };
}

export const ipcMain = new IpcMain();
