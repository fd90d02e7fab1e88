import { internals } from './web-contents.mjs';

/**
 * Electron's menu roles on Linux.
 *
 * @typedef {object} Role
 * @property {string} label
 * @property {string} [accelerator]
 * @property {boolean} [registerAccelerator]
 * @property {() => void} [app]
 * @property {(window: any) => void} [window]
 * @property {(contents: any) => void} [contents]
 * @property {object[]} [submenu]
 */

/** @type {Record<string, Role>} */
export const ROLES = {
  about: { label: 'About', app: () => internals.app.showAboutPanel() },
  close: { label: 'Close', accelerator: 'CommandOrControl+W', window: (w) => w.close() },
  copy: { label: 'Copy', accelerator: 'CommandOrControl+C', contents: (c) => c.copy(), registerAccelerator: false },
  cut: { label: 'Cut', accelerator: 'CommandOrControl+X', contents: (c) => c.cut(), registerAccelerator: false },
  delete: { label: 'Delete', contents: (c) => c.delete() },
  forcereload: {
    label: 'Force Reload',
    accelerator: 'Shift+CmdOrCtrl+R',
    window: (w) => w.webContents.reloadIgnoringCache(),
  },
  front: { label: 'Bring All to Front' },
  help: { label: 'Help' },
  hide: { label: 'Hide', accelerator: 'Command+H' },
  hideothers: { label: 'Hide Others', accelerator: 'Command+Alt+H' },
  minimize: { label: 'Minimize', accelerator: 'CommandOrControl+M', window: (w) => w.minimize() },
  paste: { label: 'Paste', accelerator: 'CommandOrControl+V', contents: (c) => c.paste(), registerAccelerator: false },
  pasteandmatchstyle: {
    label: 'Paste and Match Style',
    accelerator: 'Shift+CommandOrControl+V',
    contents: (c) => c.pasteAndMatchStyle(),
    registerAccelerator: false,
  },
  quit: { label: 'Quit', accelerator: 'CommandOrControl+Q', app: () => internals.app.quit() },
  redo: { label: 'Redo', accelerator: 'Shift+CommandOrControl+Z', contents: (c) => c.redo() },
  reload: { label: 'Reload', accelerator: 'CmdOrCtrl+R', window: (w) => w.reload() },
  resetzoom: { label: 'Actual Size', accelerator: 'CommandOrControl+0', contents: (c) => c.setZoomLevel(0) },
  selectall: { label: 'Select All', accelerator: 'CommandOrControl+A', contents: (c) => c.selectAll() },
  services: { label: 'Services' },
  recentdocuments: { label: 'Open Recent' },
  clearrecentdocuments: { label: 'Clear Menu' },
  showsubstitutions: { label: 'Show Substitutions' },
  togglesmartquotes: { label: 'Smart Quotes' },
  togglesmartdashes: { label: 'Smart Dashes' },
  toggletextreplacement: { label: 'Text Replacement' },
  startspeaking: { label: 'Start Speaking' },
  stopspeaking: { label: 'Stop Speaking' },
  toggledevtools: { label: 'Toggle Developer Tools', accelerator: 'Ctrl+Shift+I', contents: (c) => c.toggleDevTools() },
  togglefullscreen: {
    label: 'Toggle Full Screen',
    accelerator: 'F11',
    window: (w) => w.setFullScreen(!w.isFullScreen()),
  },
  undo: { label: 'Undo', accelerator: 'CommandOrControl+Z', contents: (c) => c.undo() },
  unhide: { label: 'Show All' },
  window: { label: 'Window' },
  zoom: { label: 'Zoom' },
  zoomin: {
    label: 'Zoom In',
    accelerator: 'CommandOrControl+Plus',
    contents: (c) => c.setZoomLevel(c.getZoomLevel() + 0.5),
  },
  zoomout: {
    label: 'Zoom Out',
    accelerator: 'CommandOrControl+-',
    contents: (c) => c.setZoomLevel(c.getZoomLevel() - 0.5),
  },
  togglespellchecker: {
    label: 'Check Spelling While Typing',
    contents: (c) => c.session.setSpellCheckerEnabled(!c.session.isSpellCheckerEnabled()),
  },
  appmenu: { label: 'Electron', submenu: [{ role: 'about' }, { type: 'separator' }, { role: 'quit' }] },
  filemenu: { label: 'File', submenu: [{ role: 'quit' }] },
  editmenu: {
    label: 'Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      { type: 'separator' },
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'delete' },
      { type: 'separator' },
      { role: 'selectAll' },
    ],
  },
  viewmenu: {
    label: 'View',
    submenu: [
      { role: 'reload' },
      { role: 'forceReload' },
      { role: 'toggleDevTools' },
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  },
  windowmenu: { label: 'Window', submenu: [{ role: 'minimize' }, { role: 'zoom' }, { role: 'close' }] },
  sharemenu: { label: 'Share', submenu: [] },
};
