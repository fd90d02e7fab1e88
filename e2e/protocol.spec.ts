import { expect, type RunningApp, test } from './fixtures/app.ts';
import { everything, modern } from './fixtures/servers/index.ts';

/** Chooses the protocol in the form that is open. */
async function choose(app: RunningApp, protocol: string): Promise<void> {
  const form = app.page.getByTestId('server-form');
  const choice = form.getByRole('combobox', { name: 'Protocol' });
  if (!(await choice.isVisible())) await form.getByRole('button', { name: 'Advanced' }).click();
  await choice.click();
  await app.page.getByRole('option', { name: protocol, exact: true }).click();
}

test('the protocol of a server is chosen in its form, and its page shows what is spoken', async ({ app }) => {
  const { page } = app;
  const { command, args } = modern();
  await app.openServerSettings();
  await page.getByTestId('add-server').click();
  const form = page.getByTestId('server-form');
  await form.getByLabel('Name').fill('both');
  await form.getByLabel('Command').fill(command);
  await form.getByLabel('Arguments').fill(args.join('\n'));
  await choose(app, '2026-07-28 only');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  const row = app.serverRow('both');
  await expect(row).toContainText('Protocol 2026-07-28');
  await row.getByRole('button', { name: 'both', exact: true }).click();
  await expect(page.getByText('Protocol 2026-07-28', { exact: true })).toBeVisible();

  for (const [protocol, spoken] of [
    ['Older, up to 2025-11-25', 'Protocol 2025-11-25'],
    ['Automatic', 'Protocol 2026-07-28'],
  ] as const) {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await choose(app, protocol);
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByRole('button', { name: 'both', exact: true }).click();
    await expect(page.getByText(spoken, { exact: true })).toBeVisible();
    await expect(page.getByText('add', { exact: true })).toBeVisible();
  }
});

test('a server that does not speak the chosen revision says so, and works once the choice is automatic', async ({
  app,
}) => {
  const { page } = app;
  const { id } = await app.call('mcp', 'add', {
    name: 'older',
    type: 'stdio',
    config: everything(),
    protocol: '2026-07-28',
  });
  await app.openServerSettings();
  const row = app.serverRow('older');
  await expect(row).toHaveAttribute('data-status', 'failed');
  await expect(row).toContainText('does not speak revision 2026-07-28');
  await expect(row).toContainText('Choose “Automatic”');
  await row.getByRole('button', { name: 'Edit', exact: true }).click();
  await choose(app, 'Automatic');
  await page.getByTestId('server-form').getByRole('button', { name: 'Save', exact: true }).click();
  await app.serverReady(id);
  await expect(row).toContainText('Protocol 2025-11-25');
});
