import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type RunningApp, test } from './fixtures/app.ts';
import { FORMATS } from './fixtures/scripted-model.ts';
import { everything, scenario, startEverythingOverHttp } from './fixtures/servers/index.ts';

test('a result too large for a chat is cut, and the whole of it can be opened', async ({
  app,
  model,
  scratch,
  userData,
}) => {
  await app.addServer('scenario', scenario(join(scratch, 'journal')));
  await model.connect(app, FORMATS[0]);
  model.whenAsked('say a lot', [{ tool: 'say', args: { text: `BEGIN${'x'.repeat(150_000)}END` } }], 'It said much.');
  await app.send('say a lot');
  await app.answerApproval('Allow once');
  await app.turnEnded();
  // The answer repeats the result, so that the card is far above.
  const list = app.page.getByTestId('message-list');
  await expect(async () => {
    await list.evaluate((element) => element.scrollTo({ top: 0 }));
    await expect(app.toolCard('done')).toBeVisible({ timeout: 1000 });
  }).toPass();
  const result = await app.resultOf(app.toolCard('done'));
  await expect(result).toContainText('the middle was left out');
  const folder = join(userData, 'results');
  const [file = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, file), 'utf8')).toBe(`said BEGIN${'x'.repeat(150_000)}END`);

  // Instead of a program for text, what was asked of the system.
  await app.electron.evaluate(({ shell }) => {
    shell.openPath = async (path) => {
      (globalThis as { askedToOpen?: string }).askedToOpen = path;
      return '';
    };
  });
  await result.getByRole('button', { name: 'Open whole result' }).click();
  const asked = () => app.electron.evaluate(() => (globalThis as { askedToOpen?: string }).askedToOpen);
  await expect.poll(asked).toBe(join(folder, file));
});

test('a server that nobody uses is closed, says so, and starts again for a call', async ({ app, model, scratch }) => {
  const { command, args } = scenario(join(scratch, 'journal'));
  await app.openServerSettings();
  await app.page.getByTestId('add-server').click();
  const form = app.page.getByTestId('server-form');
  await form.getByLabel('Name').fill('scenario');
  await form.getByLabel('Command').fill(command);
  await form.getByLabel('Arguments').fill(args.join('\n'));
  await form.getByRole('button', { name: 'Advanced' }).click();
  await form.getByLabel('Close when idle for').fill('1');
  await form.getByLabel('Largest message').fill('8');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  const row = app.serverRow('scenario');
  await expect(row).toContainText('asleep');
  await expect(row).toContainText('5 tools');
  const [, added] = await app.call('mcp', 'list');
  expect(added?.server.limits).toEqual({ idleCloseMs: 1000, maxFrameBytes: 8 * 1024 * 1024 });

  await app.openChat();
  await model.connect(app, FORMATS[0]);
  model.whenAsked('greet', [{ tool: 'say', args: { text: 'hello' } }], 'Done:');
  await app.send('greet');
  await app.answerApproval('Allow once');
  await expect(app.lastAnswer).toContainText('said hello');
});

test('a download at the first start shows its last line, and the server gets ready', async ({ app, scratch }) => {
  const folder = join(scratch, 'bin');
  mkdirSync(folder);
  const npx = join(folder, 'npx');
  const { command, args } = everything();
  const lines = 'for i in 1 2 3 4 5 6 7 8; do echo "fetching part $i" >&2; sleep 1; done';
  writeFileSync(npx, `#!/bin/sh\n${lines}\nexec "${command}" "$@"\n`);
  chmodSync(npx, 0o755);
  await app.call('mcp', 'add', { name: 'downloaded', type: 'stdio', config: { command: npx, args } });
  await app.openServerSettings();
  const row = app.serverRow('downloaded');
  await expect(row.getByTestId('install-note')).toContainText('fetching part');
  await expect(row).toContainText('may be downloading');
  await expect(row).toHaveAttribute('data-status', 'ready', { timeout: 60_000 });
  await expect(row.getByTestId('install-note')).toBeHidden();
});

test('a remote server that is still there stays ready when the machine wakes up', async ({ app, httpServerUrl }) => {
  const { id } = await app.call('mcp', 'add', { name: 'remote', type: 'http', config: { url: httpServerUrl } });
  await app.serverReady(id);
  await app.electron.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'));
  await app.page.waitForTimeout(1000);
  await app.serverReady(id);
});

for (const { what, before, back } of [
  {
    what: 'the machine wakes up',
    before: async () => undefined,
    back: (app: RunningApp) => app.electron.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume')),
  },
  {
    what: 'the network is back',
    // What the system says of the network can't be changed here; what the app is told can.
    before: async (app: RunningApp) => {
      await app.electron.evaluate(({ net }) => {
        net.isOnline = () => {
          (globalThis as { lookedAt?: boolean }).lookedAt = true;
          return false;
        };
      });
      const lookedAt = () => app.electron.evaluate(() => (globalThis as { lookedAt?: boolean }).lookedAt);
      await expect.poll(lookedAt).toBe(true);
    },
    back: (app: RunningApp) =>
      app.electron.evaluate(({ net }) => {
        net.isOnline = () => true;
      }),
  },
]) {
  test(`a remote server that was given up is connected again when ${what}`, async ({ app }) => {
    const first = await startEverythingOverHttp();
    const { id } = await app.call('mcp', 'add', { name: 'remote', type: 'http', config: { url: first.url } });
    await app.serverReady(id);
    await before(app);
    await first.stop();
    // A loss is noticed by whoever asks; then come five tries with growing pauses.
    const run = { runId: 'r1', serverId: id, toolName: 'echo', args: { message: 'hello' } };
    await app.call('mcpTools', 'run', run).catch(() => undefined);
    await app.openServerSettings();
    const row = app.serverRow('remote');
    await expect(row).toHaveAttribute('data-status', 'failed', { timeout: 60_000 });

    const second = await startEverythingOverHttp(first.port);
    await expect(row).toHaveAttribute('data-status', 'failed');
    await back(app);
    await expect(row).toHaveAttribute('data-status', 'ready');
    await second.stop();
  });
}
