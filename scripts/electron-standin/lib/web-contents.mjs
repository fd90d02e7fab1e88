import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { clipboard } from './clipboard.mjs';
import { cloneCodec } from './clone-codec.mjs';
import { parseColor } from './colors.mjs';
import { onConsoleMessage } from './console-messages.mjs';
import { createEvent } from './events.mjs';
import { Frames } from './frames.mjs';
import { note } from './log.mjs';
import { NativeImage } from './native-image.mjs';
import { notEmulated, refusingEmitter } from './not-emulated.mjs';
import { PageLoad } from './page-load.mjs';
import { answerPageDialog, deliverIpc, showContextMenu } from './page-messages.mjs';
import { Preloads } from './preloads.mjs';
import { ISOLATED_WORLD } from './renderer/scripts.mjs';
import { runtime } from './runtime.mjs';
import { BLANK_ORIGIN, toAppUrl, toChromiumUrl } from './scheme-urls.mjs';
import { defaultSession } from './session.mjs';

/** @type {Map<number, WebContents>} */
const all = new Map();
let lastId = 0;

/** What the parts of the stand-in do with a WebContents, kept apart from what the app sees. */
export const internals = {
  /** @type {(contents: WebContents, navigation: any) => void} set by the module that decides about navigations */
  onNavigationRequested: () => {},
  /** @type {import('./app.mjs').App} */
  app: /** @type {any} */ (null),
  /** @type {typeof import('./dialog.mjs').dialog} */
  dialog: /** @type {any} */ (null),
};

/**
 * @param {string} frameId
 * @returns {WebContents | null}
 */
export function webContentsOfFrame(frameId) {
  return [...all.values()].find((contents) => contents.standin.frames?.record(frameId)) ?? null;
}

/**
 * Electron's `WebContents`: the page of one window. Long because Electron's class is: its calls share the state of one page.
 * What stands by itself (loading, navigation, preloads, frames, messages, the console) is in files of its own.
 */
export class WebContents extends refusingEmitter('webContents') {
  id = ++lastId;
  session = defaultSession;
  #owner;
  #preferences;
  #ready = Promise.withResolvers();
  #targetId = '';
  /** @type {import('./cdp.mjs').CdpSession} */
  #session = /** @type {any} */ (null);
  /** @type {Frames | null} */
  #frames = null;
  #preloads;
  #load = new PageLoad((code, description, url) => this.#failed(code, description, url));
  /** What the page asked to open, past the stand-in's `window.open`. */
  #requestedPopup = { url: 'about:blank', frameName: '' };
  #destroyed = false;
  #crashed = false;
  #loading = false;
  #errorPage = false;
  #title = '';
  #url = '';
  #zoomLevel = 0;
  /** @type {((details: any) => any) | null} */
  #windowOpenHandler = null;

  /**
   * @param {import('./browser-window.mjs').BrowserWindow} owner
   * @param {any} preferences
   */
  constructor(owner, preferences) {
    super();
    this.#owner = owner;
    this.#preferences = preferences;
    this.#preloads = new Preloads(preferences, (file, error) => this.emit('preload-error', createEvent(), file, error));
    const contents = this;
    /** For the stand-in's own parts. */
    this.standin = {
      owner,
      attach: (targetId, session) => this.#attach(targetId, session),
      ready: this.#ready.promise,
      closed: () => this.#markDestroyed(),
      crashed: (status, code) => this.#markCrashed(status, code),
      ask: (name, details) => this.#ask(name, details),
      popupRefused: () => {
        const { url, frameName } = this.#requestedPopup;
        this.#openRequested({ url, frameName, features: '', disposition: 'foreground-tab' });
      },
      emulateTheme: () => this.#emulateTheme(),
      get frames() {
        return contents.#frames;
      },
      get session() {
        return contents.#session;
      },
      get targetId() {
        return contents.#targetId;
      },
    };
    Object.defineProperty(this, 'standin', { enumerable: false });
    all.set(this.id, this);
    // Nobody may be waiting for it.
    this.#ready.promise.catch(() => {});
    this.on('render-process-gone', (event, details) => internals.app.emit('render-process-gone', event, this, details));
    internals.app.emit('web-contents-created', createEvent({ sender: this }), this);
  }

