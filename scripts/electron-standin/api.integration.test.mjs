import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cleanUp, launch, startScript, temporaryFolder } from './__fixtures__/harness.mjs';

/** @type {Awaited<ReturnType<typeof launch>>} */
let app;
/** @type {http.Server} */
let server;
let origin = '';
let stderr = '';

describe("main's modules", { timeout: 60_000 }, () => {
  beforeAll(async () => {
    // Stands for a web server and for a proxy, which gets absolute addresses.
    server = http.createServer((request, response) => response.end(JSON.stringify({ asked: request.url })));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${server.address().port}`;
    app = await launch({
      env: { HTTP_PROXY: origin, http_proxy: origin, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
    });
    app.process().stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    await app.firstWindow();
    // It shows itself once it has painted, and would take the focus from the windows of these tests.
    const isShown = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() !== null);
    await vi.waitFor(async () => expect(await isShown()).toBe(true), { timeout: 30_000 });
  }, 60_000);
  afterAll(async () => {
    await cleanUp();
    server.close();
  });

  it('BrowserWindow keeps state and says what changes', async () => {
    const seen = await app.evaluate(async ({ BrowserWindow }) => {
      const window = new BrowserWindow({
        x: 10,
        y: 20,
        width: 500,
        height: 400,
        minWidth: 300,
        show: false,
        title: 'T',
      });
      const events = [];
      for (const name of [
        'show',
        'hide',
        'focus',
        'blur',
        'resize',
        'move',
        'maximize',
        'unmaximize',
        'minimize',
        'restore',
      ]) {
        window.on(name, () => events.push(name));
      }
      const take = () => events.splice(0).join();
      const steps = {
        created: [window.getBounds(), window.isVisible(), window.isFocused(), window.getTitle()],
      };
      const step = async (name, action, result) => {
        action();
        await new Promise((resolve) => setImmediate(resolve));
        steps[name] = [result(), take()];
      };
      await step(
        'show',
        () => window.show(),
        () => [window.isVisible(), BrowserWindow.getFocusedWindow() === window],
      );
      await step(
        'size',
        () => window.setSize(100, 200),
        () => window.getSize(),
      );
      await step(
        'bounds',
        () => window.setBounds({ x: 1 }),
        () => window.getBounds(),
      );
      await step(
        'maximize',
        () => window.maximize(),
        () => [window.isMaximized(), window.getNormalBounds()],
      );
      await step(
        'unmaximize',
        () => window.unmaximize(),
        () => window.getBounds(),
      );
      await step(
        'minimize',
        () => window.minimize(),
        () => [window.isMinimized(), window.isVisible()],
      );
      await step(
        'restore',
        () => window.restore(),
        () => window.isMinimized(),
      );
      await step(
        'hide',
        () => window.hide(),
        () => window.isVisible(),
      );
      const found = [
        BrowserWindow.fromId(window.id) === window,
        BrowserWindow.fromWebContents(window.webContents) === window,
      ];
      window.destroy();
      let late;
      try {
        window.getBounds();
      } catch (error) {
        late = error.message;
      }
      return { ...steps, found, late, destroyed: window.isDestroyed(), left: BrowserWindow.fromId(window.id) };
    });
    const normal = { x: 1, y: 20, width: 300, height: 200 };
    expect(seen).toEqual({
      created: [{ x: 10, y: 20, width: 500, height: 400 }, false, false, 'T'],
      show: [[true, true], 'show,focus'],
      size: [[300, 200], 'resize'],
      bounds: [normal, 'move'],
      maximize: [[true, normal], 'resize,move,maximize'],
      unmaximize: [normal, 'resize,move,unmaximize'],
      minimize: [[true, false], 'blur,minimize'],
      restore: [false, 'restore'],
      hide: [false, 'hide'],
      found: [true, true],
      late: 'Object has been destroyed',
      destroyed: true,
      left: null,
    });
  });

  it('the page has the size that the window was given', async () => {
    const isSized = async (window) => (await window.title().catch(() => '')) === 'sized';
    const opened = app.waitForEvent('window', isSized);
    await app.evaluate(async ({ BrowserWindow }) => {
      const window = new BrowserWindow({ width: 640, height: 480 });
      await window.loadURL('data:text/html,<title>sized</title>');
    });
    const page = await opened;
    const size = () => page.evaluate(() => [innerWidth, innerHeight]);
    await expect.poll(size).toEqual([640, 480]);
    await (await app.browserWindow(page)).evaluate((window) => window.setSize(800, 600));
    await expect.poll(size).toEqual([800, 600]);
    await (await app.browserWindow(page)).evaluate((window) => window.close());
  });

  it('refuses windows that would not be isolated', async () => {
    const errors = await app.evaluate(({ BrowserWindow }) =>
      [{ contextIsolation: false }, { sandbox: false }, { nodeIntegration: true }, { webSecurity: false }].map(
        (webPreferences) => {
          try {
            new BrowserWindow({ webPreferences });
            return 'opened';
          } catch (error) {
            return error.message;
          }
        },
      ),
    );
    expect(errors).toEqual([
      'not emulated: webPreferences.contextIsolation: false',
      'not emulated: webPreferences.sandbox: false',
      'not emulated: webPreferences.nodeIntegration: true',
      'not emulated: webPreferences.webSecurity: false',
    ]);
  });

  it('menus are built, searched and clicked', async () => {
    const seen = await app.evaluate(({ Menu, MenuItem, BrowserWindow }) => {
      const clicks = [];
      const menu = Menu.buildFromTemplate([
        { role: 'fileMenu' },
        {
          label: 'Mine',
          submenu: [{ id: 'act', label: 'Act', click: (item, window) => clicks.push([item.id, window?.id]) }],
        },
        { id: 'a', type: 'radio', label: 'A', checked: true },
        { id: 'b', type: 'radio', label: 'B' },
        { id: 'check', type: 'checkbox', label: 'C' },
        { id: 'zoom', role: 'zoomIn' },
      ]);
      Menu.setApplicationMenu(menu);
      const window = BrowserWindow.getAllWindows()[0];
      window.focus();
      for (const id of ['act', 'b', 'check', 'zoom']) Menu.getApplicationMenu().getMenuItemById(id).click();
      const attempt = (template) => {
        try {
          return Boolean(Menu.buildFromTemplate(template));
        } catch (error) {
          return error.message;
        }
      };
      const zoom = window.webContents.getZoomLevel();
      window.webContents.setZoomLevel(0);
      return {
        clicks: clicks.map(([id, windowId]) => [id, windowId === window.id]),
        checked: ['a', 'b', 'check'].map((id) => menu.getMenuItemById(id).checked),
        zoom,
        file: menu.items[0].submenu.items.map(({ role, label, accelerator }) => [role, label, accelerator]),
        wrongRole: attempt([{ role: 'frobnicate' }]),
        empty: attempt([{}]),
        item: new MenuItem({ label: 'x' }).enabled,
      };
    });
    expect(seen).toEqual({
      clicks: [['act', true]],
      checked: [false, true, true],
      zoom: 0.5,
      file: [['quit', 'Quit', 'CommandOrControl+Q']],
      wrongRole: "not emulated: the menu role 'frobnicate'",
      empty: 'Invalid template for MenuItem: must have at least one of label, role or type',
      item: true,
    });
  });

  it('safeStorage has the weak backend, as on a Linux without keyring', async () => {
    const seen = await app.evaluate(async ({ safeStorage }) => {
      const attempt = async (action) => {
        try {
          return await action();
        } catch (error) {
          return error.message;
        }
      };
      const encrypted = await safeStorage.encryptStringAsync('sëcret');
      const before = [safeStorage.isEncryptionAvailable(), await attempt(() => safeStorage.encryptString('x'))];
      safeStorage.setUsePlainTextEncryption(true);
      const after = [safeStorage.isEncryptionAvailable(), safeStorage.decryptString(safeStorage.encryptString('x'))];
      safeStorage.setUsePlainTextEncryption(false);
      return {
        backend: safeStorage.getSelectedStorageBackend(),
        available: await safeStorage.isAsyncEncryptionAvailable(),
        isBuffer: Buffer.isBuffer(encrypted),
        hidden: !encrypted.includes('sëcret'),
        decrypted: await safeStorage.decryptStringAsync(encrypted),
        damaged: await attempt(() => safeStorage.decryptStringAsync(Buffer.from('v10damaged'))),
        foreign: await attempt(() => safeStorage.decryptStringAsync(Buffer.from('something else'))),
        text: await attempt(() => safeStorage.decryptStringAsync('text')),
        before,
        after,
      };
    });
    const failed = 'Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.';
    expect(seen).toEqual({
      backend: 'basic_text',
      available: true,
      isBuffer: true,
      hidden: true,
      decrypted: { shouldReEncrypt: false, result: 'sëcret' },
      damaged: failed,
      foreign: failed,
      text: 'Expected the first argument of decryptStringAsync() to be a buffer',
      before: [false, expect.stringContaining('Encryption is not available')],
      after: [true, 'x'],
    });
  });

  it('net.fetch uses the proxy of the environment, and the global fetch does not', async () => {
    const file = path.join(temporaryFolder(), 'a b.txt');
    fs.writeFileSync(file, 'from a file');
    const seen = await app.evaluate(
      async ({ net, session }, [direct, fileUrl]) => {
        const ask = async (fetching) => (await fetching).text().then((text) => JSON.parse(text).asked, String);
        const read = await net.fetch(fileUrl);
        return {
          proxied: await ask(net.fetch('http://somewhere.invalid/path?q')),
          exempt: await ask(net.fetch(`${direct}/near`)),
          global: await fetch('http://somewhere.invalid/').then(
            () => 'reached',
            () => 'failed',
          ),
          resolved: [
            await session.defaultSession.resolveProxy('http://somewhere.invalid/'),
            await session.defaultSession.resolveProxy(direct),
          ],
          file: [await read.text(), read.headers.get('content-type')],
          missing: await net.fetch(`${fileUrl}.not`).catch((error) => error.message),
          own: await (await net.fetch('fixture://app/frame.html')).text(),
        };
      },
      [origin, pathToFileURL(file).href],
    );
    expect(seen).toEqual({
      proxied: 'http://somewhere.invalid/path?q',
      exempt: '/near',
      global: 'failed',
      resolved: [`PROXY ${new URL(origin).host}`, 'DIRECT'],
      file: ['from a file', 'text/plain'],
      missing: 'net::ERR_FILE_NOT_FOUND',
      own: expect.stringContaining('in a frame'),
    });
  });

  it('shell and dialog do nothing but say so', async () => {
    const seen = await app.evaluate(async ({ shell, dialog, BrowserWindow }) => [
      await shell.openExternal('https://example.com/page'),
      await shell.openExternal('no address').catch((error) => error.message),
      await shell.openPath('/some/folder'),
      await dialog.showOpenDialog(BrowserWindow.getAllWindows()[0], {}),
      await dialog.showMessageBox({ message: 'Sure?', buttons: ['Yes', 'Cancel'] }),
      await dialog.showSaveDialog({}),
    ]);
    expect(seen).toEqual([
      undefined,
      'Invalid URL',
      '',
      { canceled: true, filePaths: [] },
      { response: 1, checkboxChecked: false },
      { canceled: true, filePath: '' },
    ]);
    await expect.poll(() => stderr).toContain('shell.openExternal https://example.com/page');
    expect(stderr).toContain('Sure?');
  });

  it('small modules are there', async () => {
    const seen = await app.evaluate(async ({ app: electronApp, clipboard, screen, Notification, nativeImage, net }) => {
      await clipboard.writeText('copied');
      new Notification({ title: 'x' }).show();
      electronApp.commandLine.appendSwitch('some-switch', 'value');
      return {
        text: await clipboard.readText(),
        display: screen.getPrimaryDisplay().workArea,
        displays: screen.getAllDisplays().length,
        notifications: Notification.isSupported(),
        empty: nativeImage.createEmpty().isEmpty(),
        online: net.isOnline(),
        switches: [
          electronApp.commandLine.hasSwitch('some-switch'),
          electronApp.commandLine.getSwitchValue('SOME-switch'),
        ],
        none: electronApp.commandLine.hasSwitch('none'),
      };
    });
    expect(seen).toEqual({
      text: 'copied',
      display: { x: 0, y: 0, width: 1920, height: 1080 },
      displays: 1,
      notifications: false,
      empty: true,
      online: true,
      switches: [true, 'value'],
      none: false,
    });
  });

  it('refuses by name what it does not emulate', async () => {
    const errors = await app.evaluate((electron) => {
      const window = electron.BrowserWindow.getAllWindows()[0];
      const attempts = [
        () => new electron.Tray('icon.png'),
        () => electron.utilityProcess.fork('x'),
        () => electron.globalShortcut.register('A', () => {}),
        () => electron.app.dock.show(),
        () => electron.dialog.showCertificateTrustDialog({}),
        () => electron.session.fromPartition('x'),
        () => electron.session.defaultSession.cookies,
        () => window.setOpacity(1),
        () => window.webContents.debugger,
        () => window.webContents.mainFrame.osProcessId,
        () => electron.nothingLikeThis,
        () => electron.app.relaunch(),
      ];
      return attempts.map((attempt) => {
        try {
          attempt();
          return 'done';
        } catch (error) {
          return error.message;
        }
      });
    });
    expect(errors).toEqual([
      'not emulated: Tray',
      'not emulated: utilityProcess.fork',
      'not emulated: globalShortcut.register',
      'not emulated: app.dock',
      'not emulated: dialog.showCertificateTrustDialog',
      'not emulated: session.fromPartition',
      'not emulated: session.cookies',
      'not emulated: BrowserWindow.setOpacity',
      'not emulated: webContents.debugger',
      'not emulated: webFrameMain.osProcessId',
      'not emulated: electron.nothingLikeThis',
      'not emulated: app.relaunch',
    ]);
  });

  it('refuses what comes too early', async () => {
    const run = startScript(`
      const attempts = [
        () => new BrowserWindow(),
        () => electron.session.defaultSession,
        () => electron.protocol.handle('x', () => {}),
        () => electron.screen.getPrimaryDisplay(),
        () => electron.safeStorage.encryptString('x'),
        () => electron.safeStorage.getSelectedStorageBackend(),
        () => electron.safeStorage.isEncryptionAvailable(),
      ];
      for (const attempt of attempts) {
        try { say(attempt()); } catch (error) { say(error.message); }
      }
      app.whenReady().then(() => {
        try { electron.protocol.registerSchemesAsPrivileged([]); } catch (error) { say(error.message); }
        app.quit();
      });`);
    await run.ended;
    expect(run.stdout.trim().split('\n')).toEqual([
      'Cannot create BrowserWindow before app is ready',
      'Session can only be received when app is ready',
      'protocol.handle can only be called when app is ready',
      "The 'screen' module can't be used before the app 'ready' event",
      'safeStorage cannot be used before app is ready',
      'unknown',
      'false',
      'protocol.registerSchemesAsPrivileged should be called before app is ready',
    ]);
  });

  it('answers the dialogs of pages when nobody debugs them', async () => {
    const run = startScript(`
      electron.dialog.showMessageBox = async (...args) => { say('asked', args.at(-1).message); return { response: 0 }; };
      app.whenReady().then(async () => {
        const window = new BrowserWindow();
        await window.loadURL('data:text/html,<title>x</title>');
        say(await window.webContents.executeJavaScript("alert('told'); String(confirm('sure')) + prompt('name')"));
        app.quit();
      });`);
    expect((await run.ended).code).toBe(0);
    expect(run.stdout.trim().split('\n')).toEqual(['asked told', 'asked sure', 'truenull']);
  });

  it.runIf(fs.existsSync('/usr/bin/xvfb-run'))('shows a real window when there is a display', async () => {
    const { spawn } = await import('node:child_process');
    const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x800x24'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    try {
      const display = await new Promise((resolve) =>
        xvfb.stdio[3].once('data', (chunk) => resolve(`:${String(chunk).trim()}`)),
      );
      const visible = await launch({ env: { DISPLAY: display } });
      const page = await visible.firstWindow();
      await page.click('#ask');
      await page.waitForFunction(() => document.querySelector('#answer').textContent === 'hello');
      expect(await page.evaluate(() => navigator.userAgent)).not.toContain('Headless');
      await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toEqual([900, 700]);
      expect(visible.windows()).toHaveLength(1);
      await visible.close();
    } finally {
      xvfb.kill();
    }
  });
});
