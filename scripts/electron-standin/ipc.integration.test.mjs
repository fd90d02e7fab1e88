import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cleanUp, launch, until } from './__fixtures__/harness.mjs';

/** @type {Awaited<ReturnType<typeof launch>>} */
let app;
/** @type {import('@playwright/test').Page} */
let page;

describe('IPC and the context bridge', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    app = await launch();
    page = await app.firstWindow();
    // Playwright shows the window before its page has come; until then there is nothing to reload.
    await app.evaluate(() => globalThis.fixture.loaded);
  }, 60_000);
  afterAll(cleanUp);
  beforeEach(async () => {
    await page.reload();
  });

  it('carries what the structured clone carries, both ways', async () => {
    const problems = await page.evaluate(async () => {
      const cycle = { list: [1] };
      cycle.self = cycle;
      const sparse = [1, 2, 3];
      delete sparse[1];
      const sent = {
        undefined: undefined,
        null: null,
        numbers: [0, -0, 1.5, Number.NaN, Number.POSITIVE_INFINITY],
        big: 2n ** 80n,
        text: 'ünï\u2028\ud800 "\\',
        date: new Date(5),
        pattern: /a+/gi,
        map: new Map([['k', { deep: new Set([1]) }]]),
        bytes: new Uint8Array([1, 2, 255]),
        view: new Float64Array([1.5, 2.5]).subarray(1),
        buffer: new Uint8Array([9]).buffer,
        sparse,
        '': 'empty key',
      };
      Object.defineProperty(sent, '__proto__', { value: { polluted: true }, enumerable: true });
      const [back] = await window.api.invoke('echo', sent);
      const [backCycle] = await window.api.invoke('echo', cycle);
      const checks = {
        keys: Object.keys(back).join() === Object.keys(sent).join(),
        undefined: 'undefined' in back && back.undefined === undefined,
        null: back.null === null,
        numbers: back.numbers.every((n, i) => Object.is(n, sent.numbers[i])),
        big: back.big === sent.big,
        text: back.text === sent.text,
        date: back.date instanceof Date && back.date.getTime() === 5,
        pattern: back.pattern instanceof RegExp && String(back.pattern) === '/a+/gi',
        map: back.map instanceof Map && back.map.get('k').deep.has(1),
        bytes: back.bytes instanceof Uint8Array && [...back.bytes].join() === '1,2,255',
        view: back.view instanceof Float64Array && back.view.join() === '2.5',
        buffer: back.buffer instanceof ArrayBuffer && back.buffer.byteLength === 1,
        cycle: backCycle.self === backCycle,
        pollution: {}.polluted === undefined && Object.getPrototypeOf(back) === Object.prototype,
      };
      return Object.keys(checks).filter((name) => !checks[name]);
    });
    expect(problems).toEqual([]);
  });

  it('shows buffers of main as Uint8Array, and keeps the type and message of errors as values', async () => {
    await app.evaluate(({ ipcMain }) => {
      ipcMain.removeHandler('values');
      ipcMain.handle('values', () => [Buffer.from('abc'), new RangeError('far')]);
      ipcMain.removeHandler('inspect');
      ipcMain.handle('inspect', (_event, error) => [error instanceof RangeError, error.message]);
    });
    const seen = await page.evaluate(async () => {
      const [bytes, error] = await window.api.invoke('values');
      return [bytes.constructor.name, [...bytes].join(), error instanceof Error, error.message];
    });
    expect(seen).toEqual(['Uint8Array', '97,98,99', true, 'far']);
  });

  it.each([
    ['a function', () => window.api.invoke('echo', () => {})],
    ['a nested function', () => window.api.invoke('echo', { list: [{ f() {} }] })],
    ['a DOM node', () => window.api.invoke('echo', document.body)],
    ['a nested DOM node', () => window.api.invoke('echo', { node: document.body })],
    ['a blob', () => window.api.invoke('echo', new Blob(['x']))],
    ['a promise', () => window.api.invoke('echo', [Promise.resolve(1)])],
    ['a weak map', () => window.api.invoke('echo', new WeakMap())],
  ])('refuses %s', async (_what, send) => {
    await expect(page.evaluate(send)).rejects.toThrow('could not be cloned');
  });

  it('refuses what a handler returns when it cannot be cloned', async () => {
    await expect(page.evaluate(() => window.api.invoke('uncloneable'))).rejects.toThrow(
      "Error invoking remote method 'uncloneable': Error: An object could not be cloned.",
    );
  });

  it('words the errors of handlers as Electron does', async () => {
    const messages = await page.evaluate(() =>
      Promise.all(
        ['throw', 'nobody'].map((channel) => window.api.invoke(channel).catch((error) => [error.name, error.message])),
      ),
    );
    expect(messages).toEqual([
      ['Error', "Error invoking remote method 'throw': TypeError: no such thing"],
      ['Error', "Error invoking remote method 'nobody': Error: No handler registered for 'nobody'"],
    ]);
  });

  it('has one handler for a channel, at most', async () => {
    const seen = await app.evaluate(({ ipcMain }) => {
      const attempt = (action) => {
        try {
          return action();
        } catch (error) {
          return error.message;
        }
      };
      return [
        attempt(() => ipcMain.handle('echo', () => {})),
        attempt(() => ipcMain.handle('other', 'no function')),
        attempt(() => ipcMain.handleOnce('once', () => 'first')),
      ];
    });
    expect(seen[0]).toBe("Attempted to register a second handler for 'echo'");
    expect(seen[1]).toContain('Expected handler to be a function');
    const answers = await page.evaluate(async () => [
      await window.api.invoke('once'),
      await window.api.invoke('once').catch((error) => error.message),
    ]);
    expect(answers).toEqual(['first', expect.stringContaining('No handler registered')]);
  });

  it('delivers in order, replies, and sends from main until the listener goes', async () => {
    await page.evaluate(() => {
      window.received = [];
      window.stop = window.api.on('pong', (value) => window.received.push(value));
      for (let i = 0; i < 50; i++) window.api.send('ping', i);
    });
    await page.waitForFunction(() => window.received.length === 50);
    expect(await page.evaluate(() => window.received.every((value, index) => value === index))).toBe(true);
    const fromMain = (value) =>
      app.evaluate(({ BrowserWindow }, sent) => BrowserWindow.getAllWindows()[0].webContents.send('pong', sent), value);
    await fromMain('main');
    await page.waitForFunction(() => window.received.at(-1) === 'main');
    await page.evaluate(() => window.stop());
    await fromMain('late');
    await page.evaluate(() => window.api.invoke('echo'));
    expect(await page.evaluate(() => window.received.at(-1))).toBe('main');
  });

  it('says on which page and frame a message was sent, and null once that is gone', async () => {
    expect(await page.evaluate(() => window.api.invoke('sender'))).toMatchObject({
      url: 'fixture://app/index.html',
      origin: 'fixture://app',
    });
    await app.evaluate(({ ipcMain }) => {
      ipcMain.removeAllListeners('keep');
      ipcMain.on('keep', (event) => {
        globalThis.kept = event;
      });
    });
    await page.evaluate(() => window.api.send('keep'));
    const frame = () => app.evaluate(() => globalThis.kept && String(globalThis.kept.senderFrame?.url));
    await expect.poll(frame).toBe('fixture://app/index.html');
    await page.reload();
    expect(await frame()).toBe('undefined');
  });

  it('gives the preload a world of its own', async () => {
    const seen = await page.evaluate(() => ({
      inPage: [typeof window.onlyInPreload, typeof window.require, typeof window.process, typeof window.ipcRenderer],
      process: window.api.describe(),
      modules: ['fs', 'node:child_process', 'events', 'url'].map((name) => window.api.tryRequire(name)),
      leaks: Object.getOwnPropertyNames(window).filter((name) => /electron/i.test(name)),
    }));
    expect(seen).toEqual({
      inPage: ['undefined', 'undefined', 'undefined', 'undefined'],
      process: { platform: 'linux', type: 'renderer', sandboxed: true },
      modules: ['module not found: fs', 'module not found: node:child_process', 'loaded', 'loaded'],
      leaks: [],
    });
  });

  it('is not fooled by a page that changes its built-ins', async () => {
    const answer = await page.evaluate(async () => {
      EventTarget.prototype.dispatchEvent = () => {
        throw new Error('patched');
      };
      window.CustomEvent = undefined;
      JSON.parse = () => ({ patched: true });
      JSON.stringify = () => 'patched';
      return window.api.describe().type;
    });
    expect(answer).toBe('renderer');
  });

  it('bridges functions, promises and errors, copies the rest, and freezes the API', async () => {
    const seen = await page.evaluate(async () => {
      const object = { inner: { value: 1 }, method: (x) => x * 2 };
      const copy = window.api.same(object);
      class Point {
        x = 1;
        norm() {
          return 1;
        }
      }
      const point = window.api.same(new Point());
      const attempt = (action) => {
        try {
          return action();
        } catch (error) {
          return [error.constructor.name, error.message];
        }
      };
      let deep = {};
      for (let i = 0; i < 1100; i++) deep = { deep };
      return {
        copied: copy !== object && copy.inner !== object.inner && copy.inner.value,
        method: copy.method(21),
        nested: window.api.call((a, b) => a + b, 1, 2),
        promise: await window.api.same(Promise.resolve('kept')),
        rejected: await window.api
          .same(Promise.reject(new TypeError('why')))
          .catch((error) => [error.name, error.message]),
        thrown: attempt(() => window.api.fail()),
        thrownByPage: attempt(() =>
          window.api.call(() => {
            throw new Error('page');
          }),
        ),
        prototype: [point.x, typeof point.norm],
        frozen: Object.isFrozen(window.api),
        overwritten: Reflect.set(window, 'api', 1),
        deep: attempt(() => window.api.same(deep)),
      };
    });
    expect(seen).toEqual({
      copied: 1,
      method: 42,
      nested: 3,
      promise: 'kept',
      rejected: ['Error', 'why'],
      thrown: ['Error', 'from the preload'],
      thrownByPage: ['Error', 'page'],
      prototype: [1, 'undefined'],
      frozen: true,
      overwritten: false,
      deep: ['TypeError', expect.stringContaining('recursion depth exceeded')],
    });
  });

  it('carries a megabyte', async () => {
    const length = await page.evaluate(async () => (await window.api.invoke('echo', 'x'.repeat(1 << 20)))[0].length);
    expect(length).toBe(1 << 20);
  });

  it('runs scripts in the page, with results that are cloned', async () => {
    const seen = await app.evaluate(async ({ BrowserWindow }) => {
      const { webContents } = BrowserWindow.getAllWindows()[0];
      const run = (code) => webContents.executeJavaScript(code).catch((error) => error.message);
      return [
        await run('document.title'),
        await run('Promise.resolve(new Map([[1, 2]]))').then((map) => map.get(1)),
        await run('() => {}'),
        await run('throw new Error("broken")'),
        await run('2n ** 64n').then(String),
      ];
    });
    expect(seen).toEqual([
      'Fixture',
      2,
      'An object could not be cloned.',
      expect.stringContaining('broken'),
      '18446744073709551616',
    ]);
  });

  it('tells of a preload that fails, without taking the page along', async () => {
    const errors = await app.evaluate(async ({ BrowserWindow }) => {
      const { mkdtempSync, writeFileSync } = process.getBuiltinModule('node:fs');
      const folder = mkdtempSync(`${process.getBuiltinModule('node:os').tmpdir()}/standin-preload-`);
      const results = [];
      for (const source of ['throw new Error("at run time")', 'this is no script']) {
        writeFileSync(`${folder}/preload.cjs`, source);
        const window = new BrowserWindow({ webPreferences: { preload: `${folder}/preload.cjs` } });
        const failed = new Promise((resolve) => {
          window.webContents.once('preload-error', (_event, file, error) =>
            resolve([file.endsWith('preload.cjs'), error.name, error.message]),
          );
        });
        await window.loadURL('fixture://app/index.html');
        results.push([...(await failed), await window.webContents.executeJavaScript('document.title')]);
        window.destroy();
      }
      process.getBuiltinModule('node:fs').rmSync(folder, { recursive: true });
      return results;
    });
    expect(errors).toEqual([
      [true, 'Error', 'at run time', 'Fixture'],
      [true, 'SyntaxError', expect.any(String), 'Fixture'],
    ]);
    await until(() => app.windows().length === 1, 'the windows to close');
  });
});
