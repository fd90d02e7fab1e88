import { join } from 'node:path';
import type { Settings } from '@shared/contracts/settings.contract.ts';
import { app, BrowserWindow, nativeTheme, session } from 'electron';
import { showNotification } from '../platform/notifications.ts';
import { ensureSampleFiles } from '../platform/sample-files.ts';
import { openExternal } from '../platform/window/external-links.ts';
import { lockDown, openMainWindow, refusePermissions, saveWindowState } from '../platform/window/main-window.ts';
import { installMenu } from '../platform/window/menu.ts';
import { RENDERER_ORIGIN, serveRenderer } from '../platform/window/renderer-scheme.ts';
import { McpProcessTracker } from '../services/agent-core/engine/tinyelf/tools/McpProcessTracker.ts';
import { NoticeBoard } from '../services/notices/NoticeBoard.ts';
import { createDispatcher } from '../services/routers/dispatcher.ts';
import { showsPageOf } from '../services/routers/own-page.ts';
import { SettingsService } from '../services/settings/SettingsService.ts';
import { chooseFolder, chooseFolders, createDesktop } from './desktop.ts';
import { exportPlaces } from './export-places.ts';
import { createEventHub, registerChannels } from './ipc.ts';
import { tieLifeCycle } from './life-cycle.ts';
import { createPlatform, createSecrets } from './platform.ts';
import { createRouters } from './routers.ts';
import { createServices } from './services.ts';
import { createShutdown } from './shutdown.ts';
import { createWaitingNotices } from './waiting-notices.ts';
import { onWake } from './wake.ts';

const APP_FOLDER = app.getAppPath();
/** Set by electron-vite while developing; the page then comes from its server. */
const DEV_SERVER_URL = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL;
const PAGE_URL = DEV_SERVER_URL ?? `${RENDERER_ORIGIN}/`;

/** Starts the app: everything is put together here, in the order in which it is needed. */
export function start(): void {
  const events = createEventHub();
  const notices = new NoticeBoard((notice) => events.emit({ type: 'app.notice', payload: notice }));
  const post = notices.post.bind(notices);

  const platform = createPlatform(post);
  const { paths, logger, processes } = platform;
  processes.removeLeftovers();
  void processes.prepare();
  try {
    ensureSampleFiles(join(APP_FOLDER, 'resources/sample-files'), paths.sample);
  } catch (error) {
    // A full disk, say: chats are there all the same.
    logger.error('The sample files could not be copied', { error: String(error) });
  }

  const settings = new SettingsService({
    document: platform.openDocument(paths.settings),
    events: {
      emit: (event) => {
        applyTheme(settings.get());
        events.emit(event);
      },
    },
    logger,
    onInvalid: (names) => post('record-skipped', { name: names.join(', ') }),
  });
  applyTheme(settings.get());
  const { secrets, strength } = createSecrets(platform, () => settings.get().weakSecrets, post);
  const services = createServices({
    platform,
    secrets,
    settings,
    events,
    post,
    version: app.getVersion(),
    chooseFolder,
    chooseFolders,
    openExternal,
    exportPlaces,
    notify: ({ title, text }) =>
      showNotification({ title, body: text, onClick: () => showWindow(openWindow) }) !== undefined,
    presetsFolder: join(APP_FOLDER, 'resources/presets'),
  });
  const { conversations, completion, mcp, oauth } = services;
  completion.recoverInterrupted();

  const desktop = createDesktop({
    paths,
    secretStrength: strength,
    chooseWeakSecrets: (choice) => {
      settings.set({ weakSecrets: choice });
      notices.dismissKind('weak-secrets');
    },
  });
  const routers = createRouters(services, { desktop, notices, events });
  registerChannels(createDispatcher(Object.values(routers), showsPageOf(PAGE_URL), logger));

  const windowState = platform.openDocument(paths.windowState);
  // `app.exit` asks no window to close.
  const saveWindows = () => {
    for (const window of BrowserWindow.getAllWindows()) saveWindowState(window, { state: windowState, logger });
  };
  tieLifeCycle({
    shutdown: createShutdown(
      [
        { name: 'streams', parts: [() => completion.shutdown(), () => oauth.close(), saveWindows] },
        { name: 'servers', parts: [() => mcp.closeAll(), () => McpProcessTracker.getInstance().closeAll()] },
        { name: 'processes', parts: [() => processes.stopAll()] },
        { name: 'stores', parts: [() => conversations.close(), () => processes.dispose()] },
      ],
      logger,
    ),
    killAll: () => processes.killAllSync(),
    logger,
  });

  serveRenderer(join(APP_FOLDER, 'out/renderer'));
  refusePermissions(session.defaultSession);
  app.on('web-contents-created', (_event, contents) => lockDown(contents));
  installMenu((command) => events.emit({ type: 'app.command', payload: { command } }));

  const openWindow = () =>
    openMainWindow({
      url: PAGE_URL,
      preload: join(APP_FOLDER, 'out/preload/index.cjs'),
      icon: join(APP_FOLDER, 'resources/icons/icon.png'),
      state: windowState,
      logger,
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#1d1a17' : '#faf7f3',
      onRendererRestarted: () => post('renderer-restarted'),
    });

  const waiting = createWaitingNotices({
    titleOf: (conversationId) => conversations.get(conversationId)?.title,
    show: (conversationId) => {
      showWindow(openWindow);
      if (conversationId) events.emit({ type: 'app.openConversation', payload: { conversationId } });
    },
  });
  events.watch((event) => waiting.see(event));

  const window = openWindow();
  // The person sees the app first; servers and whatever they cost come after.
  window.webContents.once('did-finish-load', () => {
    void services.forgetGoneRuns();
    void mcp.addBuiltin('files', 'files').then(
      () => mcp.connectEnabled(),
      (error: unknown) => logger.error('The built-in server could not be added', { error: String(error) }),
    );
  });

  onWake(() => mcp.wake());

  app.on('second-instance', () => showWindow(openWindow));
  app.on('activate', () => showWindow(openWindow));
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
}

/** Also for what the page doesn't draw: menus, the title bar, the first background. */
function applyTheme({ theme }: Settings): void {
  nativeTheme.themeSource = theme;
}

function showWindow(openWindow: () => BrowserWindow): void {
  const [window] = BrowserWindow.getAllWindows();
  if (!window) {
    openWindow();
    return;
  }
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
