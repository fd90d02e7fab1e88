/**
 * The preload's world: Electron's renderer API for a sandboxed preload, over the binding to main. Self-contained: its
 * source runs in the renderer.
 *
 * @param {{ codec: any, bridge: any, post(message: string): void, deliver: string, process: any }} options `deliver`
 *   is the global name under which main calls in
 * @returns {(preload: Function, file: string) => void} runs a preload
 */
export function setUpIsolatedWorld({ codec, bridge, post, deliver, process: processInfo }) {
  const postMessage = (message) => post(JSON.stringify(message));
  const notEmulated = (name) => new Error(`not emulated: ${name}`);
  const refuseMissing = (owner, object) =>
    new Proxy(object, {
      get(target, key, receiver) {
        if (key in target || typeof key === 'symbol' || ['then', 'toJSON', 'default', '__esModule'].includes(key)) {
          return Reflect.get(target, key, receiver);
        }
        throw notEmulated(`${owner}.${key}`);
      },
    });

  class EventEmitter {
    #listeners = new Map();
    #add(name, listener, once, first) {
      if (typeof listener !== 'function') throw new TypeError('The "listener" argument must be of type function.');
      const entry = { listener, once };
      const entries = this.#listeners.get(name) ?? [];
      this.#listeners.set(name, first ? [entry, ...entries] : [...entries, entry]);
      return this;
    }
    on = (name, listener) => this.#add(name, listener, false, false);
    addListener = this.on;
    once = (name, listener) => this.#add(name, listener, true, false);
    prependListener = (name, listener) => this.#add(name, listener, false, true);
    prependOnceListener = (name, listener) => this.#add(name, listener, true, true);
    off = (name, listener) => {
      const entries = this.#listeners.get(name) ?? [];
      const index = entries.findLastIndex((entry) => entry.listener === listener);
      if (index >= 0) this.#listeners.set(name, entries.toSpliced(index, 1));
      return this;
    };
    removeListener = this.off;
    removeAllListeners = (name) => {
      if (name === undefined) this.#listeners.clear();
      else this.#listeners.delete(name);
      return this;
    };
    emit = (name, ...args) => {
      const entries = this.#listeners.get(name) ?? [];
      for (const { listener, once } of entries) {
        if (once) this.off(name, listener);
        Reflect.apply(listener, this, args);
      }
      return entries.length > 0;
    };
    listeners = (name) => (this.#listeners.get(name) ?? []).map(({ listener }) => listener);
    listenerCount = (name) => this.listeners(name).length;
    eventNames = () => [...this.#listeners.keys()].filter((name) => this.listenerCount(name) > 0);
    setMaxListeners = () => this;
  }

  const ipcRenderer = new EventEmitter();
  const replies = new Map();
  let lastInvoke = 0;
  const checkChannel = (channel) => {
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument');
  };
  ipcRenderer.send = (channel, ...args) => {
    checkChannel(channel);
    postMessage({ type: 'send', channel, args: codec.encode(args) });
  };
  ipcRenderer.invoke = async (channel, ...args) => {
    checkChannel(channel);
    const id = ++lastInvoke;
    const reply = Promise.withResolvers();
    postMessage({ type: 'invoke', id, channel, args: codec.encode(args) });
    replies.set(id, reply);
    const { error, result } = await reply.promise;
    if (error !== undefined) throw new Error(`Error invoking remote method '${channel}': ${error}`);
    return codec.decode(result);
  };

  Object.defineProperty(globalThis, deliver, {
    value: (text) => {
      const message = JSON.parse(text);
      if (message.type === 'reply') {
        replies.get(message.id)?.resolve(message);
        replies.delete(message.id);
      } else {
        const event = { sender: ipcRenderer, ports: [], preventDefault() {}, defaultPrevented: false };
        ipcRenderer.emit(message.channel, event, ...codec.decode(message.args));
      }
    },
  });

  const contextBridge = {
    exposeInMainWorld(key, api) {
      bridge.request('expose', { key, api: bridge.toTree(api) });
    },
  };
  const electron = refuseMissing('electron', {
    ipcRenderer: refuseMissing('ipcRenderer', ipcRenderer),
    contextBridge: refuseMissing('contextBridge', contextBridge),
  });

  const processEvents = new EventEmitter();
  const preloadProcess = refuseMissing(
    'process',
    Object.assign(processEvents, processInfo, {
      type: 'renderer',
      sandboxed: true,
      contextIsolated: true,
      isMainFrame: true,
      nextTick: (callback, ...args) => queueMicrotask(() => callback(...args)),
      uptime: () => performance.now() / 1000,
    }),
  );

  const timers = { setTimeout, clearTimeout, setInterval, clearInterval };
  const setImmediate = (callback, ...args) => setTimeout(callback, 0, ...args);
  Object.assign(timers, { setImmediate, clearImmediate: clearTimeout });
  const modules = {
    electron,
    'electron/renderer': electron,
    'electron/common': electron,
    events: Object.assign(EventEmitter, { EventEmitter }),
    timers: refuseMissing('timers', timers),
    url: refuseMissing('url', { URL, URLSearchParams }),
  };
  const require = (name) => {
    const plain = String(name).replace(/^node:/, '');
    if (Object.hasOwn(modules, plain)) return modules[plain];
    throw new Error(`module not found: ${name}`);
  };

  bridge.services.open = (details) => postMessage({ type: 'open', details });
  const openFromLink = (event) => {
    if (event.defaultPrevented || event.button > 1) return;
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.href);
    if (!link) return;
    const apart = event.ctrlKey || event.metaKey || event.button === 1;
    const target = link.target || document.querySelector('base[target]')?.target || '';
    const here = ['', '_self', '_top', '_parent'].includes(target.toLowerCase());
    if (!apart && !event.shiftKey && here) return;
    event.preventDefault();
    const disposition = apart ? 'background-tab' : event.shiftKey ? 'new-window' : 'foreground-tab';
    postMessage({ type: 'open', details: { url: link.href, frameName: target, features: '', disposition } });
  };
  window.addEventListener('click', openFromLink);
  window.addEventListener('auxclick', openFromLink);
  window.addEventListener('DOMContentLoaded', () => {
    const tell = () => postMessage({ type: 'title', title: document.title });
    if (document.title) tell();
    if (document.head)
      new MutationObserver(tell).observe(document.head, { childList: true, subtree: true, characterData: true });
  });
  window.addEventListener('resize', () => postMessage({ type: 'resize' }));
  window.addEventListener('contextmenu', (event) => {
    if (event.defaultPrevented) return;
    // Electron has no menu of its own either.
    event.preventDefault();
    const path = event.composedPath();
    const link = path.find((node) => node instanceof HTMLAnchorElement);
    const image = path.find((node) => node instanceof HTMLImageElement);
    const field = path[0];
    const isEditable =
      field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field.isContentEditable;
    const selectionText = String(getSelection());
    const details = {
      x: event.clientX,
      y: event.clientY,
      linkURL: link?.href ?? '',
      linkText: link?.textContent ?? '',
      srcURL: image?.src ?? '',
      mediaType: image ? 'image' : 'none',
      pageURL: location.href,
      selectionText,
      isEditable: Boolean(isEditable),
      editFlags: { canCopy: selectionText !== '', canCut: isEditable && selectionText !== '', canPaste: isEditable },
    };
    postMessage({ type: 'context-menu', details });
  });

  return (preload, file) => {
    const module = { exports: {} };
    try {
      preload(require, preloadProcess, module.exports, module, setImmediate, clearTimeout);
    } catch (error) {
      console.error(`Unable to load preload script: ${file}`);
      console.error(error);
      postMessage({ type: 'preload-error', file, error: codec.encode(error instanceof Error ? error : String(error)) });
    }
  };
}
