import http from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cleanUp, launch } from './__fixtures__/harness.mjs';

/** @type {Awaited<ReturnType<typeof launch>>} */
let app;
/** @type {import('@playwright/test').Page} */
let page;
/** @type {http.Server} */
let server;
let origin = '';
/** @type {string[]} */
let requested = [];

/** Records events of the window's WebContents; `prevent` stops what they announce. */
const watch = (names, prevent = []) =>
  app.evaluate(
    ({ BrowserWindow }, [watched, prevented]) => {
      globalThis.seen = [];
      const { webContents } = BrowserWindow.getAllWindows()[0];
      for (const [name, listener] of globalThis.watching ?? []) webContents.off(name, listener);
      globalThis.watching = watched.map((name) => {
        const listener = (event, ...args) => {
          const url = event.url ?? args.find((arg) => typeof arg === 'string');
          globalThis.seen.push(url ? `${name} ${url}` : name);
          if (prevented.includes(name)) event.preventDefault();
        };
        webContents.on(name, listener);
        return [name, listener];
      });
    },
    [names, prevent],
  );
let loads = 0;
/** Loads a page and waits until Playwright has noticed, too. */
const load = async (url) => {
  const mark = ++loads;
  await app.evaluate(
    async ({ BrowserWindow }, [target, number]) => {
      const window = BrowserWindow.getAllWindows()[0];
      await window.loadURL(target);
      await window.webContents.executeJavaScript(`window.loadMark = ${number}`);
    },
    [url, mark],
  );
  await page.waitForFunction((number) => window.loadMark === number, mark);
};
const seen = () => app.evaluate(() => globalThis.seen);

