import { standinFetch } from './net.mjs';
import { notEmulated, refuseMissing } from './not-emulated.mjs';
import { protocol } from './protocol.mjs';
import { proxyFor } from './proxy.mjs';
import { requireReady, runtime } from './runtime.mjs';
import { onHeadersReceived } from './web-request.mjs';

/** Electron's `Session`; there is only the default one. */
export class Session {
  #preloads = [];

  standin = {
    /** A new object at each change, so that an origin's earlier decision is known to be stale. */
    permissionHandlers: { request: null, check: null },
    /** @returns {{ id: string, type: string, filePath: string }[]} */
    preloads: () => this.#preloads,
  };
  spellCheckerEnabled = true;
  protocol = protocol;
  webRequest = refuseMissing('session.webRequest', { onHeadersReceived });

  constructor() {
    Object.defineProperty(this, 'standin', { enumerable: false });
  }

  /** @param {Function | null} handler */
  setPermissionRequestHandler(handler) {
    this.standin.permissionHandlers = { ...this.standin.permissionHandlers, request: handler };
  }
  /** @param {Function | null} handler */
  setPermissionCheckHandler(handler) {
    this.standin.permissionHandlers = { ...this.standin.permissionHandlers, check: handler };
  }
  /** Devices can't be asked for over the protocol at all. */
  setDevicePermissionHandler() {}
  setDisplayMediaRequestHandler() {}
  /** @param {boolean} enable */
  setSpellCheckerEnabled(enable) {
    this.spellCheckerEnabled = enable;
  }
  isSpellCheckerEnabled() {
    return this.spellCheckerEnabled;
  }
  setSpellCheckerLanguages() {}

  /** @param {{ id?: string, type: string, filePath: string }} script */
  registerPreloadScript(script) {
    const id = script.id ?? crypto.randomUUID();
    if (this.#preloads.some((preload) => preload.id === id)) {
      throw new Error(`Cannot register preload script with existing ID '${id}'`);
    }
    this.#preloads.push({ ...script, id });
    return id;
  }
  /** @param {string} id */
  unregisterPreloadScript(id) {
    this.#preloads = this.#preloads.filter((preload) => preload.id !== id);
  }
  getPreloadScripts() {
    return this.#preloads.map((preload) => ({ ...preload }));
  }

  /**
   * @param {string} url
   * @returns {Promise<string>} in the words of a PAC file
   */
  async resolveProxy(url) {
    const proxy = proxyFor(url);
    if (!proxy) return 'DIRECT';
    const [scheme, host] = proxy.split('://');
    return `${{ http: 'PROXY', socks4: 'SOCKS' }[scheme] ?? scheme.toUpperCase()} ${host}`;
  }
  /**
   * @param {string | Request | URL} input
   * @param {RequestInit} [init]
   */
  fetch(input, init) {
    return standinFetch(input, init);
  }
  async clearCache() {
    await runtime.chromium.connection.send('Storage.clearCookies').catch(() => {});
  }
  async clearStorageData() {
    await runtime.chromium.connection.send('Storage.clearCookies');
  }
  /** The profile is a temporary one, so there is nothing to flush. */
  flushStorageData() {}
  isPersistent() {
    return true;
  }
  async closeAllConnections() {}
}
refuseMissing('session', Session.prototype);

export const defaultSession = new Session();

/** Electron's `session` module. */
export const session = refuseMissing('session', {
  get defaultSession() {
    requireReady('Session');
    return defaultSession;
  },
  fromPartition() {
    throw notEmulated('session.fromPartition');
  },
});
