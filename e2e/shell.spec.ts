import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { channelNames } from '@shared/contracts/index.ts';
import { expect, ROOT, test } from './fixtures/app.ts';

/** Starts the app without Playwright, for one that ends by itself. */
async function startAlone(userData: string): Promise<{ code: number | null; said: string }> {
  const electron = createRequire(import.meta.url)('electron') as unknown as string;
  const child = spawn(electron, [ROOT, `--user-data-dir=${userData}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const [code] = await once(child, 'close');
  return { code, said };
}

test('the page has the channels of the contracts and nothing of Node', async ({ app }) => {
  const { exposed, ofNode } = await app.page.evaluate(() => {
    const { subscribe, ...domains } = window.api;
    return {
      exposed: Object.entries(domains).flatMap(([domain, calls]) =>
        Object.keys(calls).map((call) => `${domain}.${call}`),
      ),
      ofNode: ['require', 'process', 'module', 'Buffer', 'global', 'ipcRenderer'].filter((name) => name in window),
    };
  });
  expect(exposed.sort()).toEqual([...channelNames].sort());
  expect(ofNode).toEqual([]);
});

test('no script runs but the app’s own', async ({ app }) => {
  const blocked = await app.page.evaluate(async () => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      violations.push(effectiveDirective),
    );
    const script = document.createElement('script');
    script.textContent = 'window.inlineRan = true';
    document.head.append(script);
    document.body.insertAdjacentHTML('beforeend', '<img src="x:" onerror="window.inlineRan = true">');
    // Later, since what is evaluated for a test may use eval itself.
    const evalError = await new Promise<string>((resolve) => {
      setTimeout(() => {
        try {
          new Function('return 1')();
          resolve('none');
        } catch (error) {
          resolve((error as Error).name);
        }
      }, 10);
    });
    const foreign = await fetch('https://example.com/').then(
      () => 'answered',
      (error: Error) => error.name,
    );
    return { evalError, foreign };
  });
  expect(blocked).toEqual({ evalError: 'EvalError', foreign: 'TypeError' });
  const seen = () => app.page.evaluate(() => (window as unknown as { violations: string[] }).violations);
  const directives = ['script-src-elem', 'script-src-attr', 'script-src', 'connect-src'];
  await expect.poll(seen).toEqual(expect.arrayContaining(directives));
  expect(await app.page.evaluate(() => 'inlineRan' in window)).toBe(false);
});

test('the page goes nowhere else, and only links of the web and of mail leave the app', async ({ app }) => {
  await app.electron.evaluate(({ shell }) => {
    const opened: string[] = [];
    (globalThis as { opened?: string[] }).opened = opened;
    shell.openExternal = async (url) => void opened.push(url);
  });
  await app.composer.fill('still here');
  const address = app.page.url();
  const refused = await app.page.evaluate(() => {
    const links = [
      'https://example.com/a',
      'mailto:a@example.com',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'x-app:run',
    ];
    const windows = links.map((url) => window.open(url));
    const frame = document.createElement('iframe');
    frame.src = 'https://example.com/frame';
    document.body.append(frame);
    location.href = 'https://example.com/b';
    return windows.every((opened) => opened === null);
  });
  expect(refused).toBe(true);
  const opened = () => app.electron.evaluate(() => (globalThis as { opened?: string[] }).opened);
  await expect.poll(opened).toEqual(['https://example.com/a', 'mailto:a@example.com']);
  expect(app.page.url()).toBe(address);
  await expect(app.composer).toHaveValue('still here');
  expect(await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'https:', ''])
    await expect(app.call('app', 'openExternal', { url })).rejects.toThrow('refused');
});

test('no permission is given', async ({ app }) => {
  const answers = await app.page.evaluate(async () => {
    const states = await Promise.all(
      ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'].map(
        async (name) => (await navigator.permissions.query({ name: name as PermissionName })).state,
      ),
    );
    const media = await navigator.mediaDevices.getUserMedia({ audio: true }).then(
      () => 'given',
      () => 'refused',
    );
    return { states, media };
  });
  expect(answers).toEqual({ states: Array(6).fill('denied'), media: 'refused' });
});

test('another page in a window of ours may call nothing', async ({ app }) => {
  const answer = await app.electron.evaluate(async ({ app: electronApp, BrowserWindow }) => {
    const stranger = new BrowserWindow({
      show: false,
      webPreferences: {
        preload: `${electronApp.getAppPath()}/out/preload/index.cjs`,
        contextIsolation: true,
        sandbox: true,
      },
    });
    await stranger.loadURL('data:text/html,<title>stranger</title>');
    const code = await stranger.webContents.executeJavaScript('api.settings.get().then(({ error }) => error?.code)');
    stranger.destroy();
    return code;
  });
  expect(answer).toBe('forbidden');
});

test('the window is where it was left, after a quit and after a signal', async ({ launch }) => {
  const place = { x: 140, y: 90, width: 1000, height: 700 };
  const first = await launch();
  await first.electron.evaluate(
    ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]!.setBounds(bounds),
    place,
  );
  await first.quit();

  const bounds = (app: typeof first) =>
    app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getNormalBounds());
  const second = await launch();
  expect(await bounds(second)).toEqual(place);
  await second.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setBounds({ x: 30, y: 60 }));
  await second.signal('SIGTERM');

  expect(await bounds(await launch())).toEqual({ ...place, x: 30, y: 60 });
});

test('a second start shows the window that is there and touches nothing', async ({ app, userData }) => {
  await app.serversReady();
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.minimize());
  const files = () =>
    readdirSync(userData)
      .filter((name) => /\.(json|db)$/.test(name))
      .map((name) => `${name} ${statSync(join(userData, name)).mtimeMs}`);
  const before = files();
  const { code, said } = await startAlone(userData);
  expect(code).toBe(0);
  expect(said).toContain('already runs');
  const minimized = () => app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isMinimized());
  await expect.poll(minimized).toBe(false);
  expect(files()).toEqual(before);
});

test('a page that dies is loaded again, and the person is told', async ({ app }) => {
  await app.send('hello');
  await expect(app.page.getByTestId('conversation-item')).toContainText('hello');
  await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer(),
  );
  // Playwright takes a page that has died for lost, so main asks the one that came after it.
  const inPage = (code: string) =>
    app.electron.evaluate(
      ({ BrowserWindow }, script) =>
        BrowserWindow.getAllWindows()[0]!.webContents.executeJavaScript(script).catch(String),
      code,
    );
  await expect.poll(() => inPage('document.body.innerText')).toContain('The window stopped working');
  expect(await inPage('api.conversations.list().then(({ value }) => value.map(({ title }) => title))')).toEqual([
    'hello',
  ]);
});

test('damaged files are set aside, said, and the app works', async ({ launch, userData }) => {
  const damaged = { 'settings.json': '{"theme": "da', 'mcp-servers.json': '[]', 'conversations.db': 'no database' };
  mkdirSync(userData, { recursive: true });
  for (const [name, content] of Object.entries(damaged)) writeFileSync(join(userData, name), content);
  const app = await launch();
  const notices = app.page.getByTestId('notice').and(app.page.locator('[data-kind="file-set-aside"]'));
  await expect(notices).toHaveCount(3);
  for (const [name, content] of Object.entries(damaged)) {
    const [stem] = name.split('.');
    const aside = readdirSync(userData).find((file) => file.startsWith(`${stem}.damaged-`));
    expect(readFileSync(join(userData, aside!), 'utf8')).toBe(content);
    await expect(notices.filter({ hasText: aside! })).toHaveCount(1);
  }
  await app.send('hello');
  await expect(app.lastAnswer).toBeVisible();
});

test('a data folder that can not be used is said', async ({ scratch }) => {
  writeFileSync(join(scratch, 'file'), '');
  const folder = join(scratch, 'file', 'data');
  const { code, said } = await startAlone(folder);
  expect(code).toBe(1);
  expect(said).toContain(`The data folder ${folder} can’t be used`);
  expect(said).toContain('--user-data-dir=FOLDER');
});

test('sample files that can not be copied keep nobody from chatting', async ({ launch, userData }) => {
  mkdirSync(userData);
  symlinkSync(join(userData, 'nowhere'), join(userData, 'sample-files'));
  const app = await launch();
  await app.send('hello');
  await expect(app.lastAnswer).toBeVisible();
});
