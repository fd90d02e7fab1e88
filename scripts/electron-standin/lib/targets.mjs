import { runtime } from './runtime.mjs';
import { BLANK_ORIGIN } from './scheme-urls.mjs';
import { WebContents } from './web-contents.mjs';

let lastWindow = 0;
/** @typedef {{ targetId: string, session: import('./cdp.mjs').CdpSession }} Target */
/** @type {Map<string, (target: Target) => void>} who waits for a page, by its id or its blank URL */
const awaited = new Map();
/** @type {Map<string, Target>} pages by their id that came before anyone knew it */
const early = new Map();

/** Attaches to every page that Chromium opens, before it runs anything. */
export async function followTargets() {
  const { connection } = runtime.chromium;
  connection.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const { targetId, url, openerId } = targetInfo;
    const target = { targetId, session: connection.session(sessionId) };
    const key = [targetId, url].find((each) => awaited.has(each));
    if (key !== undefined) {
      awaited.get(key)?.(target);
      awaited.delete(key);
    } else if (openerId) void refusePopup(targetInfo);
    else early.set(targetId, target);
  });
  connection.on('Target.detachedFromTarget', ({ sessionId, targetId }) => {
    connection.forget(sessionId);
    early.delete(targetId);
    WebContents.fromDevToolsTargetId(targetId)?.standin.owner.standin.gone();
  });
  connection.on('Target.targetCrashed', ({ targetId, status, errorCode }) => {
    WebContents.fromDevToolsTargetId(targetId)?.standin.crashed(status, errorCode);
  });
  await Promise.all([
    connection.send('Target.setDiscoverTargets', { discover: true }),
    connection.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'page' }, { exclude: true }],
    }),
  ]);
}

/**
 * Closes a window that a page opened past the stand-in's `window.open` (by a form, say), before it loads anything, and
 * has the app decide about its address.
 *
 * @param {{ targetId: string, openerId: string }} targetInfo
 */
async function refusePopup({ targetId, openerId }) {
  await runtime.chromium.connection.send('Target.closeTarget', { targetId }).catch(() => {});
  WebContents.fromDevToolsTargetId(openerId)?.standin.popupRefused();
}

/**
 * Opens an empty page in a window of its own. Its first request is never answered, so it counts as not having loaded
 * anything, as in Electron.
 *
 * @param {{ width: number, height: number }} size
 * @returns {Promise<Target>}
 */
export async function openTarget({ width, height }) {
  const { chromium } = runtime;
  const url = `${BLANK_ORIGIN}/?${++lastWindow}`;
  if (chromium.headed) {
    chromium.openAppWindow(url);
    return attachedTo(url);
  }
  const { targetId } = await chromium.connection.send('Target.createTarget', { url, newWindow: true, width, height });
  return attachedTo(targetId);
}

/** @param {string} key the page's id or blank URL @returns {Promise<Target>} */
async function attachedTo(key) {
  const target = early.get(key);
  early.delete(key);
  return target ?? new Promise((resolve) => awaited.set(key, resolve));
}
