import fs from 'node:fs';
import path from 'node:path';
import { app, BrowserWindow, ipcMain, net, protocol, session } from 'electron';

const folder = import.meta.dirname;
const log = (text) => process.stdout.write(`[fixture] ${text}\n`);
globalThis.fixture = { log, events: [] };

protocol.registerSchemesAsPrivileged([
  { scheme: 'fixture', privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);

if (!app.requestSingleInstanceLock({ from: 'fixture' })) {
  log('no lock');
  app.quit();
} else {
  app.on('second-instance', (_event, argv, workingDirectory, data) => {
    log(`second ${JSON.stringify({ last: argv.at(-1), workingDirectory, data })}`);
  });

  ipcMain.handle('echo', (_event, ...args) => args);
  ipcMain.handle('sender', (event) => ({
    url: event.senderFrame?.url,
    origin: event.senderFrame?.origin,
    id: event.sender.id,
  }));
  ipcMain.handle('throw', () => {
    throw new TypeError('no such thing');
  });
  ipcMain.handle('uncloneable', () => () => {});
  ipcMain.on('ping', (event, value) => event.reply('pong', value));

  globalThis.fixture.open = (url = 'fixture://app/index.html', options = {}) => {
    const window = new BrowserWindow({
      width: 900,
      height: 700,
      show: false,
      ...options,
      webPreferences: { preload: path.join(folder, 'preload.cjs'), ...options.webPreferences },
    });
    window.once('ready-to-show', () => window.show());
    window.webContents.setWindowOpenHandler((details) => {
      globalThis.fixture.events.push(['open', details.url, details.disposition]);
      return { action: 'deny' };
    });
    globalThis.fixture.loaded = window.loadURL(url);
    globalThis.fixture.loaded.catch((error) => log(`load failed: ${error.message}`));
    return window;
  };

  app.whenReady().then(() => {
    session.defaultSession.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
    session.defaultSession.setPermissionCheckHandler(() => false);
    protocol.handle('fixture', async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/post') {
        return Response.json({ method: request.method, body: await request.text(), url: request.url });
      }
      if (pathname === '/missing') return new Response('nothing here', { status: 404, statusText: 'Not Found' });
      if (pathname === '/fail') throw new Error('handler failed');
      const file = path.join(folder, 'pages', pathname);
      if (!fs.existsSync(file)) return new Response('', { status: 404 });
      const response = await net.fetch(`file://${file}`);
      const headers = new Headers(response.headers);
      headers.set('content-security-policy', "default-src 'self'; connect-src 'self' fixture:");
      return new Response(response.body, { headers });
    });
    globalThis.fixture.open();
    log('ready');
  });
}
