import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures/app.ts';
import { everything } from './fixtures/servers/index.ts';

test('a stdio server added by the form gets ready and shows its tools', async ({ app }) => {
  const { command, args } = everything();
  await app.openServerSettings();
  await app.page.getByTestId('add-server').click();
  const form = app.page.getByTestId('server-form');
  await form.getByLabel('Name').fill('everything');
  await form.getByLabel('Command').fill(command);
  await form.getByLabel('Arguments').fill(args.join('\n'));
  await form.getByRole('button', { name: 'Add', exact: true }).click();

  const row = app.serverRow('everything');
  await expect(row).toHaveAttribute('data-status', 'ready');
  await row.getByRole('button', { name: /tools/i }).click();
  await expect(app.page.getByText('echo', { exact: true })).toBeVisible();
});

test('a streamable HTTP server added by the form gets ready and shows its tools', async ({ app, httpServerUrl }) => {
  await app.openServerSettings();
  await app.page.getByTestId('add-server').click();
  const form = app.page.getByTestId('server-form');
  await form.getByLabel('Name').fill('everything over http');
  await form.getByRole('radio', { name: /streamable http/i }).click();
  await form.getByLabel('URL').fill(httpServerUrl);
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  const row = app.serverRow('everything over http');
  await expect(row).toHaveAttribute('data-status', 'ready');
  await row.getByRole('button', { name: /tools/i }).click();
  await expect(app.page.getByText('echo', { exact: true })).toBeVisible();
});

test('a server whose command does not exist says so, and its row offers a way on', async ({ app }) => {
  await app.call('mcp', 'add', { name: 'gone', type: 'stdio', config: { command: 'no-such-program-here', args: [] } });
  await app.openServerSettings();
  const row = app.serverRow('gone');
  await expect(row).toHaveAttribute('data-status', /failed|waiting-to-retry/);
  await expect(row).toContainText('no-such-program-here');
});

test('a test of a server that never answers is stopped, and leaves no process', async ({ app, scratch }) => {
  const pidFile = join(scratch, 'pid');
  const program = `require('node:fs').writeFileSync(process.argv[1], String(process.pid)); setInterval(() => {}, 1000);`;
  await app.openServerSettings();
  await app.page.getByTestId('add-server').click();
  const form = app.page.getByTestId('server-form');
  await form.getByLabel('Command').fill(process.execPath);
  await form.getByLabel('Arguments').fill(['-e', program, pidFile].join('\n'));
  await form.getByRole('button', { name: 'Test', exact: true }).press('Enter');
  const stop = form.getByRole('button', { name: 'Stop', exact: true });
  await expect(stop).toBeFocused();
  await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '').toBe(true);
  await stop.press('Enter');
  await expect(form.getByText('Stopped.', { exact: true })).toBeVisible();
  const pid = Number(readFileSync(pidFile, 'utf8'));
  expect(() => process.kill(pid, 0), 'it has ended').toThrow('ESRCH');
  await expect(form.getByRole('button', { name: 'Test', exact: true })).toBeFocused();
  await expect(form.getByLabel('Command')).toHaveValue(process.execPath);
});

test('servers pasted as JSON are shown in full, added switched off, and start only after consent', async ({ app }) => {
  const { command, args } = everything();
  const json = JSON.stringify({ mcpServers: { pasted: { command, args, env: { SOME_KEY: 'value' } } } });
  await app.openServerSettings();
  await app.page.getByTestId('paste-json').click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'JSON' }).fill(json);
  // Everything that would run is on the screen before anything is added.
  await expect(dialog).toContainText(command);
  await expect(dialog).toContainText('SOME_KEY');
  expect((await app.call('mcp', 'list')).map(({ server }) => server.name)).not.toContain('pasted');
  await dialog.getByRole('button', { name: 'Add 1 server' }).click();
  // A value is a secret; where the keyring is weak, storing it takes the person's word.
  await app.answerSecretChoice();

  const row = app.serverRow('pasted');
  await expect(row).toHaveAttribute('data-status', 'off');
  await row.getByRole('switch').click();
  const consent = app.page.getByTestId('consent-dialog');
  await expect(consent).toContainText(args[0]!);
  await expect(consent).toContainText('SOME_KEY');
  await expect(consent.getByRole('button', { name: 'Don’t start' })).toBeFocused();
  await consent.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(row).toHaveAttribute('data-status', 'ready');
});
