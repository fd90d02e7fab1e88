import { expect, test } from './fixtures/app.ts';
import { scenario } from './fixtures/servers/index.ts';

test('the log shows what a server writes, its messages and its life, and can be narrowed and paused', async ({
  app,
  scratch,
}) => {
  const program = `process.stderr.write('noted on stderr\\n'); await import(process.argv[1]);`;
  const { command, args } = scenario(`${scratch}/journal`);
  const id = await app.addServer('talker', {
    command,
    args: ['--input-type=module', '-e', program, ...args],
  });
  await app.openServerSettings();
  await app.serverRow('talker').getByRole('button', { name: 'talker', exact: true }).click();
  await app.page.getByRole('radio', { name: 'Log' }).click();

  const { page } = app;
  const log = page.getByTestId('server-log');
  const entries = page.getByTestId('log-entry');
  await expect(log).toContainText('noted on stderr');
  await expect(log).toContainText('Connected');
  // Nothing was recorded while nobody looked.
  await expect(log.locator('[data-source="message"]')).toHaveCount(0);

  await app.call('mcp', 'tools', { serverId: id, refresh: true });
  const request = log.getByRole('button', { name: /Sent: tools\/list request #\d+ \d+ B/ });
  await expect(request).toBeVisible();
  await expect(log.getByRole('button', { name: /Received: tools\/list answer #\d+ .* (ms|s)$/ })).toBeVisible();
  await request.click();
  await expect(log).toContainText('"method": "tools/list"');
  await request.click();

  await page.getByRole('combobox', { name: 'Which lines' }).click();
  await page.getByRole('option', { name: 'Output' }).click();
  await expect(log.locator('[data-source="message"]')).toHaveCount(0);
  await expect(log).toContainText('noted on stderr');
  await page.getByRole('combobox', { name: 'Which lines' }).click();
  await page.getByRole('option', { name: 'Everything' }).click();
  await page.getByLabel('Find in the log').fill('TOOLS/list');
  await expect(log).not.toContainText('noted on stderr');
  await expect(entries).toHaveCount(2);
  // What is copied is what is shown.
  await page.getByRole('button', { name: 'Copy what is shown' }).click();
  const clipboard = () => app.electron.evaluate(({ clipboard: system }) => system.readText());
  await expect.poll(clipboard).toContain('tools/list');
  expect((await clipboard()).split('\n')).toHaveLength(2);
  await page.getByLabel('Find in the log').fill('');

  await page.getByRole('button', { name: 'Pause' }).click();
  await app.call('mcp', 'tools', { serverId: id, refresh: true });
  const goOn = page.getByRole('button', { name: /Go on \([1-9]\d* new\)/ });
  await expect(goOn).toBeVisible();
  await expect(log.locator('[data-source="message"]')).toHaveCount(2);
  await goOn.click();
  await expect(log.locator('[data-source="message"]')).toHaveCount(4);

  await page.getByRole('button', { name: 'Clear the log' }).click();
  await expect(log).toContainText('Nothing here yet.');
});

test('a server that writes ten thousand lines a second does not freeze the window', async ({ app }) => {
  const noisy = `let n = 0;
    setInterval(() => { let lines = ''; for (let i = 0; i < 200; i += 1) lines += 'noise ' + n++ + '\\n'; process.stderr.write(lines); }, 20);
    const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
    const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
    const server = new McpServer({ name: 'noisy', version: '1' });
    server.registerTool('quiet', { description: 'Nothing.', inputSchema: {} }, () => ({ content: [] }));
    await server.connect(new StdioServerTransport());`;
  const config = { command: process.execPath, args: ['--input-type=module', '-e', noisy], cwd: process.cwd() };
  await app.addServer('noisy', config);
  await app.openServerSettings();
  await app.serverRow('noisy').getByRole('button', { name: 'noisy', exact: true }).click();
  await app.page.getByRole('radio', { name: 'Log' }).click();
  const log = app.page.getByTestId('server-log');
  await expect(log).toContainText(/noise \d{5}/);

  // It follows, few lines are in the page, and the page answers.
  const lastLine = async () =>
    Number(/noise (\d+)/.exec((await log.getByTestId('log-entry').last().textContent()) ?? '')?.[1]);
  const before = await lastLine();
  // That it goes on is what counts; how fast it may is the machine's business.
  await expect.poll(lastLine, { timeout: 60_000 }).toBeGreaterThan(before + 200);
  expect(await log.getByTestId('log-entry').count()).toBeLessThan(300);

  // Whoever reads further up is left in peace, and can go back.
  await log.hover();
  await app.page.mouse.wheel(0, -4000);
  const toLatest = app.page.getByRole('button', { name: /To the latest/ });
  await expect(toLatest).toContainText(/\d{4,}/);
  // The list may still be drawing a few lines more or less; thousands would come in this time.
  const movedBy = async () => {
    const from = await lastLine();
    await app.page.waitForTimeout(300);
    return (await lastLine()) - from;
  };
  await expect.poll(movedBy).toBe(0);
  const seen = await lastLine();
  await toLatest.click();
  await expect.poll(lastLine).toBeGreaterThan(seen);
});
