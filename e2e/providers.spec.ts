import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, expect } from './fixtures/app.ts';

interface SilentServer {
  url: string;
  /** How many requests wait for an answer, in vain. */
  open(): number;
}

const test = base.extend<{ silentServer: SilentServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
  silentServer: async ({}, use) => {
    let open = 0;
    const server = createServer((_request, response) => {
      open += 1;
      response.once('close', () => {
        open -= 1;
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open: () => open });
    server.closeAllConnections();
    server.close();
  },
});

test('a provider added by the form lists its models, and its key is kept but never shown', async ({ app, model }) => {
  await app.openProviderSettings();
  await app.page.getByTestId('add-provider').click();
  await app.page.getByRole('button', { name: /Any other/ }).click();
  const form = app.page.getByTestId('provider-form');
  await form.getByLabel('Name').fill('My endpoint');
  await form.getByLabel('Base URL').fill(`${model.url}/v1`);
  await form.getByLabel('Key').fill('sk-never-shown');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await app.answerSecretChoice();

  await expect(form.getByText(/^It works/)).toBeVisible();
  await expect(form.getByText('A key is set.')).toBeVisible();
  expect(await app.page.content()).not.toContain('sk-never-shown');

  await app.page.getByTestId('settings-providers').click();
  await expect(app.providerRow('My endpoint')).toContainText('Key set');
});

test('a provider that is not there says so, and what was entered stays', async ({ app }) => {
  await app.openProviderSettings();
  await app.page.getByTestId('add-provider').click();
  await app.page.getByRole('button', { name: /LM Studio/ }).click();
  const form = app.page.getByTestId('provider-form');
  // The discard port: nothing listens there.
  await form.getByLabel('Base URL').fill('http://127.0.0.1:9/v1');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(form.getByRole('alert')).toBeVisible();
  await expect(form.getByLabel('Base URL')).toHaveValue('http://127.0.0.1:9/v1');

  // Models can be added by hand where none can be listed.
  await app.page.getByLabel('Id of a model').fill('a-model');
  await app.page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(app.page.getByRole('button', { name: 'Remove a-model' })).toBeVisible();
});

test('a test of a provider that never answers is stopped, and its models stay', async ({ app, silentServer }) => {
  await app.call('app', 'chooseWeakSecrets', { choice: 'session-only' });
  const baseUrl = `${silentServer.url}/v1`;
  const { id } = await app.call('providers', 'add', { preset: 'lmstudio', name: 'Silent', baseUrl });
  await app.call('providers', 'update', { providerId: id, models: [{ id: 'mine' }] });
  await app.openProviderSettings();
  await app.providerRow('Silent').getByRole('button', { name: 'Silent', exact: true }).click();
  const form = app.page.getByTestId('provider-form');
  await form.getByRole('button', { name: 'Test', exact: true }).click();
  await expect.poll(() => silentServer.open()).toBe(1);
  await form.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(form.getByText('Stopped. The models stay as they were.')).toBeVisible();
  await expect.poll(() => silentServer.open()).toBe(0);
  await expect(app.page.getByRole('button', { name: 'Remove mine' })).toBeVisible();
});

test('the demo is there, says what it is, and cannot be removed', async ({ app }) => {
  await app.openProviderSettings();
  const row = app.providerRow('Demo');
  await expect(row).toContainText('Not an AI model');
  await expect(row.getByRole('button')).toHaveCount(0);
});
