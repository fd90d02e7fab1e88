import { afterEach, describe, expect, it } from 'vitest';
import { cleanUp, launch } from './__fixtures__/harness.mjs';

describe('under Playwright', { timeout: 60_000 }, () => {
  afterEach(cleanUp);

  it('shows the first window with its page loaded, and takes clicks and keys', async () => {
    const app = await launch();
    const page = await app.firstWindow();
    expect(await page.title()).toBe('Fixture');
    await page.click('#ask');
    await page.waitForFunction(() => document.querySelector('#answer').textContent === 'hello');
    await page.evaluate(() => document.body.append(document.createElement('input')));
    await page.focus('input');
    await page.keyboard.type('typed');
    expect(await page.inputValue('input')).toBe('typed');
    expect(app.windows()).toHaveLength(1);
  });

  it('evaluates in main, whose process is the one that was launched', async () => {
    const app = await launch();
    const page = await app.firstWindow();
    const seen = await app.evaluate(({ app: electronApp }) => ({
      pid: process.pid,
      name: electronApp.getName(),
      version: electronApp.getVersion(),
      ready: electronApp.isReady(),
    }));
    expect(seen).toEqual({ pid: app.process().pid, name: 'Stand-in Fixture', version: '3.2.1', ready: true });

    const window = await app.browserWindow(page);
    // The window is there before its document.
    const url = () => window.evaluate((browserWindow) => browserWindow.webContents.getURL());
    await expect.poll(url).toBe('fixture://app/index.html');
  });

  it('lets main be stubbed', async () => {
    const app = await launch();
    await app.firstWindow();
    const answer = await app.evaluate(async ({ dialog }) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: ['/chosen'] });
      return (await dialog.showOpenDialog({})).filePaths;
    });
    expect(answer).toEqual(['/chosen']);
  });

  it('takes screenshots, of the size that the window has', async () => {
    const app = await launch();
    const page = await app.firstWindow();
    const size = (png) => [png.readUInt32BE(16), png.readUInt32BE(20)];
    await expect.poll(async () => size(await page.screenshot())).toEqual([900, 700]);
    const captured = await app.evaluate(async ({ BrowserWindow }) => {
      const image = await BrowserWindow.getAllWindows()[0].capturePage();
      return { size: image.getSize(), png: image.toPNG().subarray(1, 4).toString() };
    });
    expect(captured).toEqual({ size: { width: 900, height: 700 }, png: 'PNG' });
  });

  it('emulates media and sizes, and reloads', async () => {
    const app = await launch();
    const page = await app.firstWindow();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
    await page.setViewportSize({ width: 640, height: 480 });
    expect(await page.evaluate(() => [innerWidth, innerHeight])).toEqual([640, 480]);
    await page.evaluate(() => {
      document.title = 'before';
    });
    await page.reload();
    expect(await page.title()).toBe('Fixture');
    expect(await page.evaluate(() => window.api.invoke('echo', 1))).toEqual([1]);
  });

  it('follows the theme that main chooses', async () => {
    const app = await launch({ colorScheme: null });
    const page = await app.firstWindow();
    const isDark = () => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
    expect(await isDark()).toBe(false);
    const events = await app.evaluate(({ nativeTheme }) => {
      let updates = 0;
      nativeTheme.on('updated', () => updates++);
      nativeTheme.themeSource = 'dark';
      return { updates, dark: nativeTheme.shouldUseDarkColors };
    });
    expect(events).toEqual({ updates: 1, dark: true });
    await expect.poll(isDark).toBe(true);
  });

  it('opens and closes further windows', async () => {
    const app = await launch();
    await app.firstWindow();
    const opened = app.waitForEvent('window');
    await app.evaluate(() => {
      globalThis.fixture.open();
    });
    const second = await opened;
    await second.waitForSelector('h1');
    expect(app.windows()).toHaveLength(2);
    await second.close();
    await expect.poll(() => app.windows().length).toBe(1);
    // Main hears of it on a way of its own.
    await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });

  it('closes in an orderly way', async () => {
    const app = await launch();
    await app.firstWindow();
    await app.evaluate(({ app: electronApp }) => {
      for (const name of ['before-quit', 'will-quit', 'quit']) {
        electronApp.on(name, () => process.stdout.write(`event ${name}\n`));
      }
    });
    let output = '';
    app.process().stdout.on('data', (chunk) => {
      output += chunk;
    });
    const ended = new Promise((resolve) => app.process().on('close', (code) => resolve(code)));
    await app.close();
    expect(await ended).toBe(0);
    expect(output.match(/event \S+/g)).toEqual(['event before-quit', 'event will-quit', 'event quit']);
  });
});
