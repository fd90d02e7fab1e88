import { expect, test } from './fixtures/app.ts';

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

test('the demo is there, says what it is, and cannot be removed', async ({ app }) => {
  await app.openProviderSettings();
  const row = app.providerRow('Demo');
  await expect(row).toContainText('Not an AI model');
  await expect(row.getByRole('button')).toHaveCount(0);
});
