import { BrowserWindow, type Session, screen } from 'electron';
import type { DocumentStore, Logger } from '../../services/ports/infrastructure.ts';
import { openExternal } from './external-links.ts';
import { MIN_SIZE, placeWindow } from './window-place.ts';

/** A renderer that keeps dying is not reloaded more often than this within a minute. */
const MAX_RELOADS_A_MINUTE = 3;

export interface MainWindowOptions {
  url: string;
  preload: string;
  icon: string;
  /** Where position and size are kept. */
  state: DocumentStore;
  logger: Logger;
  /** The page's background before its first paint, so that no white flashes in the dark. */
  backgroundColor: string;
  onRendererRestarted(): void;
}

/** Opens the app's window where it was left, on a display that is still there. */
export function openMainWindow(options: MainWindowOptions): BrowserWindow {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  const { maximized, ...place } = placeWindow(
    options.state.read(),
    [primary, ...others].map(({ workArea }) => workArea),
  );
  const window = new BrowserWindow({
    ...place,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    show: false,
    title: 'TinyElf',
    icon: options.icon,
    backgroundColor: options.backgroundColor,
    autoHideMenuBar: true,
    webPreferences: {
      preload: options.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: true,
    },
  });
  if (maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => saveWindowState(window, options));
  reloadWhenGone(window, options);
  void window.loadURL(options.url);
  return window;
}

/** Refuses what a page of ours never asks for: other pages, new windows, frames and permissions. */
export function lockDown(contents: Electron.WebContents): void {
  contents.on('will-frame-navigate', (event) => {
    // A page may load itself again (development does); it may go nowhere else.
    if (!event.isMainFrame || event.url !== contents.getURL()) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    void openExternal(url);
    return { action: 'deny' };
  });
}

/** Refuses every permission, asked for or looked up. Copying goes through main. */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
}

function reloadWhenGone(window: BrowserWindow, { logger, onRendererRestarted }: MainWindowOptions): void {
  let reloads: number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    logger.error('The renderer died', { reason, exitCode });
    reloads = reloads.filter((at) => at > Date.now() - 60_000);
    if (reloads.length >= MAX_RELOADS_A_MINUTE) return;
    reloads.push(Date.now());
    onRendererRestarted();
    window.webContents.reload();
  });
}

/** Keeps where the window is for the next start. Never throws. */
export function saveWindowState(
  window: BrowserWindow,
  { state, logger }: Pick<MainWindowOptions, 'state' | 'logger'>,
): void {
  try {
    state.write({ ...window.getNormalBounds(), maximized: window.isMaximized() });
  } catch (error) {
    // Where the window was is no reason to keep it from closing.
    logger.warn('The place of the window was not saved', { error: String(error) });
  }
}
