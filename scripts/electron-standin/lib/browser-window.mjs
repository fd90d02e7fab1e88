import { HEADLESS_DISPLAY } from './chromium.mjs';
import { ChromiumWindow } from './chromium-window.mjs';
import { createEvent } from './events.mjs';
import { notEmulated, refusingEmitter } from './not-emulated.mjs';
import { runtime } from './runtime.mjs';
import { internals, WebContents } from './web-contents.mjs';

/** @type {Map<number, BrowserWindow>} */
const all = new Map();
let lastId = 0;
/** @type {BrowserWindow | null} */
let focused = null;

/** Options that would make a window what the stand-in isn't. The value is the one that is refused. */
const REFUSED_PREFERENCES = { contextIsolation: false, sandbox: false, nodeIntegration: true, webviewTag: true };
Object.assign(REFUSED_PREFERENCES, { nodeIntegrationInSubFrames: true, nodeIntegrationInWorker: true });
Object.assign(REFUSED_PREFERENCES, { webSecurity: false, offscreen: true });

/** @param {any} preferences */
function checkPreferences(preferences) {
  for (const [name, refused] of Object.entries(REFUSED_PREFERENCES)) {
    if (preferences[name] === refused) throw notEmulated(`webPreferences.${name}: ${refused}`);
  }
  if (preferences.partition || preferences.session) throw notEmulated('webPreferences.partition');
}

/** Electron's `BrowserWindow`. What it can't ask Chromium at once, it remembers. */
export class BrowserWindow extends refusingEmitter('BrowserWindow') {
  id = ++lastId;
  #bounds;
  #normalBounds;
  #title;
  #backgroundColor;
  #minimumSize;
  #visible;
  #minimized = false;
  #maximized = false;
  #fullScreen = false;
  #closing = false;
  #destroyed = false;
  #painted = false;
  #contents;
  #flags;
  #native;

  /** @param {any} [options] BrowserWindowConstructorOptions */
  constructor(options = {}) {
    super();
    if (!runtime.ready) throw new Error('Cannot create BrowserWindow before app is ready');
    const { width = 800, height = 600, webPreferences = {}, show = true } = options;
    checkPreferences(webPreferences);
    const x = options.x ?? Math.max(0, Math.floor((HEADLESS_DISPLAY.width - width) / 2));
    const y = options.y ?? Math.max(0, Math.floor((HEADLESS_DISPLAY.height - height) / 2));
    this.#minimumSize = [options.minWidth ?? 0, options.minHeight ?? 0];
    this.#bounds = {
      x,
      y,
      width: Math.max(width, this.#minimumSize[0]),
      height: Math.max(height, this.#minimumSize[1]),
    };
    this.#normalBounds = this.#bounds;
    this.#native = new ChromiumWindow(this.#bounds, options.x !== undefined && options.y !== undefined);
    this.#title = options.title ?? internals.app.name;
    this.#backgroundColor = options.backgroundColor ?? '#FFFFFF';
    this.#visible = show;
    this.#flags = {
      autoHideMenuBar: options.autoHideMenuBar ?? false,
      closable: options.closable ?? true,
      minimizable: options.minimizable ?? true,
      maximizable: options.maximizable ?? true,
      resizable: options.resizable ?? true,
      movable: options.movable ?? true,
      menuBarVisible: true,
    };
    /** For the stand-in's own parts. */
    this.standin = {
      painted: () => this.#firstPaint(),
      gone: () => this.#gone(),
      titled: (title) => this.#pageTitled(title),
      resized: () => this.#resizedByUser(),
      openSibling: (siblingOptions) => new BrowserWindow(siblingOptions),
    };
    Object.defineProperty(this, 'standin', { enumerable: false });
    all.set(this.id, this);
    internals.app.standin.lifecycle.windowOpened(this);
    this.#contents = new WebContents(this, { ...webPreferences, contextIsolation: true, sandbox: true });
    internals.app.emit('browser-window-created', createEvent(), this);
    void this.#open();
    if (show) this.focus();
  }

