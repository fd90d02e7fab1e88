import {
  type OAuthServers,
  startOAuthServers,
} from '../packages/desktop/app/main/services/capabilities/tools/mcp-users/__fixtures__/oauth-server.ts';
import { test as base, expect, type RunningApp } from './fixtures/app.ts';

const test = base.extend<{ service: OAuthServers }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
  service: async ({}, use) => {
    const servers = await startOAuthServers();
    await use(servers);
    servers.close();
  },
});

/** Takes the place of the system's browser: keeps the addresses that it was asked to open. */
const recordBrowser = (app: RunningApp) =>
  app.electron.evaluate(({ shell }) => {
    const opened: string[] = [];
    (globalThis as unknown as { opened: string[] }).opened = opened;
    shell.openExternal = async (url) => {
      opened.push(url);
    };
  });

const openedPages = (app: RunningApp) =>
  app.electron.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);

const addServer = (app: RunningApp, url: string) =>
  app.call('mcp', 'add', { name: 'Notes', type: 'http', config: { url } });

test('a person signs in to a server, uses it, and signs out', async ({ app, service }) => {
  await recordBrowser(app);
  const { id } = await addServer(app, service.url);
  await app.openServerSettings();
  const row = app.serverRow('Notes');
  await row.getByTestId('sign-in').click();
  const dialog = app.page.getByTestId('sign-in-dialog');
  await app.answerSecretChoice();
  await expect(dialog.getByTestId('sign-in-host')).toHaveText(new URL(service.issuer).host);
  expect(await openedPages(app)).toEqual([]);

  await dialog.getByRole('button', { name: 'Open browser' }).click();
  await expect(dialog).toContainText('finished in the browser');
  await expect.poll(() => openedPages(app)).toHaveLength(1);
  const back = await fetch((await openedPages(app))[0]!);
  expect(await back.text()).toContain('You can close this page');

  await expect(dialog).toBeHidden();
  await app.serverReady(id);
  await expect(row).toContainText('2 tools');
  await expect(row.getByTestId('sign-in')).toBeHidden();
  const { tools } = await app.call('mcp', 'tools', { serverId: id });
  expect(tools.map(({ name }) => name)).toEqual(['echo', 'admin']);

  await row.getByRole('button', { name: 'Notes', exact: true }).click();
  await expect(app.page.getByText('Signed in', { exact: true })).toBeVisible();
  await app.page.getByRole('button', { name: 'Sign out' }).click();
  await expect(app.page.getByTestId('sign-in')).toBeVisible();
  await expect.poll(() => service.counts.revocations).toBe(1);
});

test('a sign-in that is given up opens nothing and leaves the server as it was', async ({ app, service }) => {
  await recordBrowser(app);
  await addServer(app, service.url);
  await app.openServerSettings();
  const row = app.serverRow('Notes');
  await row.getByTestId('sign-in').click();
  await app.answerSecretChoice();
  const dialog = app.page.getByTestId('sign-in-dialog');
  await expect(dialog.getByTestId('sign-in-host')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByTestId('sign-in')).toBeVisible();
  expect(await openedPages(app)).toEqual([]);
  expect(service.counts.authorizations).toBe(0);
});
