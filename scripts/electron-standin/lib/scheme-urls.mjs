/**
 * Chromium can't be taught a new scheme over the DevTools protocol, so `SCHEME://HOST/…` is shown to it as
 * `http://HOST.SCHEME.localhost/…`, which is an origin of its own and a secure context.
 */

/** The page of a window that has loaded nothing: its request is never answered. */
export const BLANK_ORIGIN = 'http://blank.electron-standin.localhost';

/** @type {Set<string>} schemes that the app has registered */
const schemes = new Set();

/** @param {string} scheme */
export function addScheme(scheme) {
  schemes.add(scheme);
}

/** @returns {string[]} */
export const knownSchemes = () => [...schemes];

const appUrl = /^([a-z][a-z0-9-]*):\/\/([^/?#:]*)(:\d+)?/i;
const mappedUrl = /^http:\/\/([^/?#:]+)\.([a-z][a-z0-9-]*)\.localhost(:\d+)?/i;

/**
 * @param {string} url as the app knows it
 * @returns {string} as Chromium knows it
 */
export function toChromiumUrl(url) {
  return url.replace(appUrl, (all, scheme, host, port = '') =>
    schemes.has(scheme.toLowerCase()) ? `http://${host}.${scheme.toLowerCase()}.localhost${port}` : all,
  );
}

/**
 * @param {string} url as Chromium knows it
 * @returns {string} as the app knows it
 */
export function toAppUrl(url) {
  if (url.startsWith(BLANK_ORIGIN)) return '';
  return url.replace(mappedUrl, (all, host, scheme, port = '') =>
    schemes.has(scheme) ? `${scheme}://${host}${port}` : all,
  );
}

/**
 * @param {string} url as the app knows it
 * @returns {string} its origin; for a registered scheme `SCHEME://HOST`, where Node's URL says `null`
 */
export function originOf(url) {
  if (!URL.canParse(url)) return 'null';
  const { protocol, host, origin } = new URL(url);
  if (schemes.has(protocol.slice(0, -1))) return `${protocol}//${host}`;
  return protocol === 'file:' ? 'file://' : origin;
}

/**
 * @param {string} policy a Content-Security-Policy that may name registered schemes
 * @returns {string} the same policy for the mapped origins
 */
export function toChromiumPolicy(policy) {
  return policy.replace(/(?<=[\s,;])([a-z][a-z0-9-]*):(\/\/[^\s;,]*)?/gi, (all, scheme, rest) => {
    if (!schemes.has(scheme.toLowerCase())) return all;
    return rest ? toChromiumUrl(all) : `http://*.${scheme.toLowerCase()}.localhost`;
  });
}