  async #open() {
    try {
      const { targetId, session } = await this.#native.open();
      if (this.#destroyed) await this.#native.close();
      else await this.#contents.standin.attach(targetId, session);
    } catch (error) {
      // Chromium going away is reported once, elsewhere.
      if (!runtime.chromium.exited && !this.#destroyed) throw error;
    }
  }

  /** The page says that its size changed: the user may have dragged its window. */
  async #resizedByUser() {
    const bounds = await this.#native.boundsByUser().catch(() => null);
    if (bounds && !this.#destroyed) this.#changeBounds(bounds);
  }

  /** @param {{ x: number, y: number, width: number, height: number }} bounds */
  #changeBounds(bounds) {
    const before = this.#bounds;
    this.#bounds = bounds;
    if (!this.#maximized && !this.#fullScreen) this.#normalBounds = bounds;
    if (before.width !== bounds.width || before.height !== bounds.height) {
      this.emit('resize', createEvent());
      this.emit('resized', createEvent());
    }
    if (before.x !== bounds.x || before.y !== bounds.y) {
      this.emit('move', createEvent());
      this.emit('moved', createEvent());
    }
  }

  #firstPaint() {
    if (this.#painted) return;
    this.#painted = true;
    // On a real screen the window takes its shape only now.
    void this.#native.fit(this.#contents.standin.session).catch(() => {});
    setImmediate(() => {
      if (!this.#destroyed) this.emit('ready-to-show', createEvent());
    });
  }

  /** @param {string} title */
  #pageTitled(title) {
    const event = createEvent();
    this.emit('page-title-updated', event, title, true);
    if (!event.defaultPrevented) this.#title = title;
  }

  /** Chromium closed the page by itself: the user did, or the page. */
  #gone() {
    if (this.#destroyed) return;
    if (!this.#closing) this.emit('close', createEvent());
    this.#finish();
  }

  #finish() {
    if (this.#destroyed) return;
    this.#destroyed = true;
    if (focused === this) focused = null;
    all.delete(this.id);
    this.#contents.standin.closed();
    this.emit('closed', createEvent());
    internals.app.standin.lifecycle.windowClosed(this);
  }

  #alive() {
    if (this.#destroyed) throw new TypeError('Object has been destroyed');
  }

  close() {
    this.#alive();
    if (this.#closing) return;
    const event = createEvent();
    this.emit('close', event);
    if (this.#destroyed) return;
    if (event.defaultPrevented) {
      internals.app.standin.lifecycle.windowKept();
      return;
    }
    this.#closing = true;
    // One that is destroyed meanwhile is never ready, and finished already.
    void this.#contents.standin.ready.then(
      () => this.#native.close().then(() => this.#finish()),
      () => {},
    );
  }
  destroy() {
    if (this.#destroyed) return;
    void this.#native.close();
    this.#finish();
  }
  isDestroyed() {
    return this.#destroyed;
  }

  get webContents() {
    this.#alive();
    return this.#contents;
  }
  /** @param {string} url */
  loadURL(url) {
    return this.webContents.loadURL(url);
  }
  /**
   * @param {string} file
   * @param {object} [options]
   */
  loadFile(file, options) {
    return this.webContents.loadFile(file, options);
  }
  reload() {
    this.webContents.reload();
  }
  /** @param {any} [rect] */
  capturePage(rect) {
    return this.webContents.capturePage(rect);
  }

  show() {
    this.showInactive();
    this.focus();
  }
  showInactive() {
    this.#alive();
    if (this.#visible) return;
    this.#visible = true;
    this.emit('show', createEvent());
  }
  hide() {
    this.#alive();
    if (!this.#visible) return;
    this.#visible = false;
    this.blur();
    this.emit('hide', createEvent());
  }
  isVisible() {
    this.#alive();
    return this.#visible && !this.#minimized;
  }
  focus() {
    this.#alive();
    if (focused === this || !this.#visible) return;
    focused?.blur();
    focused = this;
    if (runtime.chromium.headed) {
      void this.#contents.standin.ready
        .then(() => this.#contents.standin.session.send('Page.bringToFront'))
        .catch(() => {});
    }
    // A window can't have listeners yet while it is being made.
    queueMicrotask(() => {
      if (focused !== this) return;
      this.emit('focus', createEvent());
      internals.app.emit('browser-window-focus', createEvent(), this);
    });
  }
  blur() {
    if (focused !== this) return;
    focused = null;
    this.emit('blur', createEvent());
    internals.app.emit('browser-window-blur', createEvent(), this);
  }
  isFocused() {
    return focused === this;
  }

  minimize() {
    this.#alive();
    if (this.#minimized) return;
    this.#minimized = true;
    this.#native.setState('minimized');
    this.blur();
    this.emit('minimize', createEvent());
  }
  isMinimized() {
    this.#alive();
    return this.#minimized;
  }
  restore() {
    this.#alive();
    if (!this.#minimized) return this.unmaximize();
    this.#minimized = false;
    this.#native.setState('normal');
    this.emit('restore', createEvent());
  }
  maximize() {
    this.show();
    if (this.#maximized) return;
    this.#maximized = true;
    this.#native.setState('maximized');
    this.#changeBounds({ x: 0, y: 0, ...HEADLESS_DISPLAY });
    if (!runtime.chromium.headed) this.#native.setBounds(this.#bounds, false);
    this.emit('maximize', createEvent());
  }
  unmaximize() {
    this.#alive();
    if (!this.#maximized) return;
    this.#maximized = false;
    this.#native.setState('normal');
    this.#changeBounds(this.#normalBounds);
    this.#native.setBounds(this.#bounds, false);
    this.emit('unmaximize', createEvent());
  }
  isMaximized() {
    this.#alive();
    return this.#maximized;
  }
  isNormal() {
    return !this.#maximized && !this.#minimized && !this.#fullScreen;
  }
  /** @param {boolean} flag */
  setFullScreen(flag) {
    this.#alive();
    if (this.#fullScreen === flag) return;
    this.#fullScreen = flag;
    this.#native.setState(flag ? 'fullscreen' : 'normal');
    this.emit(flag ? 'enter-full-screen' : 'leave-full-screen', createEvent());
  }
  isFullScreen() {
    this.#alive();
    return this.#fullScreen;
  }

  getBounds() {
    this.#alive();
    return { ...this.#bounds };
  }
  /** @param {Partial<{ x: number, y: number, width: number, height: number }>} bounds */
  setBounds(bounds) {
    this.#alive();
    const wanted = { ...this.#bounds, ...bounds };
    wanted.width = Math.max(wanted.width, this.#minimumSize[0]);
    wanted.height = Math.max(wanted.height, this.#minimumSize[1]);
    this.#changeBounds(wanted);
    this.#native.setBounds(wanted, bounds.x !== undefined || bounds.y !== undefined);
  }
  getNormalBounds() {
    this.#alive();
    return { ...this.#normalBounds };
  }
  getContentBounds() {
    return this.getBounds();
  }
  getSize() {
    const { width, height } = this.getBounds();
    return [width, height];
  }
  /**
   * @param {number} width
   * @param {number} height
   */
  setSize(width, height) {
    this.setBounds({ width, height });
  }
  getContentSize() {
    return this.getSize();
  }
  /**
   * @param {number} width
   * @param {number} height
   */
  setContentSize(width, height) {
    this.setSize(width, height);
  }
  getPosition() {
    const { x, y } = this.getBounds();
    return [x, y];
  }
  /**
   * @param {number} x
   * @param {number} y
   */
  setPosition(x, y) {
    this.setBounds({ x, y });
  }
  center() {
    const { width, height } = this.#bounds;
    const place = { x: (HEADLESS_DISPLAY.width - width) / 2, y: (HEADLESS_DISPLAY.height - height) / 2 };
    this.setBounds({ x: Math.floor(place.x), y: Math.floor(place.y) });
  }
  getMinimumSize() {
    return [...this.#minimumSize];
  }
  /**
   * @param {number} width
   * @param {number} height
   */
  setMinimumSize(width, height) {
    this.#minimumSize = [width, height];
    this.setBounds({});
  }

  get title() {
    return this.getTitle();
  }
  set title(title) {
    this.setTitle(title);
  }
  getTitle() {
    this.#alive();
    return this.#title;
  }
  /** @param {string} title */
  setTitle(title) {
    this.#alive();
    this.#title = title;
  }
  getBackgroundColor() {
    return this.#backgroundColor;
  }
  /** @param {string} color */
  setBackgroundColor(color) {
    this.#alive();
    this.#backgroundColor = color;
  }

  get autoHideMenuBar() {
    return this.#flags.autoHideMenuBar;
  }
  set autoHideMenuBar(hide) {
    this.#flags.autoHideMenuBar = hide;
  }
  /** @param {boolean} hide */
  setAutoHideMenuBar(hide) {
    this.#flags.autoHideMenuBar = hide;
  }
  isMenuBarAutoHide() {
    return this.#flags.autoHideMenuBar;
  }
  /** @param {boolean} visible */
  setMenuBarVisibility(visible) {
    this.#flags.menuBarVisible = visible;
  }
  isMenuBarVisible() {
    return this.#flags.menuBarVisible;
  }
  setMenu() {}
  removeMenu() {}
  setIcon() {}
  flashFrame() {}
  get closable() {
    return this.#flags.closable;
  }
  get minimizable() {
    return this.#flags.minimizable;
  }
  get maximizable() {
    return this.#flags.maximizable;
  }
  get resizable() {
    return this.#flags.resizable;
  }
  get movable() {
    return this.#flags.movable;
  }
  isClosable() {
    return this.#flags.closable;
  }
  isMinimizable() {
    return this.#flags.minimizable;
  }
  isMaximizable() {
    return this.#flags.maximizable;
  }
  isResizable() {
    return this.#flags.resizable;
  }
  getParentWindow() {
    return null;
  }
  getChildWindows() {
    return [];
  }

  static getAllWindows() {
    return [...all.values()];
  }
  static getFocusedWindow() {
    return focused;
  }
  /** @param {number} id */
  static fromId(id) {
    return all.get(id) ?? null;
  }
  /** @param {WebContents} contents */
  static fromWebContents(contents) {
    return [...all.values()].find((window) => window.#contents === contents) ?? null;
  }
}