  /**
   * @param {string} targetId
   * @param {import('./cdp.mjs').CdpSession} session
   */
  async #attach(targetId, session) {
    this.#targetId = targetId;
    this.#session = session;
    this.#frames = new Frames(session, {
      mainFrameId: targetId,
      webContentsId: this.id,
      deliver: this.#preloads.deliver,
    });
    this.#listen(session);
    const background = this.#owner.getBackgroundColor();
    const setUp = [
      session.send('Page.enable'),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      session.send('Runtime.enable'),
      session.send('Log.enable'),
      session.send('Inspector.enable'),
      session.send('Runtime.addBinding', { name: this.#preloads.binding, executionContextName: ISOLATED_WORLD }),
      this.#preloads.install(session),
      this.#emulateTheme(),
      background && session.send('Emulation.setDefaultBackgroundColorOverride', { color: parseColor(background) }),
      session.send('Runtime.runIfWaitingForDebugger'),
    ];
    const whole = Promise.all(setUp);
    // The headless shell answers when the first document comes, and has done all of it before that runs.
    if (!runtime.chromium.isShell) await whole;
    // Who closes a page doesn't let it finish.
    else whole.catch((error) => this.#destroyed || note(`a page could not be set up: ${error.message}`));
    this.#ready.resolve(undefined);
  }

  /** @param {import('./cdp.mjs').CdpSession} session */
  #listen(session) {
    session.on('Page.frameRequestedNavigation', (requested) => internals.onNavigationRequested(this, requested));
    session.on('Page.frameStartedLoading', ({ frameId }) => {
      if (frameId === this.#targetId) this.#setLoading(true);
    });
    session.on('Page.frameStartedNavigating', ({ frameId, url, navigationType }) => {
      if (frameId !== this.#targetId || url.startsWith(BLANK_ORIGIN)) return;
      const isSameDocument = navigationType === 'sameDocument' || navigationType === 'historySameDocument';
      const details = { url: toAppUrl(url), isSameDocument, isMainFrame: true, frame: this.mainFrame };
      this.emit('did-start-navigation', createEvent(details), details.url, isSameDocument, true);
    });
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === this.#targetId) this.#setLoading(false);
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === this.#targetId) this.#navigated(frame);
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      const isMainFrame = frameId === this.#targetId;
      if (isMainFrame) this.#url = toAppUrl(url);
      this.emit('did-navigate-in-page', createEvent(), toAppUrl(url), isMainFrame);
    });
    session.on('Page.domContentEventFired', () => {
      if (this.#url) this.emit('dom-ready', createEvent());
    });
    session.on('Page.loadEventFired', () => {
      if (!this.#url || this.#errorPage) return;
      this.emit('did-finish-load', createEvent());
      this.#load.finished();
      this.#owner.standin.painted();
    });
    session.on('Page.lifecycleEvent', ({ frameId, name }) => {
      if (frameId === this.#targetId && name === 'firstPaint' && this.#url) this.#owner.standin.painted();
    });
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name === this.#preloads.binding) this.#received(JSON.parse(payload), executionContextId);
    });
    session.on('Page.javascriptDialogOpening', (opening) => {
      // Whoever debugs the app answers its page's dialogs.
      if (!runtime.switches.has('remote-debugging-port')) void answerPageDialog(this, opening, internals.dialog);
    });
    session.on('Page.windowOpen', ({ url, windowName }) => {
      this.#requestedPopup = { url, frameName: windowName };
    });
    onConsoleMessage(session, (message, level) => {
      const details = createEvent({ ...message, frame: this.mainFrame });
      this.emit('console-message', details, level, message.message, message.lineNumber, message.sourceId);
    });
  }

  /** @param {boolean} loading */
  #setLoading(loading) {
    if (this.#loading === loading || (!this.#url && !this.#load.pending)) return;
    this.#loading = loading;
    this.emit(loading ? 'did-start-loading' : 'did-stop-loading', createEvent());
  }

  /** @param {any} frame */
  #navigated(frame) {
    this.#crashed = false;
    this.#errorPage = Boolean(frame.unreachableUrl);
    const url = toAppUrl(frame.unreachableUrl || frame.url + (frame.urlFragment ?? ''));
    this.#url = url;
    if (this.#errorPage) {
      // The page's own navigations have nobody else to report their failure.
      if (!this.#load.pending) this.#failed(-2, 'ERR_FAILED', url);
      return;
    }
    void this.#applyZoom();
    this.emit('did-navigate', createEvent(), url, /^https?:/.test(url) ? 200 : -1, '');
  }

  /**
   * @param {number} code
   * @param {string} description
   * @param {string} url
   */
  #failed(code, description, url) {
    this.emit('did-fail-load', createEvent(), code, description, url, true, this.id, 1);
  }

  /**
   * @param {any} message
   * @param {number} contextId
   */
  #received(message, contextId) {
    switch (message.type) {
      case 'invoke':
      case 'send':
        deliverIpc(this, message, contextId);
        break;
      case 'open':
        this.#openRequested(message.details);
        break;
      case 'title':
        this.#markTitled(message.title);
        break;
      case 'resize':
        void this.#owner.standin.resized();
        break;
      case 'context-menu':
        showContextMenu(this, message.details);
        break;
      case 'preload-error':
        this.#preloads.failed(message.file, cloneCodec.decode(message.error));
        break;
    }
  }

  /**
   * Emits an event that the app may prevent.
   *
   * @param {string} name
   * @param {any} details
   * @returns {boolean} whether it didn't
   */
  #ask(name, details) {
    const event = createEvent(details);
    this.emit(name, event, details.url, details.isSameDocument, details.isMainFrame, this.id, 1);
    return !event.defaultPrevented;
  }

  /** @param {any} details */
  #openRequested({ url, frameName, features, disposition }) {
    const details = { url: toAppUrl(url), frameName, features, disposition, referrer: { url: '', policy: 'default' } };
    const response = this.#windowOpenHandler?.(details) ?? { action: 'allow' };
    if (response.action !== 'allow') return;
    const { overrideBrowserWindowOptions: options = {} } = response;
    const window = this.#owner.standin.openSibling({
      ...options,
      webPreferences: { ...this.#preferences, ...options.webPreferences },
    });
    this.emit('did-create-window', window, { ...details, options });
    void window.loadURL(details.url).catch(() => {});
  }

  #markDestroyed() {
    if (this.#destroyed) return;
    this.#destroyed = true;
    // Chromium still tells what its page was doing when it was closed.
    this.#session?.removeAllListeners();
    all.delete(this.id);
    this.#ready.reject(new Error('Object has been destroyed'));
    this.#load.abandoned();
    this.emit('destroyed');
  }

  /**
   * @param {string} status
   * @param {number} exitCode
   */
  #markCrashed(status, exitCode) {
    if (this.#crashed || this.#destroyed) return;
    this.#crashed = true;
    this.#frames?.reset();
    const reason = status === 'killed' ? 'killed' : 'crashed';
    this.emit('render-process-gone', createEvent(), { reason, exitCode });
  }

  /** @param {string} title */
  #markTitled(title) {
    if (title === this.#title || !this.#url) return;
    this.#title = title;
    this.emit('page-title-updated', createEvent(), title, true);
    this.#owner.standin.titled(title);
  }

  async #emulateTheme() {
    await this.#session?.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: runtime.colorScheme }],
    });
  }

  #alive() {
    if (this.#destroyed) throw new TypeError('Object has been destroyed');
  }

  /**
   * @param {string} url
   * @returns {Promise<void>} settles when the page has loaded, or failed to
   */
  loadURL(url) {
    this.#alive();
    const loaded = this.#load.load(String(url), () => this.#prepare());
    loaded.catch(() => {});
    return loaded;
  }

  async #prepare() {
    await this.#ready.promise;
    await this.#preloads.install(this.#session);
    return this.#session;
  }

  /**
   * @param {string} file relative to the app
   * @param {{ query?: Record<string, string>, search?: string, hash?: string }} [options]
   */
  loadFile(file, { query, search, hash } = {}) {
    const url = pathToFileURL(path.resolve(internals.app.getAppPath(), file));
    if (query) url.search = new URLSearchParams(query).toString();
    if (search) url.search = search;
    if (hash) url.hash = hash;
    return this.loadURL(url.href);
  }

  reload() {
    this.#alive();
    void this.#prepare()
      .then((session) =>
        // A crashed page has nothing to reload, but can be navigated.
        this.#crashed ? session.send('Page.navigate', { url: toChromiumUrl(this.#url) }) : session.send('Page.reload'),
      )
      .catch(() => {});
  }
  reloadIgnoringCache() {
    this.reload();
  }
  stop() {
    void this.#session?.send('Page.stopLoading').catch(() => {});
  }

  /** @param {{ waitForBeforeUnload?: boolean }} [_options] */
  close(_options) {
    this.#owner.close();
  }
  isDestroyed() {
    return this.#destroyed;
  }
  isCrashed() {
    return this.#crashed;
  }
  isLoading() {
    return this.#loading;
  }
  isLoadingMainFrame() {
    return this.#loading;
  }
  isFocused() {
    return this.#owner.isFocused();
  }
  focus() {
    this.#owner.focus();
  }
  getURL() {
    return this.#url;
  }
  getTitle() {
    return this.#title;
  }
  getType() {
    return 'window';
  }
  /** Of Chromium itself, as its renderers aren't told apart over the protocol. */
  getOSProcessId() {
    return runtime.chromium.pid;
  }
  getProcessId() {
    return this.id;
  }
  /** @returns {import('./frames.mjs').WebFrameMain} */
  get mainFrame() {
    this.#alive();
    return this.#frames?.main ?? /** @type {any} */ (null);
  }
  /** @param {((details: any) => any) | null} handler */
  setWindowOpenHandler(handler) {
    this.#windowOpenHandler = handler;
  }

  /**
   * @param {string} channel
   * @param {...unknown} args
   */
  send(channel, ...args) {
    this.#alive();
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument');
    this.#frames?.main.send(channel, ...args);
  }

  /**
   * @param {string} code
   * @param {boolean} [userGesture]
   */
  async executeJavaScript(code, userGesture) {
    this.#alive();
    if (!this.#url || this.#loading) await new Promise((resolve) => this.once('did-stop-loading', resolve));
    return this.mainFrame.executeJavaScript(code, userGesture);
  }
  /** @param {string} css */
  async insertCSS(css) {
    const style = `document.head.append(Object.assign(document.createElement('style'), { textContent: ${JSON.stringify(css)} }))`;
    await this.executeJavaScript(`void ${style}`);
    return '';
  }

  /** @param {{ x: number, y: number, width: number, height: number }} [rect] */
  async capturePage(rect) {
    this.#alive();
    await this.#ready.promise;
    const clip = rect && { ...rect, scale: 1 };
    const { data } = await this.#session.send('Page.captureScreenshot', { format: 'png', ...(clip ? { clip } : {}) });
    return new NativeImage(Buffer.from(data, 'base64'));
  }

  forcefullyCrashRenderer() {
    // Never answered: whoever would answer is gone.
    void this.#session?.send('Page.crash').catch(() => {});
  }

  async #applyZoom() {
    if (!this.#session) return;
    const zoom = this.getZoomFactor();
    const expression = `document.documentElement.style.zoom = ${zoom === 1 ? "''" : zoom}`;
    await this.#session.send('Runtime.evaluate', { expression }).catch(() => {});
  }
  get zoomLevel() {
    return this.#zoomLevel;
  }
  set zoomLevel(level) {
    this.setZoomLevel(level);
  }
  get zoomFactor() {
    return this.getZoomFactor();
  }
  set zoomFactor(factor) {
    this.setZoomFactor(factor);
  }
  getZoomLevel() {
    return this.#zoomLevel;
  }
  /** @param {number} level 0 is the original size, each step 20 % */
  setZoomLevel(level) {
    this.#alive();
    this.#zoomLevel = level;
    void this.#applyZoom();
  }
  getZoomFactor() {
    return 1.2 ** this.#zoomLevel;
  }
  /** @param {number} factor */
  setZoomFactor(factor) {
    if (!(factor > 0)) throw new Error("'zoomFactor' must be a double greater than 0.0");
    this.setZoomLevel(Math.log(factor) / Math.log(1.2));
  }
  async setVisualZoomLevelLimits() {}

  openDevTools() {
    note('the developer tools would open');
  }
  closeDevTools() {}
  toggleDevTools() {
    this.openDevTools();
  }
  isDevToolsOpened() {
    return false;
  }

  /** @param {string} command */
  #edit(command) {
    const expression = `document.execCommand(${JSON.stringify(command)})`;
    void this.#session?.send('Runtime.evaluate', { expression, userGesture: true }).catch(() => {});
  }
  undo() {
    this.#edit('undo');
  }
  redo() {
    this.#edit('redo');
  }
  cut() {
    this.#edit('cut');
  }
  copy() {
    this.#edit('copy');
  }
  delete() {
    this.#edit('delete');
  }
  selectAll() {
    this.#edit('selectAll');
  }
  paste() {
    void clipboard.readText().then((text) => this.insertText(text));
  }
  pasteAndMatchStyle() {
    this.paste();
  }
  /** @param {string} text */
  async insertText(text) {
    await this.#session?.send('Input.insertText', { text });
  }
  replaceMisspelling() {
    throw notEmulated('webContents.replaceMisspelling');
  }
  setBackgroundThrottling() {}

  static getAllWebContents() {
    return [...all.values()];
  }
  /** @param {number} id */
  static fromId(id) {
    return all.get(id);
  }
  static getFocusedWebContents() {
    return [...all.values()].find((contents) => contents.isFocused()) ?? null;
  }
  /** @param {string} targetId */
  static fromDevToolsTargetId(targetId) {
    return [...all.values()].find((contents) => contents.standin.targetId === targetId);
  }
  /** @param {import('./frames.mjs').WebFrameMain} frame */
  static fromFrame(frame) {
    return [...all.values()].find((contents) => contents.standin.frames?.main === frame);
  }
}
