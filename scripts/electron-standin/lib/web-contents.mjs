import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { clipboard } from './clipboard.mjs';
import { cloneCodec } from './clone-codec.mjs';
import { createEvent } from './events.mjs';
import { Frames } from './frames.mjs';
import { ipcMain } from './ipc-main.mjs';
import { note } from './log.mjs';
import { NativeImage } from './native-image.mjs';
import { describeNetError, netErrorCode } from './net-errors.mjs';
import { notEmulated, refuseMissing, refusingEmitter } from './not-emulated.mjs';
import { createRendererScripts, ISOLATED_WORLD } from './renderer/scripts.mjs';
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

/** Electron's `WebContents`: the page of one window. */
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
  #scripts;
  /** @type {{ identifiers: string[], signature: string }} */
  #installed = { identifiers: [], signature: '' };
  #destroyed = false;
  #crashed = false;
  #loading = false;
  #errorPage = false;
  #title = '';
  #url = '';
  #zoomLevel = 0;
  /** @type {{ url: string, resolve(): void, reject(error: Error): void } | null} */
  #pendingLoad = null;
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
    this.#scripts = createRendererScripts(this.#processInfo());
    const contents = this;
    /** For the stand-in's own parts. */
    this.standin = {
      attach: (targetId, session) => this.#attach(targetId, session),
      ready: this.#ready.promise,
      closed: () => this.#markDestroyed(),
      crashed: (status, code) => this.#markCrashed(status, code),
      ask: (name, details) => this.#ask(name, details),
      openRequested: (details) => this.#openRequested(details),
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
    // Each renders a promise that nobody may be waiting for.
    this.#ready.promise.catch(() => {});
    this.on('render-process-gone', (event, details) => internals.app.emit('render-process-gone', event, this, details));
    internals.app.emit('web-contents-created', createEvent({ sender: this }), this);
  }

  #processInfo() {
    const { platform, arch, version, versions, pid, resourcesPath, execPath } = process;
    const argv = [execPath, '--type=renderer', ...(this.#preferences.additionalArguments ?? [])];
    return { platform, arch, version, versions: { ...versions }, pid, resourcesPath, execPath, argv, env: process.env };
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
      deliver: this.#scripts.deliver,
    });
    this.#listen(session);
    const background = this.#owner.getBackgroundColor();
    const setUp = [
      session.send('Page.enable'),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      session.send('Runtime.enable'),
      session.send('Log.enable'),
      session.send('Inspector.enable'),
      session.send('Runtime.addBinding', { name: this.#scripts.binding, executionContextName: ISOLATED_WORLD }),
      this.#installScripts(),
      this.#emulateTheme(),
      background && session.send('Emulation.setDefaultBackgroundColorOverride', { color: parseColor(background) }),
      session.send('Runtime.runIfWaitingForDebugger'),
    ];
    await Promise.all(setUp);
    this.#ready.resolve(undefined);
  }

  /** Puts the preloads in place as they are now; Electron reads the files at each load too. */
  async #installScripts() {
    const files = defaultSession.standin.preloads().filter(({ type }) => type === 'frame');
    const paths = files.map(({ filePath }) => filePath);
    if (this.#preferences.preload) paths.push(this.#preferences.preload);
    const preloads = paths.map((file) => this.#readPreload(file)).filter((preload) => preload !== null);
    const signature = JSON.stringify(preloads);
    if (this.#installed.identifiers.length > 0 && this.#installed.signature === signature) return;
    const outdated = this.#installed.identifiers;
    this.#installed = { identifiers: ['pending'], signature };
    for (const identifier of outdated) {
      void this.#session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier }).catch(() => {});
    }
    const added = await Promise.all([
      this.#session.send('Page.addScriptToEvaluateOnNewDocument', { source: this.#scripts.mainWorld }),
      this.#session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: this.#scripts.isolatedWorld(preloads),
        worldName: ISOLATED_WORLD,
      }),
    ]);
    this.#installed.identifiers = added.map(({ identifier }) => identifier);
  }

  /**
   * @param {string} file
   * @returns {{ file: string, source: string } | null} null when it can't run, which the app has been told
   */
  #readPreload(file) {
    try {
      const source = fs.readFileSync(file, 'utf8');
      // One that doesn't parse would take the other scripts with it.
      vm.compileFunction(source, ['require', 'process', 'exports', 'module'], { filename: file });
      return { file, source };
    } catch (error) {
      this.#preloadFailed(file, error);
      return null;
    }
  }

  /**
   * @param {string} file
   * @param {unknown} error
   */
  #preloadFailed(file, error) {
    note(`Unable to load preload script: ${file}: ${error instanceof Error ? error.message : error}`);
    setImmediate(() => this.emit('preload-error', createEvent(), file, error));
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
      this.#pendingLoad?.resolve();
      this.#pendingLoad = null;
      this.#owner.standin.painted();
    });
    session.on('Page.lifecycleEvent', ({ frameId, name }) => {
      if (frameId === this.#targetId && name === 'firstPaint' && this.#url) this.#owner.standin.painted();
    });
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name === this.#scripts.binding) this.#received(JSON.parse(payload), executionContextId);
    });
    session.on('Page.javascriptDialogOpening', (opening) => {
      // Whoever debugs the app answers its page's dialogs.
      if (!runtime.switches.has('remote-debugging-port')) void this.#answerDialog(opening);
    });
    session.on('Runtime.consoleAPICalled', (call) => this.#consoleCalled(call));
    session.on('Log.entryAdded', ({ entry }) => {
      this.#consoleMessage({ level: entry.level, text: entry.text, line: entry.lineNumber, source: entry.url });
    });
    session.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text, lineNumber, url } }) => {
      const message = `Uncaught ${exception?.description ?? text}`;
      this.#consoleMessage({ level: 'error', text: message, line: lineNumber, source: url });
    });
  }

  /** @param {boolean} loading */
  #setLoading(loading) {
    if (this.#loading === loading || (!this.#url && !this.#pendingLoad)) return;
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
      if (!this.#pendingLoad) this.#failed(-2, 'ERR_FAILED', url);
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
    const document = this.#frames?.ofContext(contextId) ?? null;
    const sender = {
      type: 'frame',
      sender: this,
      frameId: 1,
      frameTreeNodeId: 1,
      processId: this.id,
      ports: [],
      get senderFrame() {
        return document && !document.isDestroyed() ? document : null;
      },
      reply: (channel, ...args) => document?.send(channel, ...args),
    };
    const reply = (body) => this.#frames?.postToContext(contextId, { type: 'reply', id: message.id, ...body });
    switch (message.type) {
      case 'invoke':
        void ipcMain.dispatchInvoke(
          sender,
          message.channel,
          /** @type {unknown[]} */ (cloneCodec.decode(message.args)),
          (result) => reply({ result: cloneCodec.encode(result) }),
          (error) => reply({ error }),
        );
        break;
      case 'send':
        ipcMain.dispatchSend(sender, message.channel, /** @type {unknown[]} */ (cloneCodec.decode(message.args)));
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
        this.#contextMenu(message.details);
        break;
      case 'preload-error':
        this.#preloadFailed(message.file, cloneCodec.decode(message.error));
        break;
    }
  }

  /**
   * `alert` and `confirm` are message boxes, `prompt` doesn't exist, and a page may object to its unloading.
   *
   * @param {{ type: string, message: string }} opening
   */
  async #answerDialog({ type, message }) {
    let accept = false;
    if (type === 'beforeunload') {
      const event = createEvent();
      this.emit('will-prevent-unload', event);
      accept = event.defaultPrevented;
    } else if (type !== 'prompt') {
      const buttons = type === 'confirm' ? ['OK', 'Cancel'] : ['OK'];
      const { response } = await internals.dialog.showMessageBox(this.#owner, { message, buttons });
      accept = response === 0;
    }
    await this.#session.send('Page.handleJavaScriptDialog', { accept }).catch(() => {});
  }

  /** @param {any} details */
  #contextMenu(details) {
    const urls = {
      linkURL: toAppUrl(details.linkURL),
      srcURL: toAppUrl(details.srcURL),
      pageURL: toAppUrl(details.pageURL),
    };
    this.emit(
      'context-menu',
      createEvent(),
      refuseMissing('context-menu', { ...details, ...urls, frame: this.mainFrame }),
    );
  }

  /** @param {any} call */
  #consoleCalled({ type, args, stackTrace }) {
    const text = args
      .map(({ value, unserializableValue, description }) =>
        String(value ?? unserializableValue ?? description ?? 'undefined'),
      )
      .join(' ');
    const frame = stackTrace?.callFrames[0];
    this.#consoleMessage({ level: type, text, line: frame?.lineNumber ?? 0, source: frame?.url ?? '' });
  }

  /** @param {{ level: string, text: string, line: number | undefined, source: string | undefined }} message */
  #consoleMessage({ level: given, text, line = 0, source = '' }) {
    const levels = { error: 'error', assert: 'error', warning: 'warning', debug: 'debug', verbose: 'debug' };
    const level = levels[/** @type {keyof typeof levels} */ (given)] ?? 'info';
    const details = { level, message: text, lineNumber: line + 1, sourceId: toAppUrl(source), frame: this.mainFrame };
    const number = ['debug', 'info', 'warning', 'error'].indexOf(level);
    this.emit('console-message', createEvent(details), number, text, details.lineNumber, details.sourceId);
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
    all.delete(this.id);
    this.#ready.reject(new Error('Object has been destroyed'));
    this.#pendingLoad?.reject(new Error(`ERR_FAILED (-2) loading '${this.#pendingLoad.url}'`));
    this.#pendingLoad = null;
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
    const loaded = this.#load(String(url));
    loaded.catch(() => {});
    return loaded;
  }

  /** @param {string} url */
  async #load(url) {
    const fail = (code, description) => {
      const error = new Error(`${description} (${code}) loading '${url}'`);
      return Object.assign(error, { errno: code, code: description, url });
    };
    this.#pendingLoad?.reject(fail(-3, 'ERR_ABORTED'));
    const { promise, resolve, reject } = Promise.withResolvers();
    const pending = { url, resolve: () => resolve(undefined), reject };
    promise.catch(() => {});
    this.#pendingLoad = pending;
    if (!URL.canParse(url)) {
      this.#pendingLoad = null;
      this.#failed(-300, 'ERR_INVALID_URL', url);
      throw fail(-300, 'ERR_INVALID_URL');
    }
    await this.#ready.promise;
    await this.#installScripts();
    const { errorText, loaderId } = await this.#session.send('Page.navigate', { url: toChromiumUrl(url) });
    if (errorText && this.#pendingLoad === pending) {
      const description = describeNetError(errorText);
      this.#pendingLoad = null;
      this.#failed(netErrorCode(description), description, url);
      throw fail(netErrorCode(description), description);
    }
    // Without a new document there is nothing to wait for.
    if (!loaderId && this.#pendingLoad === pending) this.#pendingLoad = null;
    else await promise;
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
    void this.#ready.promise
      .then(() => this.#installScripts())
      // A crashed page has nothing to reload, but can be navigated.
      .then(() => {
        if (this.#crashed) return this.#session.send('Page.navigate', { url: toChromiumUrl(this.#url) });
        return this.#session.send('Page.reload');
      })
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
  getLastWebPreferences() {
    return { ...this.#preferences };
  }
  getOwnerBrowserWindow() {
    return this.#owner;
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
    void this.insertText(clipboard.readText());
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

/**
 * @param {string} color `#RGB`, `#RRGGBB` or Electron's `#AARRGGBB`
 * @returns {{ r: number, g: number, b: number, a: number }}
 */
function parseColor(color) {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(color)?.[1];
  if (!digits) return { r: 255, g: 255, b: 255, a: 1 };
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const [r, g, b] = [...full.slice(-6).matchAll(/../g)].map(([pair]) => Number.parseInt(pair, 16));
  return { r, g, b, a: full.length === 8 ? Number.parseInt(full.slice(0, 2), 16) / 255 : 1 };
}
