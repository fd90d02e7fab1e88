import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUp, leftovers, start, startScript, temporaryFolder, until } from './__fixtures__/harness.mjs';

const EVENTS = `
for (const name of ['ready', 'before-quit', 'will-quit', 'quit', 'window-all-closed', 'web-contents-created']) {
  app.on(name, (...args) => say(name, name === 'quit' ? args[1] : ''));
}
process.on('exit', (code) => say('exit', code));
const open = () => {
  const window = new BrowserWindow();
  window.on('close', () => say('close'));
  window.on('closed', () => say('closed'));
  return window;
};
`;
const words = (run) => run.stdout.trim().split(/\s*\n/);

describe('starting and quitting', { timeout: 60_000 }, () => {
  afterEach(cleanUp);

  it('quits in the order of Electron', async () => {
    const run = startScript(`${EVENTS}
      app.whenReady().then(async () => { const w = open(); await w.loadURL('data:text/html,hello'); app.quit(); });`);
    expect(await run.ended).toEqual({ code: 0, signal: null });
    expect(words(run)).toEqual([
      'ready',
      'web-contents-created',
      'before-quit',
      'close',
      'closed',
      'will-quit',
      'exit 0',
      'quit 0',
    ]);
  });

  it('lets before-quit, close and will-quit call it off, each once', async () => {
    const run = startScript(`${EVENTS}
      let step = 0;
      app.on('window-all-closed', () => {});
      app.whenReady().then(async () => {
        const w = open();
        await w.loadURL('data:text/html,hello');
        const later = () => setTimeout(() => app.quit(), 50);
        app.once('before-quit', (event) => { event.preventDefault(); later(); });
        w.once('close', (event) => { event.preventDefault(); later(); });
        app.once('will-quit', (event) => { event.preventDefault(); later(); });
        app.quit();
      });`);
    expect(await run.ended).toEqual({ code: 0, signal: null });
    expect(words(run)).toEqual([
      'ready',
      'web-contents-created',
      'before-quit',
      'before-quit',
      'close',
      'before-quit',
      'close',
      'closed',
      'will-quit',
      'before-quit',
      'will-quit',
      'exit 0',
      'quit 0',
    ]);
  });

  it('closes a window that is loading, whose load fails then', async () => {
    const run = startScript(`${EVENTS}
      process.on('uncaughtException', (error) => say('uncaught', error.message));
      app.on('window-all-closed', () => {});
      app.whenReady().then(async () => {
        const w = open();
        const loaded = w.loadURL('data:text/html,hello').catch((error) => error.code);
        w.close();
        say(await loaded);
        app.quit();
      });`);
    expect(await run.ended).toEqual({ code: 0, signal: null });
    expect(run.stdout).not.toContain('uncaught');
    expect(words(run)).toContain('ERR_FAILED');
  });

  const SHELL = '/usr/bin/chromium-headless-shell';
  it.skipIf(!fs.existsSync(SHELL))('takes a headless shell of any name, even where there is a display', async () => {
    const shell = path.join(temporaryFolder(), 'headless_shell');
    fs.writeFileSync(shell, `#!/bin/sh\nexec ${SHELL} "$@"\n`, { mode: 0o755 });
    for (const env of [{ CHROMIUM_PATH: shell }, { CHROMIUM_PATH: shell, DISPLAY: ':4711' }]) {
      const run = startScript(
        `app.whenReady().then(async () => { await new BrowserWindow().loadURL('data:text/html,x'); app.exit(4); });`,
        { env },
      );
      expect(await run.ended).toEqual({ code: 4, signal: null });
    }
  });

  it('exit asks nobody and keeps its code', async () => {
    const run = startScript(`${EVENTS}
      app.whenReady().then(async () => { const w = open(); await w.loadURL('data:text/html,hello'); app.exit(7); });`);
    expect(await run.ended).toEqual({ code: 7, signal: null });
    expect(words(run)).toEqual(['ready', 'web-contents-created', 'closed', 'exit 7', 'quit 7']);
  });

  it('process.exit is app.exit', async () => {
    const run = startScript(`${EVENTS}
      app.whenReady().then(() => setTimeout(() => { open(); process.exit(3); say('still here'); }, 10));`);
    expect(await run.ended).toEqual({ code: 3, signal: null });
    expect(words(run)).toEqual(['ready', 'web-contents-created', 'closed', 'exit 3', 'quit 3', 'still here']);
  });

  it('quits with the last window unless somebody listens', async () => {
    const closing =
      "app.whenReady().then(async () => { const w = open(); await w.loadURL('data:text/html,x'); w.close(); });";
    const quits = startScript(EVENTS.replace(", 'window-all-closed'", '') + closing);
    expect((await quits.ended).code).toBe(0);
    const stays = startScript(EVENTS + closing);
    await stays.says('window-all-closed');
    expect(stays.stdout).not.toContain('before-quit');
  });

  it('emits ready after the whole main script', async () => {
    const run = startScript(`
      app.on('ready', () => { say('ready'); app.quit(); });
      await new Promise((resolve) => setTimeout(resolve, 300));
      say('script done', app.isReady());`);
    await run.ended;
    expect(words(run)).toEqual(['script done false', 'ready']);
  });

  it('survives an uncaught exception, which goes to the listener of the app when there is one', async () => {
    const shown = startScript(`app.whenReady().then(() => {
      setTimeout(() => { throw new Error('oops'); });
      setTimeout(() => { say('alive'); app.quit(); }, 300);
    });`);
    expect((await shown.ended).code).toBe(0);
    expect(shown.stdout).toContain('alive');
    expect(shown.stderr).toMatch(/JavaScript error occurred in the main process[\s\S]*oops/);

    const handled =
      startScript(`process.on('uncaughtException', (error) => { say('caught', error.message); app.exit(1); });
      app.whenReady().then(() => setTimeout(() => { throw new Error('oops'); }));`);
    expect((await handled.ended).code).toBe(1);
    expect(handled.stdout).toContain('caught oops');
    expect(handled.stderr).not.toContain('A JavaScript error');
  });

  it('only warns about an unhandled rejection', async () => {
    const run = startScript(`app.whenReady().then(() => {
      Promise.reject(new Error('nobody cares'));
      setTimeout(() => app.quit(), 200);
    });`);
    expect((await run.ended).code).toBe(0);
    expect(run.stderr).toContain('nobody cares');
  });
});

