/**
 * What the stand-in does in a page's own world: it receives what the preload exposes, and it replaces `window.open`,
 * since Chromium would open the window before anyone could refuse it. Self-contained: its source runs in the renderer.
 *
 * @param {any} bridge
 */
export function setUpMainWorld(bridge) {
  const freezeDeep = (value) => {
    if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value))
      return value;
    Object.freeze(value);
    for (const child of Object.values(value)) freezeDeep(child);
    return value;
  };
  bridge.services.expose = ({ key, api }) => {
    if (key in window) throw new Error('Cannot bind an API on top of an existing property on the window object');
    const value = freezeDeep(bridge.fromTree(api));
    Object.defineProperty(window, key, { value, enumerable: true, writable: false, configurable: false });
  };

  const originalOpen = window.open;
  const open = (url, target, features) => {
    const frameName = target === undefined ? '' : String(target);
    const here = ['_self', '_top', '_parent'].includes(frameName.toLowerCase());
    if (here) return Reflect.apply(originalOpen, window, [url, target, features]);
    const address = url === undefined || url === '' ? 'about:blank' : new URL(url, document.baseURI).href;
    const disposition = features ? 'new-window' : 'foreground-tab';
    bridge.request('open', { url: address, frameName, features: String(features ?? ''), disposition });
    return null;
  };
  window.open = open;
}
