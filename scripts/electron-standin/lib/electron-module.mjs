import { App } from './app.mjs';
import { BrowserWindow } from './browser-window.mjs';
import { clipboard } from './clipboard.mjs';
import { dialog } from './dialog.mjs';
import { WebFrameMain } from './frames.mjs';
import { ipcMain } from './ipc-main.mjs';
import { Menu, MenuItem } from './menu.mjs';
import { nativeImage } from './native-image.mjs';
import { nativeTheme } from './native-theme.mjs';
import { net } from './net.mjs';
import { absent, refuseMissing } from './not-emulated.mjs';
import { Notification } from './notification.mjs';
import { powerMonitor } from './power-monitor.mjs';
import { protocol } from './protocol.mjs';
import { safeStorage } from './safe-storage.mjs';
import { screen } from './screen.mjs';
import { session } from './session.mjs';
import { shell } from './shell.mjs';
import { internals, WebContents } from './web-contents.mjs';

/** The parts of Electron's main process that importing code may name but not use. */
export const ABSENT = /** @type {const} */ ([
  'autoUpdater',
  'BaseWindow',
  'BrowserView',
  'ClipboardItem',
  'contentTracing',
  'crashReporter',
  'desktopCapturer',
  'globalShortcut',
  'ImageView',
  'inAppPurchase',
  'IpcMainServiceWorker',
  'MessageChannelMain',
  'netLog',
  'powerSaveBlocker',
  'pushNotifications',
  'sharedTexture',
  'ShareMenu',
  'systemPreferences',
  'TouchBar',
  'Tray',
  'utilityProcess',
  'View',
  'WebContentsView',
  'WebSocket',
]);

/**
 * Makes Electron's module; there is one for each process.
 *
 * @param {string} electronVersion
 */
export function setUpElectron(electronVersion) {
  const app = new App(electronVersion);
  internals.app = app;
  internals.dialog = dialog;
  const emulated = {
    app,
    BrowserWindow,
    clipboard,
    dialog,
    ipcMain,
    Menu,
    MenuItem,
    nativeImage,
    nativeTheme,
    net,
    Notification,
    powerMonitor,
    protocol,
    safeStorage,
    screen,
    session,
    shell,
    webContents: WebContents,
    webFrameMain: WebFrameMain,
  };
  const rest = Object.fromEntries(ABSENT.map((name) => [name, absent(name)]));
  return refuseMissing('electron', { ...emulated, ...rest });
}