describe('pages', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    server = http.createServer((request, response) => {
      requested.push(request.url);
      if (request.url === '/redirect') response.writeHead(302, { location: '/end' }).end();
      else if (request.url === '/nothing') response.writeHead(204).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Foreign</title><p>foreign</p>');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${server.address().port}`;
    app = await launch();
    page = await app.firstWindow();
  }, 60_000);
  afterAll(async () => {
    await cleanUp();
    server.close();
  });
  beforeEach(async () => {
    requested = [];
    await load('fixture://app/index.html');
    await app.evaluate(() => {
      globalThis.fixture.events.length = 0;
    });
  });
  afterEach(() => watch([]));

  describe('of a scheme of the app', () => {
    it('are answered by the handler, with its policy enforced', async () => {
      expect(await page.evaluate(() => ({ ...document.documentElement.dataset }))).toEqual({
        script: 'ran',
        eval: 'refused',
      });
      await expect(page.evaluate((foreign) => fetch(`${foreign}/x`), origin)).rejects.toThrow('Failed to fetch');
      expect(requested).toEqual([]);
    });

    it('send their requests whole, and see status and failure', async () => {
      const result = await page.evaluate(async () => {
        const post = await (await fetch('/post?q=1', { method: 'POST', body: 'päyload' })).json();
        const missing = await fetch('/missing');
        const failed = await fetch('/fail').catch((error) => error.name);
        return { post, missing: [missing.status, await missing.text()], failed, secure: isSecureContext };
      });
      expect(result).toEqual({
        post: { method: 'POST', body: 'päyload', url: 'fixture://app/post?q=1' },
        missing: [404, 'nothing here'],
        failed: 'TypeError',
        secure: true,
      });
    });
  });

  it('load with the events of Electron', async () => {
    const names = ['did-start-loading', 'did-start-navigation', 'did-navigate', 'dom-ready', 'did-finish-load'];
    await watch([...names, 'did-stop-loading']);
    await load('fixture://app/frame.html');
    await expect
      .poll(seen)
      .toEqual([
        'did-start-navigation fixture://app/frame.html',
        'did-start-loading',
        'did-navigate fixture://app/frame.html',
        'dom-ready',
        'did-finish-load',
        'did-stop-loading',
      ]);
  });

  it('reject loadURL with the reason', async () => {
    const tryToLoad = (url) =>
      app.evaluate(
        ({ BrowserWindow }, target) =>
          BrowserWindow.getAllWindows()[0]
            .loadURL(target)
            .then(
              () => 'loaded',
              (error) => [error.code, error.errno],
            ),
        url,
      );
    expect(await tryToLoad('http://127.0.0.1:1/')).toEqual([expect.stringMatching(/^ERR_/), expect.any(Number)]);
    expect(await tryToLoad('file:///nowhere/at/all')).toEqual(['ERR_FILE_NOT_FOUND', -6]);
    expect(await tryToLoad('no url')).toEqual(['ERR_INVALID_URL', -300]);
    expect(await tryToLoad('fixture://app/fail')).toEqual(['ERR_FAILED', -2]);
    expect(await tryToLoad('data:text/html,fine')).toBe('loaded');
  });

  it('ask before they navigate, and stay when refused', async () => {
    await watch(['will-navigate', 'will-frame-navigate'], ['will-navigate']);
    await page.evaluate((url) => {
      document.querySelector('#outside').href = `${url}/outside`;
      document.querySelector('#outside').click();
    }, origin);
    await expect.poll(seen).toEqual([`will-frame-navigate ${origin}/outside`, `will-navigate ${origin}/outside`]);
    await page.evaluate((url) => {
      location.href = `${url}/script`;
    }, origin);
    await expect.poll(async () => (await seen()).length).toBe(4);
    await expect.poll(() => page.title()).toBe('Fixture');
    expect(requested).toEqual([]);
  });

  it('navigate when nobody objects, and show who they are', async () => {
    await watch(['will-navigate']);
    await page.evaluate((url) => {
      setTimeout(() => {
        location.href = `${url}/there`;
      });
    }, origin);
    await page.waitForURL(`${origin}/there`);
    expect(await seen()).toEqual([`will-navigate ${origin}/there`]);
    // The preload runs in main frames of any origin, so main must look at the sender.
    expect(await page.evaluate(() => window.api.invoke('sender'))).toMatchObject({ url: `${origin}/there`, origin });
  });

  it('are not asked about what the app does itself', async () => {
    await watch(['will-navigate', 'will-frame-navigate']);
    await load(`${origin}/a`);
    await page.reload();
    expect(await seen()).toEqual([]);
  });

  it('ask about redirects', async () => {
    await watch(['will-redirect'], ['will-redirect']);
    await app.evaluate(
      ({ BrowserWindow }, url) =>
        BrowserWindow.getAllWindows()[0]
          .loadURL(url)
          .catch(() => {}),
      `${origin}/redirect`,
    );
    expect(await seen()).toEqual([`will-redirect ${origin}/end`]);
    expect(requested).not.toContain('/end');
  });

  it('ask about links for other programs, which are never started', async () => {
    await watch(['will-navigate'], ['will-navigate']);
    await page.click('#mail');
    await expect.poll(seen).toEqual(['will-navigate mailto:someone@example.com']);
    await expect.poll(() => page.title()).toBe('Fixture');
  });

  it('open no window that is refused, however they try', async () => {
    const events = () => app.evaluate(() => globalThis.fixture.events);
    let opened = 0;
    app.on('window', () => opened++);
    expect(await page.evaluate((url) => window.open(`${url}/open`, 'name', 'width=1'), origin)).toBeNull();
    await page.click('#blank');
    await page.click('#outside', { modifiers: ['Control'] });
    await expect.poll(events).toEqual([
      ['open', `${origin}/open`, 'new-window'],
      ['open', 'http://127.0.0.1:9/blank', 'foreground-tab'],
      ['open', 'http://127.0.0.1:9/outside', 'background-tab'],
    ]);
    expect(opened).toBe(0);
    await page.click('#submit');
    await expect
      .poll(async () => (await events())[3])
      .toEqual(['open', expect.stringContaining('127.0.0.1:9/form'), 'foreground-tab']);
    await expect.poll(() => app.windows().length).toBe(1);
    expect(requested).toEqual([]);
  });

  it('give sub-frames nothing', async () => {
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await frame.waitForSelector('p');
    expect(await frame.evaluate(() => [typeof window.api, typeof window.require])).toEqual(['undefined', 'undefined']);
    const frames = await app.evaluate(({ BrowserWindow }) => {
      const { mainFrame } = BrowserWindow.getAllWindows()[0].webContents;
      return [mainFrame.url, ...mainFrame.frames.map(({ url, parent }) => [url, parent === mainFrame])];
    });
    expect(frames).toEqual(['fixture://app/index.html', ['fixture://app/frame.html', true]]);
  });

  it('are really denied what the app denies', async () => {
    const states = await page.evaluate(async () => {
      const query = async (name) => (await navigator.permissions.query({ name })).state;
      const position = new Promise((resolve) => {
        navigator.geolocation.getCurrentPosition(
          () => resolve('told'),
          (error) => resolve(error.code),
        );
      });
      return {
        notification: await Notification.requestPermission(),
        position: await position,
        queried: await Promise.all(['geolocation', 'notifications', 'camera', 'clipboard-read'].map(query)),
        clipboard: await navigator.clipboard.readText().catch((error) => error.name),
      };
    });
    expect(states).toEqual({
      notification: 'denied',
      position: 1,
      queried: ['denied', 'denied', 'denied', 'denied'],
      clipboard: 'NotAllowedError',
    });
  });

  it('are allowed what the app allows', async () => {
    await app.evaluate(({ session }) => {
      const { defaultSession } = session;
      defaultSession.setPermissionCheckHandler(null);
      defaultSession.setPermissionRequestHandler((_contents, permission, done) => done(permission === 'geolocation'));
    });
    await page.reload();
    const query = (name) => page.evaluate(async (n) => (await navigator.permissions.query({ name: n })).state, name);
    expect(await query('geolocation')).toBe('granted');
    expect(await query('notifications')).toBe('denied');
  });

  it('report messages and titles', async () => {
    await app.evaluate(({ BrowserWindow }) => {
      globalThis.messages = [];
      BrowserWindow.getAllWindows()[0].webContents.on('console-message', ({ level, message }) => {
        globalThis.messages.push([level, message]);
      });
    });
    await page.evaluate(() => {
      console.warn('careful', 1);
      document.title = 'Renamed';
    });
    await expect.poll(() => app.evaluate(() => globalThis.messages)).toContainEqual(['warning', 'careful 1']);
    const title = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].getTitle());
    await expect.poll(title).toBe('Renamed');
  });

  it('report context menus', async () => {
    await app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0].webContents.once('context-menu', (_event, { linkURL, isEditable }) => {
        globalThis.menu = { linkURL, isEditable };
      });
    });
    await page.click('#outside', { button: 'right' });
    await expect
      .poll(() => app.evaluate(() => globalThis.menu))
      .toEqual({ linkURL: 'http://127.0.0.1:9/outside', isEditable: false });
  });

  it('zoom', async () => {
    const width = () => page.evaluate(() => document.querySelector('h1').getBoundingClientRect().height);
    const before = await width();
    const zoom = (level) =>
      app.evaluate(({ BrowserWindow }, value) => {
        const { webContents } = BrowserWindow.getAllWindows()[0];
        webContents.setZoomLevel(value);
        return [webContents.getZoomLevel(), webContents.zoomFactor];
      }, level);
    expect(await zoom(2)).toEqual([2, expect.closeTo(1.44)]);
    await expect.poll(width).toBeGreaterThan(before * 1.2);
    await zoom(0);
    await expect.poll(width).toBeCloseTo(before);
  });

  it('let the app see and change the headers of responses', async () => {
    await app.evaluate(({ session }, url) => {
      session.defaultSession.webRequest.onHeadersReceived({ urls: [`${url}/*`] }, (details, callback) => {
        callback({ responseHeaders: { ...details.responseHeaders, 'Content-Security-Policy': ["script-src 'none'"] } });
      });
    }, origin);
    await load(`${origin}/policy`);
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.head.append(script);
      return window.ran === true;
    });
    expect(ran).toBe(false);
    await app.evaluate(({ session }) => session.defaultSession.webRequest.onHeadersReceived(null));
  });

  // Last: Playwright gives up a page that has crashed, as it does with Electron.
  it('crash with an event, and can be loaded again', async () => {
    await app.evaluate(({ app: electronApp, BrowserWindow }) => {
      globalThis.crashes = [];
      const window = BrowserWindow.getAllWindows()[0];
      window.webContents.on('render-process-gone', (_event, { reason }) =>
        globalThis.crashes.push(['contents', reason]),
      );
      electronApp.on('render-process-gone', (_event, contents, { reason }) => {
        globalThis.crashes.push(['app', reason, contents === window.webContents]);
      });
      window.webContents.forcefullyCrashRenderer();
    });
    await expect
      .poll(() => app.evaluate(() => globalThis.crashes))
      .toEqual([
        ['app', 'crashed', true],
        ['contents', 'crashed'],
      ]);
    const after = await app.evaluate(async ({ BrowserWindow }) => {
      const { webContents } = BrowserWindow.getAllWindows()[0];
      const crashed = webContents.isCrashed();
      const loaded = new Promise((resolve) => webContents.once('did-finish-load', resolve));
      webContents.reload();
      await loaded;
      return [
        crashed,
        webContents.isCrashed(),
        webContents.getURL(),
        await webContents.executeJavaScript('document.title'),
      ];
    });
    expect(after).toEqual([true, false, 'fixture://app/index.html', 'Fixture']);
  });
});
