import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures/app.ts';

test('a server of chosen folders is added with exactly these, and the demo model reads a file there', async ({
  app,
  scratch,
}) => {
  const folder = join(scratch, 'my notes');
  mkdirSync(folder);
  writeFileSync(join(folder, 'plan.txt'), 'plant tulips');
  const { id: sample } = (await app.call('mcp', 'list')).find(({ server }) => server.builtin === 'files')!.server;
  await app.call('mcp', 'setEnabled', { serverId: sample, enabled: false });
  // The system's dialog is none of the page's; what it answers is the test's choice.
  await app.electron.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, folder);

  const { page } = app;
  await app.openServerSettings();
  await page.getByTestId('add-server').click();
  await page.getByRole('button', { name: 'Add Files', exact: true }).click();
  const dialog = page.getByTestId('folders-dialog');
  await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Choose folders' }).click();
  await expect(dialog).toContainText(folder);
  await expect(dialog.getByLabel('Name')).toHaveValue('my-notes');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();

  const row = app.serverRow('my-notes');
  await expect(row).toHaveAttribute('data-status', 'ready');
  await expect(row).toContainText(folder);
  await row.getByRole('button', { name: 'my-notes', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Folders' })).toContainText(folder);

  await app.openChat();
  await app.send('Read plan.txt');
  await app.answerApproval('Allow once');
  await app.turnEnded();
  await expect(app.lastAnswer).toContainText('plant tulips');
});

test('the memory is added with one press, used by the demo model, and kept in the data folder', async ({
  app,
  userData,
}) => {
  const { page } = app;
  await app.openServerSettings();
  await page.getByTestId('add-server').click();
  await page.getByRole('button', { name: 'Add Memory', exact: true }).click();
  const row = app.serverRow('memory');
  await expect(row).toHaveAttribute('data-status', 'ready');

  await app.openChat();
  await app.send(
    'Use create_entities with entities=[{"name":"Ada","entityType":"person","observations":["likes tea"]}]',
  );
  await app.answerApproval('Allow once');
  await app.turnEnded();
  expect(readFileSync(join(userData, 'memory.jsonl'), 'utf8')).toContain('likes tea');
  await app.send('search nodes for "Ada"');
  await app.answerApproval('Allow once');
  await app.turnEnded();
  await expect(app.lastAnswer).toContainText('likes tea');

  // There is one memory; it is not offered twice.
  await app.openServerSettings();
  await page.getByTestId('add-server').click();
  await expect(page.getByTestId('builtin-offers').getByRole('listitem').filter({ hasText: 'Memory' })).toContainText(
    'Added',
  );
});
