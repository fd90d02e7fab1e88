import { BrowserWindow } from './browser-window.mjs';
import { createEvent } from './events.mjs';
import { ROLES } from './menu-roles.mjs';
import { notEmulated, refuseMissing, refusingEmitter } from './not-emulated.mjs';

const TYPES = ['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette'];
let lastCommand = 0;
/** @type {Menu | null} */
let applicationMenu = null;

/** Electron's `MenuItem`. */
export class MenuItem {
  #click;
  /** @type {any} */
  menu;

  /** @param {any} options MenuItemConstructorOptions */
  constructor(options) {
    const { click, role, submenu, ...rest } = options;
    Object.assign(this, rest);
    this.#click = click;
    this.role = typeof role === 'string' ? role.toLowerCase() : role;
    // Electron would show an item that does nothing.
    if (this.role !== undefined && !Object.hasOwn(ROLES, this.role)) throw notEmulated(`the menu role '${role}'`);
    const defaults = this.role ? ROLES[this.role] : undefined;
    const items = submenu ?? defaults?.submenu;
    this.submenu = Array.isArray(items) ? Menu.buildFromTemplate(items) : (items ?? null);
    this.type = options.type ?? (this.submenu ? 'submenu' : this.role === 'togglespellchecker' ? 'checkbox' : 'normal');
    if (this.type === 'submenu' && !(this.submenu instanceof Menu)) throw new Error('Invalid submenu');
    if (!TYPES.includes(this.type)) throw new Error(`Unknown menu item type: ${this.type}`);
    this.label = options.label ?? defaults?.label ?? '';
    this.accelerator = options.accelerator ?? defaults?.accelerator;
    this.registerAccelerator = options.registerAccelerator ?? defaults?.registerAccelerator ?? true;
    this.sublabel = options.sublabel ?? '';
    this.toolTip = options.toolTip ?? '';
    this.accessibilityLabel = options.accessibilityLabel ?? '';
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    this.icon = options.icon ?? null;
    this.id = options.id;
    this.commandId = ++lastCommand;
    this.userAccelerator = null;
  }

  /**
   * @param {any} [event]
   * @param {BrowserWindow | null} [window] the focused one unless given
   * @param {any} [contents]
   */
  click = (event = createEvent(), window = BrowserWindow.getFocusedWindow(), contents = window?.webContents) => {
    if (this.type === 'checkbox') this.checked = !this.checked;
    if (this.type === 'radio') this.menu?.standin.check(this);
    const role = this.role ? ROLES[this.role] : undefined;
    if (role?.app) role.app();
    else if (role?.window && window) role.window(window);
    else if (role?.contents && contents) role.contents(contents);
    else this.#click?.(this, window ?? undefined, event);
  };
}
refuseMissing('MenuItem', MenuItem.prototype);

/** Electron's `Menu`. It is never drawn: its items are clicked by calling `click()`. */
export class Menu extends refusingEmitter('Menu') {
  /** @type {any[]} */
  items = [];

  constructor() {
    super();
    /** For the items of this menu. */
    this.standin = {
      /** @param {any} item a radio item, checked among its neighbours up to the next separator */
      check: (item) => {
        const index = this.items.indexOf(item);
        const isEnd = ({ type }) => type === 'separator';
        const from = this.items.findLastIndex((other, at) => at < index && isEnd(other)) + 1;
        const end = this.items.findIndex((other, at) => at > index && isEnd(other));
        for (const other of this.items.slice(from, end < 0 ? undefined : end)) {
          if (other.type === 'radio') other.checked = other === item;
        }
      },
    };
    Object.defineProperty(this, 'standin', { enumerable: false });
  }

  /** @param {any} item */
  append(item) {
    this.insert(this.items.length, item);
  }
  /**
   * @param {number} position
   * @param {any} item
   */
  insert(position, item) {
    if (!(item instanceof MenuItem)) throw new TypeError('Invalid item');
    item.menu = this;
    this.items.splice(position, 0, item);
  }
  /**
   * @param {string} id
   * @returns {any}
   */
  getMenuItemById(id) {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }
  popup() {
    this.emit('menu-will-show', createEvent());
  }
  closePopup() {
    this.emit('menu-will-close', createEvent());
  }

  /** @param {any[]} template */
  static buildFromTemplate(template) {
    if (!Array.isArray(template)) throw new TypeError('Invalid template for Menu: Menu template must be an array');
    const menu = new Menu();
    for (const item of template) {
      if (typeof item !== 'object' || item === null || !('label' in item || 'role' in item || 'type' in item)) {
        throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
      }
      menu.append(item instanceof MenuItem ? item : new MenuItem(item));
    }
    return menu;
  }
  /** @param {Menu | null} menu */
  static setApplicationMenu(menu) {
    if (menu && !(menu instanceof Menu)) throw new TypeError('Invalid menu');
    applicationMenu = menu;
  }
  static getApplicationMenu() {
    return applicationMenu;
  }
}