describe('signals', { timeout: 60_000 }, () => {
  afterEach(cleanUp);

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('%s quits once, and the second one kills', async (signal) => {
    const run = startScript(`${EVENTS}
      app.on('before-quit', (event) => event.preventDefault());
      app.whenReady().then(() => setTimeout(() => say('up'), 0));`);
    await run.says('up');
    run.child.kill(signal);
    await run.says('before-quit');
    run.child.kill(signal);
    expect(await run.ended).toEqual({ code: null, signal });
  });

  it('a listener from before ready is lost', async () => {
    const run = startScript(`${EVENTS}
      process.on('SIGTERM', () => say('early'));
      app.whenReady().then(() => { process.on('SIGTERM', () => say('beside it')); setTimeout(() => say('up'), 0); });`);
    await run.says('up');
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
    expect(run.stdout).toContain('will-quit');
    expect(run.stdout).not.toMatch(/early|beside it/);
  });

  it('a listener is called when those from before ready have been removed first', async () => {
    const run = startScript(`
      process.once('SIGTERM', () => say('early'));
      app.whenReady().then(() => {
        process.removeAllListeners('SIGTERM');
        process.on('SIGTERM', () => { say('late'); app.exit(9); });
        setTimeout(() => say('up'), 0);
      });`);
    await run.says('up');
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(9);
    expect(run.stdout).toContain('late');
    expect(run.stdout).not.toContain('early');
  });

  it('a listener from after ready is called each time', async () => {
    const run = startScript(`
      let count = 0;
      app.whenReady().then(() => {
        process.on('SIGTERM', () => { say('signal', ++count); if (count === 3) app.exit(5); });
        setTimeout(() => say('up'), 0);
      });`);
    await run.says('up');
    for (const count of [1, 2, 3]) {
      run.child.kill('SIGTERM');
      await run.says(`signal ${count}`);
    }
    expect((await run.ended).code).toBe(5);
  });
});

describe('what is left behind', { timeout: 60_000 }, () => {
  afterEach(cleanUp);
  const OPEN =
    "app.whenReady().then(async () => { const w = new BrowserWindow(); await w.loadURL('data:text/html,x'); say('up'); });";

  it('nothing after a quit', async () => {
    const run = startScript(OPEN.replace("say('up')", 'app.quit()'));
    const { pid } = run.child;
    await run.ended;
    expect(leftovers(pid).profiles).toEqual([]);
    await until(() => leftovers(pid).chromiums.length === 0, 'Chromium to end');
  });

  it('no Chromium after kill -9, and no profile after the next start', async () => {
    const run = startScript(OPEN);
    const { pid } = run.child;
    await run.says('up');
    expect(leftovers(pid).chromiums.length).toBeGreaterThan(0);
    run.child.kill('SIGKILL');
    await run.ended;
    await until(() => leftovers(pid).chromiums.length === 0, 'Chromium to end');
    expect(leftovers(pid).profiles).toHaveLength(1);

    const next = startScript(OPEN);
    await next.says('up');
    await until(() => leftovers(pid).profiles.length === 0, 'the profile to be removed');
    expect(leftovers(next.child.pid).profiles).toHaveLength(1);
  });

  it('main ends when Chromium does', async () => {
    const run = startScript(OPEN);
    await run.says('up');
    for (const chromium of leftovers(run.child.pid).chromiums) {
      try {
        process.kill(chromium, 'SIGKILL');
      } catch {
        // The others took it along.
      }
    }
    expect((await run.ended).code).toBe(1);
    expect(run.stderr).toContain('Chromium ended');
  });
});

