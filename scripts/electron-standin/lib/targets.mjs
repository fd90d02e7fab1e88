import { runtime } from './runtime.mjs';
import { BLANK_ORIGIN } from './scheme-urls.mjs';
import { WebContents } from './web-contents.mjs';

let lastWindow = 0;
/** @type {Map<string, (target: { targetId: string, session: import('./cdp.mjs').CdpSession }) => void>} by blank URL */
const awaited = new Map();

/** Attaches to every page that Chromium opens, before it runs anything. */
export async function followTargets() {
  const { connection } = runtime.chromium;
  connection.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const session = connection.session(sessionId);
    const resolve = awaited.get(targetInfo.url);
    awaited.delete(targetInfo.url);
    if (resolve) resolve({ targetId: targetInfo.targetId, session });
    else if (targetInfo.openerId) void refusePopup(targetInfo);
  });
  connection.on('Target.detachedFromTarget', ({ sessionId, targetId }) => {
    connection.forget(sessionId);
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
 * @returns {Promise<{ targetId: string, session: import('./cdp.mjs').CdpSession }>}
 */
export async function openTarget({ width, height }) {
  const { chromium } = runtime;
  const url = `${BLANK_ORIGIN}/?${++lastWindow}`;
  const attached = new Promise((resolve) => awaited.set(url, resolve));
  if (chromium.headed) chromium.openAppWindow(url);
  else await chromium.connection.send('Target.createTarget', { url, newWindow: true, width, height });
  return attached;
}
