import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type RunningApp, test } from './fixtures/app.ts';
import { ForwardProxy } from './fixtures/forward-proxy.ts';
import { FORMATS } from './fixtures/scripted-model.ts';

test.skip(process.platform !== 'linux', "the system's proxies are set in the file of a Linux desktop, KDE");

const proxies: ForwardProxy[] = [];
test.afterEach(() => {
  for (const proxy of proxies.splice(0)) proxy.stop();
});

async function startProxy(ports: Record<string, number>): Promise<ForwardProxy> {
  const proxy = await ForwardProxy.start(ports);
  proxies.push(proxy);
  return proxy;
}

/** No proxy of the machine that runs the tests. */
const NO_VARIABLES = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [
    [name, ''],
    [name.toUpperCase(), ''],
  ]),
);

/**
 * What a desktop of KDE has after its settings were set to this proxy for all, as Chromium reads it.
 *
 * @param home stands for the person's folder
 * @param exempt hosts to be asked directly
 * @returns the environment of a program that is started there
 */
function desktopWithProxy(home: string, { port }: { port: number }, exempt: string[] = []): Record<string, string> {
  mkdirSync(join(home, '.config'), { recursive: true });
  const settings = {
    ProxyType: 1,
    httpProxy: `http://127.0.0.1 ${port}`,
    httpsProxy: `http://127.0.0.1 ${port}`,
    NoProxyFor: exempt.join(','),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(home, '.config', 'kioslaverc'), `[Proxy Settings]\n${lines.join('')}`);
  return { ...NO_VARIABLES, HOME: home, XDG_CURRENT_DESKTOP: 'KDE', KDE_SESSION_VERSION: '6' };
}

const addRemote = async (app: RunningApp, name: string, url: string): Promise<string> =>
  (await app.call('mcp', 'add', { name, type: 'http', config: { url } })).id;

/** Waits until the app has given up or is about to try again. */
const expectUnreachable = (app: RunningApp, id: string) =>
  expect
    .poll(async () => (await app.call('mcp', 'list')).find(({ server }) => server.id === id)?.state.status)
    .toMatch(/waiting-to-retry|failed/);

const portOf = (url: string): number => Number(new URL(url).port);

test("servers and models are reached through the system's proxy, but for what it exempts", async ({
  launch,
  model,
  httpServerUrl,
  scratch,
}) => {
  const proxy = await startProxy({ 'mcp.invalid': portOf(httpServerUrl), 'model.invalid': portOf(model.url) });
  const app = await launch(desktopWithProxy(join(scratch, 'home'), proxy, ['direct.invalid']));

  await app.serverReady(await addRemote(app, 'proxied', 'http://mcp.invalid/mcp'));
  await model.connect(app, FORMATS[0], 'http://model.invalid');
  model.whenAsked('through', [{ tool: 'echo', args: { message: 'the proxy' } }], 'Came back:');
  await app.send('go through it');
  await app.answerApproval('Allow once');
  await expect(app.lastAnswer).toContainText('Came back:');
  await expect(app.lastAnswer).toContainText('Echo: the proxy');

  await expectUnreachable(app, await addRemote(app, 'exempt', 'http://direct.invalid/mcp'));
  // This machine is never asked for through a proxy, or a local model would be out of reach.
  await app.serverReady(await addRemote(app, 'local', httpServerUrl));
  // Encrypted ones by a tunnel, which this proxy refuses.
  await expectUnreachable(app, await addRemote(app, 'encrypted', 'https://secure.invalid/mcp'));
  expect([...proxy.hosts].filter((host) => /invalid|127/.test(host)).sort()).toEqual([
    'mcp.invalid',
    'model.invalid',
    'secure.invalid:443',
  ]);
});

test('what the environment says about proxies counts more than the system', async ({
  launch,
  httpServerUrl,
  scratch,
}) => {
  const ports = { 'mcp.invalid': portOf(httpServerUrl), 'direct.invalid': portOf(httpServerUrl) };
  const [ofSystem, ofEnvironment] = [await startProxy(ports), await startProxy(ports)];
  const app = await launch({
    ...desktopWithProxy(join(scratch, 'home'), ofSystem),
    HTTP_PROXY: `http://127.0.0.1:${ofEnvironment.port}`,
    NO_PROXY: 'direct.invalid',
  });
  await app.serverReady(await addRemote(app, 'proxied', 'http://mcp.invalid/mcp'));
  await expectUnreachable(app, await addRemote(app, 'exempt', 'http://direct.invalid/mcp'));
  expect([...ofEnvironment.hosts].filter((host) => host.endsWith('invalid'))).toEqual(['mcp.invalid']);
  expect([...ofSystem.hosts].filter((host) => host.endsWith('invalid'))).toEqual([]);
});