describe('the command line', { timeout: 60_000 }, () => {
  afterEach(cleanUp);

  it("is Electron's own launcher's to start", async () => {
    const file = path.join(temporaryFolder(), 'main.cjs');
    fs.writeFileSync(
      file,
      `const { app } = require('electron');
       app.whenReady().then(() => { console.log(JSON.stringify([app.getPath('userData'), process.argv.slice(1)])); app.quit(); });`,
    );
    const userData = temporaryFolder();
    const args = [file, `--user-data-dir=${userData}`, 'open', '--flag'];
    const run = start(args, { throughLauncher: true });
    expect((await run.ended).code).toBe(0);
    expect(JSON.parse(run.stdout)).toEqual([userData, args]);
  });

  it('shapes process as in main', async () => {
    const run = startScript(`app.whenReady().then(() => {
      const { type, defaultApp, versions, resourcesPath, execArgv } = process;
      say(JSON.stringify({ type, defaultApp, electron: versions.electron, chrome: versions.chrome, execArgv, resources: typeof resourcesPath }));
      app.quit();
    });`);
    await run.ended;
    const seen = JSON.parse(run.stdout);
    expect(seen).toMatchObject({ type: 'browser', defaultApp: true, execArgv: [], resources: 'string' });
    expect(seen.electron).toMatch(/^\d+\.\d+\.\d+/);
    expect(seen.chrome).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
  });

  it('is Node with ELECTRON_RUN_AS_NODE, for execPath and for fork too', async () => {
    const plain = start(['-p', 'process.type + " " + process.versions.electron'], {
      env: { ELECTRON_RUN_AS_NODE: '1' },
    });
    await plain.ended;
    expect(plain.stdout.trim()).toBe('undefined undefined');

    const child = path.join(temporaryFolder(), 'child.cjs');
    fs.writeFileSync(child, 'process.send([process.type ?? "node", process.env.ELECTRON_RUN_AS_NODE])');
    const run = startScript(`import { execFileSync, fork } from 'node:child_process';
      app.whenReady().then(() => {
        say(execFileSync(process.execPath, ['-p', '6 * 7'], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } }));
        fork(${JSON.stringify(child)}).on('message', (message) => { say(message); app.quit(); });
      });`);
    await run.ended;
    expect(words(run)).toEqual(['42', 'node,1']);
  });

  it('knows the folders', async () => {
    const run = startScript(
      `app.setPath('logs', '/tmp/some-logs');
       const paths = ['home', 'temp', 'logs', 'exe', 'downloads', 'documents', 'desktop', 'appData', 'userData'];
       say(JSON.stringify(paths.map((name) => app.getPath(name))));
       for (const wrong of [() => app.getPath('nowhere'), () => app.setPath('home', 'relative')]) {
         try { wrong(); } catch (error) { say(error.message); }
       }
       app.whenReady().then(() => app.quit());`,
      { args: [] },
    );
    await run.ended;
    const [paths, ...errors] = words(run);
    const [home, temp, logs, ...rest] = JSON.parse(paths);
    expect([home, temp, logs]).toEqual([os.homedir(), os.tmpdir(), '/tmp/some-logs']);
    expect(rest.every((folder) => path.isAbsolute(folder))).toBe(true);
    expect(errors).toEqual(["Failed to get 'nowhere' path", 'Path must be absolute']);
  });

  it('says what is wrong with the Chromium that it was given', async () => {
    const run = startScript("say('ran')", { env: { CHROMIUM_PATH: '/nonexistent' } });
    expect((await run.ended).code).toBe(1);
    expect(run.stderr).toContain('CHROMIUM_PATH names no file: /nonexistent');
    expect(run.stdout).toBe('');
  });
});

describe('the single-instance lock', { timeout: 60_000 }, () => {
  afterEach(cleanUp);
  const SCRIPT = `
    if (!app.requestSingleInstanceLock({ from: process.env.WHO })) { say('refused'); app.quit(); }
    app.on('second-instance', (event, argv, cwd, data) => say('second', JSON.stringify([argv.slice(-1), cwd, data])));
    app.whenReady().then(() => say('up', app.hasSingleInstanceLock()));`;

  it('is one for each user-data folder, and tells the holder about the next one', async () => {
    const userData = temporaryFolder();
    const cwd = fs.realpathSync(temporaryFolder());
    const first = startScript(SCRIPT, { userData, env: { WHO: 'first' } });
    await first.says('up true');
    const second = startScript(SCRIPT, { userData, cwd, env: { WHO: 'second' }, args: ['--open=thing'] });
    expect((await second.ended).code).toBe(0);
    expect(second.stdout).toContain('refused');
    await first.says(`second ${JSON.stringify([['--open=thing'], cwd, { from: 'second' }])}`);

    const other = startScript(SCRIPT, { env: { WHO: 'other' } });
    await other.says('up true');
  });

  it('is free again at once when its holder is killed', async () => {
    const userData = temporaryFolder();
    const first = startScript(SCRIPT, { userData });
    await first.says('up true');
    first.child.kill('SIGKILL');
    await first.ended;
    const next = startScript(SCRIPT, { userData });
    await next.says('up true');
  });
});
