/**
 * What the parts of the stand-in share, so that none of them needs to import all others.
 *
 * @typedef {object} Runtime
 * @property {import('./chromium.mjs').Chromium} chromium
 * @property {string[]} args the command line after the executable, as given
 * @property {Map<string, string>} switches
 * @property {boolean} ready whether `ready` has been emitted
 * @property {'' | 'light' | 'dark'} colorScheme what windows are told to prefer; empty for the system's choice
 */

/** @type {Runtime} */
export const runtime = {
  chromium: /** @type {any} */ (null),
  args: [],
  switches: new Map(),
  ready: false,
  colorScheme: '',
};

/** @param {string} what for the error */
export function requireReady(what) {
  if (!runtime.ready) throw new Error(`${what} can only be received when app is ready`);
}
