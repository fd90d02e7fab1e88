import { runtime } from './runtime.mjs';
import { originOf, toChromiumUrl } from './scheme-urls.mjs';
import { defaultSession } from './session.mjs';

/** Chromium's names and the names under which Electron asks for them. */
const PERMISSIONS = [
  ['geolocation', 'geolocation'],
  ['notifications', 'notifications'],
  ['camera', 'media'],
  ['microphone', 'media'],
  ['clipboard-read', 'clipboard-read'],
  ['clipboard-write', 'clipboard-sanitized-write'],
  ['midi', 'midi'],
  ['idle-detection', 'idle-detection'],
  ['window-management', 'window-management'],
  ['storage-access', 'storage-access'],
  ['top-level-storage-access', 'top-level-storage-access'],
  ['display-capture', 'display-capture'],
  ['pointer-lock', 'pointerLock'],
  ['keyboard-lock', 'keyboardLock'],
  ['speaker-selection', 'speaker-selection'],
];

/** @type {Map<string, unknown>} the handlers with which each origin was last decided */
const decided = new Map();

/**
 * Sets Chromium's permissions for a page to what the app's handlers say. The protocol reports no requests, so the
 * handlers are asked when a page of a new origin is about to load, once for each permission.
 *
 * @param {import('./web-contents.mjs').WebContents} contents
 * @param {string} url
 */
export async function applyPermissions(contents, url) {
  if (!/^(https?|file):/.test(toChromiumUrl(url))) return;
  const origin = originOf(url);
  const handlers = defaultSession.standin.permissionHandlers;
  if (decided.get(origin) === handlers) return;
  decided.set(origin, handlers);
  const answers = new Map();
  for (const name of new Set(PERMISSIONS.map(([, electronName]) => electronName))) {
    answers.set(name, isAllowed(handlers, contents, name, origin, url));
  }
  await Promise.all(
    PERMISSIONS.map(async ([name, electronName]) =>
      runtime.chromium.connection
        .send('Browser.setPermission', {
          permission: { name },
          setting: (await answers.get(electronName)) ? 'granted' : 'denied',
          ...(origin === 'file://' ? {} : { origin: toChromiumUrl(origin) }),
        })
        // Another version of Chromium may not know one of the names.
        .catch(() => {}),
    ),
  );
}

/**
 * @param {{ request: Function | null, check: Function | null }} handlers
 * @param {import('./web-contents.mjs').WebContents} contents
 * @param {string} permission
 * @param {string} origin
 * @param {string} requestingUrl
 * @returns {Promise<boolean>} Electron grants everything when nobody says otherwise
 */
async function isAllowed({ request, check }, contents, permission, origin, requestingUrl) {
  const details = { requestingUrl, isMainFrame: true, securityOrigin: origin, mediaTypes: [] };
  if (check && !check(contents, permission, origin, details)) return false;
  if (!request) return true;
  return new Promise((resolve) => request(contents, permission, resolve, details));
}
