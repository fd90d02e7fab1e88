import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, type RunningApp, test } from './fixtures/app.ts';
import { everything } from './fixtures/servers/index.ts';

const SECRET = 'sk-from-another-program';

function write(home: string, file: string, text: string): string {
  const path = join(home, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** A home folder in which Claude Desktop and VS Code have servers, and Cursor has a damaged file. */
function otherPrograms(home: string): string {
  const demo = { ...everything(), env: { DEMO_KEY: SECRET } };
  write(home, '.cursor/mcp.json', '{"mcpServers": {"x": ');
  write(
    home,
    '.config/Code/User/mcp.json',
    `{
      // written by hand
      "inputs": [{ "type": "promptString", "id": "key", "description": "Key of the service", "password": true }],
      "servers": { "service": { "type": "http", "url": "https://x.example/mcp", "headers": { "X-Key": "\${input:key}" } } },
    }`,
  );
  return write(home, '.config/Claude/claude_desktop_config.json', JSON.stringify({ mcpServers: { demo } }));
}

const launchAt = (launch: (environment: Record<string, string>) => Promise<RunningApp>, home: string) =>
  launch({ HOME: home, XDG_CONFIG_HOME: '', CLAUDE_CONFIG_DIR: '' });

test('servers of other programs are found, shown in full, imported switched off, compared and taken back', async ({
  launch,
  scratch,
}) => {
  const home = join(scratch, 'home');
  const file = otherPrograms(home);
  const before = readFileSync(file, 'utf8');
  const app = await launchAt(launch, home);
  await app.openServerSettings();
  await app.page.getByTestId('import-servers').click();

  const sources = app.page.getByTestId('import-source');
  await expect(sources).toHaveCount(3);
  await expect(sources.filter({ hasText: 'Cursor' })).toContainText('not valid JSON');
  const demo = app.page.getByTestId('found-server').filter({ hasText: 'demo' });
  await expect(demo).toContainText(everything().args[0]!);
  await expect(demo).toContainText('DEMO_KEY');
  expect(await app.page.content()).not.toContain(SECRET);

  await demo.getByRole('checkbox').click();
  await app.page.getByTestId('found-server').filter({ hasText: 'service' }).getByRole('checkbox').click();
  await app.page.getByLabel('Key of the service').fill('sk-entered');
  await app.page.getByRole('button', { name: 'Import 2 servers' }).click();
  await app.answerSecretChoice();

  const row = app.serverRow('demo');
  await expect(row).toHaveAttribute('data-status', 'off');
  await expect(app.serverRow('service')).toHaveAttribute('data-status', 'off');
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(readFileSync(join(scratch, 'user-data', 'mcp-servers.json'), 'utf8')).not.toMatch(/sk-from|sk-entered/);

  // It starts only after the person has agreed, and then with the secret.
  await row.getByRole('switch').click();
  const consent = app.page.getByTestId('consent-dialog');
  await expect(consent).toContainText('DEMO_KEY');
  await consent.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(row).toHaveAttribute('data-status', 'ready');

  // What changed there since is shown, and replaces what is here only when the person says so.
  const changed = { ...everything(), args: [...everything().args, '--verbose'], env: { DEMO_KEY: SECRET } };
  writeFileSync(file, JSON.stringify({ mcpServers: { demo: changed } }));
  await app.page.getByTestId('import-servers').click();
  await expect(demo).toHaveAttribute('data-status', 'changed');
  await expect(demo).toContainText('Differs in: arguments');
  await expect(app.page.getByTestId('found-server').filter({ hasText: 'service' })).toHaveAttribute(
    'data-status',
    'same',
  );
  await demo.getByRole('checkbox').click();
  await app.page.getByRole('button', { name: 'Import 1 server' }).click();
  await app.page.getByRole('alertdialog').getByRole('button', { name: 'Replace' }).click();
  await expect(row).toHaveAttribute('data-status', 'off');

  await app.page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(row).toHaveAttribute('data-status', 'ready');
});

test('servers are exported without their keys, and with them only after a second yes', async ({ app }) => {
  const { command, args } = everything();
  await app.openServerSettings();
  await app.call('app', 'chooseWeakSecrets', { choice: 'session-only' });
  const config = { command, args, env: { DEMO_KEY: SECRET } };
  await app.call('mcp', 'add', { name: 'demo', type: 'stdio', config, enabled: false });
  const clipboard = () => app.electron.evaluate(({ clipboard: system }) => system.readText());
  const open = async () => {
    await app.page.getByRole('button', { name: 'More', exact: true }).click();
    await app.page.getByRole('menuitem', { name: 'Export servers' }).click();
    return app.page.getByTestId('export-dialog');
  };

  await (await open()).getByRole('button', { name: 'Copy' }).click();
  await expect(app.page.getByTestId('export-dialog')).toBeHidden();
  expect(await clipboard()).not.toContain(SECRET);
  expect(JSON.parse(await clipboard()).mcpServers.demo).toMatchObject({ command, args });

  const dialog = await open();
  await dialog.getByRole('checkbox').click();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await app.page.getByRole('alertdialog').getByRole('button', { name: 'Export with keys' }).click();
  await expect(app.page.getByTestId('export-dialog')).toBeHidden();
  expect(JSON.parse(await clipboard()).mcpServers).toEqual({ demo: { command, args, env: { DEMO_KEY: SECRET } } });
});

test('a pasted command line of another program becomes a server', async ({ app }) => {
  await app.openServerSettings();
  await app.page.getByTestId('paste-json').click();
  const dialog = app.page.getByTestId('paste-json-dialog');
  await dialog
    .getByRole('textbox', { name: 'JSON' })
    .fill('claude mcp add --scope user pasted -- npx -y "some package"');
  await expect(dialog).toContainText('some package');
  await dialog.getByRole('button', { name: 'Add 1 server' }).click();
  await expect(app.serverRow('pasted')).toHaveAttribute('data-status', 'off');
});
