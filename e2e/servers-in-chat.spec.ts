import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type RunningApp, test } from './fixtures/app.ts';
import { FORMATS } from './fixtures/scripted-model.ts';
import { listing, scenario } from './fixtures/servers/index.ts';

const QUICK = { latency: 0, chunkSize: 100 };
/** As many as the APIs of OpenAI take. */
const MOST_TOOLS = 128;

test('more tools than the provider takes: Settings and the chat say so, and the request holds what it takes', async ({
  app,
  model,
}) => {
  for (const { server } of await app.call('mcp', 'list')) {
    await app.call('mcp', 'setEnabled', { serverId: server.id, enabled: false });
  }
  const id = await app.addServer('many', listing(MOST_TOOLS + 7));
  await model.connect(app, FORMATS[1]);
  model.whenTold('hello', 'Hello to you.', QUICK);

  await app.openServerSettings();
  const warning = app.page.getByTestId('too-many-tools');
  await expect(warning).toContainText('7 of 135 are left out');
  await expect(warning).toContainText(String(MOST_TOOLS));

  await app.openChat();
  await app.send('hello');
  await expect(app.lastAnswer).toContainText('Hello to you.');
  await expect(app.page.getByTestId('message-list')).toContainText('7 of your tools were not offered to this model.');
  expect(model.offeredTools).toHaveLength(MOST_TOOLS);

  // What is enough for the provider is enough for the warning.
  for (let index = 0; index < 7; index += 1) {
    await app.call('mcpTools', 'setEnabled', { serverId: id, toolName: `tool_${index}`, enabled: false });
  }
  await app.openServerSettings();
  await expect(app.page.getByTestId('tool-costs')).toContainText(String(MOST_TOOLS));
  await expect(warning).toBeHidden();
});

/** Adds a server whose script isn't there yet, so that it can't start. */
async function addBroken(app: RunningApp, name: string, script: string): Promise<string> {
  const { id } = await app.call('mcp', 'add', {
    name,
    type: 'stdio',
    config: { command: process.execPath, args: [script] },
  });
  return id;
}

test('the chat says that a server is not running, why, and starts it again once that is mended', async ({
  app,
  scratch,
}) => {
  const sign = app.page.getByTestId('servers-down');
  const panel = app.page.getByTestId('servers-down-panel');
  await app.addServer('fine', scenario(join(scratch, 'journal')));
  await expect(sign).toBeHidden();

  const folder = join(scratch, 'later');
  const id = await addBroken(app, 'broken', join(folder, 'server.mjs'));
  await expect(sign).toHaveText('1 server isn’t running', { timeout: 60_000 });

  // By keyboard: to the sign, into it, and out of it again.
  await sign.focus();
  await app.page.keyboard.press('Enter');
  await expect(panel.getByRole('listitem')).toHaveCount(1);
  await expect(panel.getByRole('listitem')).toContainText('broken');
  await expect(panel.getByRole('button', { name: 'Try again' })).toBeFocused();
  await app.page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(sign).toBeFocused();

  await sign.click();
  await panel.getByRole('button', { name: 'Server settings' }).click();
  await expect(app.serverRow('broken')).toHaveAttribute('data-status', 'failed');
  await app.openChat();

  mkdirSync(folder);
  const { args } = scenario(join(scratch, 'journal-2'));
  writeFileSync(join(folder, 'server.mjs'), `await import(${JSON.stringify(args[0])});\n`);
  await sign.click();
  await panel.getByRole('button', { name: 'Try again' }).click();
  await app.serverReady(id);
  await expect(panel.getByRole('listitem')).toContainText('Ready');
  await app.page.keyboard.press('Escape');
  await expect(sign).toBeHidden();
  await expect(app.composer).toBeFocused();
});

test('while a server is slow to list what it has, what is typed after @ is never lost', async ({ app, scratch }) => {
  const gate = join(scratch, 'gate');
  await app.addServer('slow', listing(1, gate));
  const panel = app.page.getByTestId('content-panel');
  const search = app.page.getByTestId('content-search');
  const { keyboard } = app.page;
  /** Begins anew, and opens the panel. */
  const openPanel = async () => {
    await app.composer.fill('');
    await keyboard.type('ask @');
    await expect(search).toBeFocused();
  };

  // Esc gives it back, and the next key goes on there.
  await openPanel();
  await keyboard.type('ann');
  await expect(panel).toContainText('slow');
  await expect(search).toHaveValue('ann');
  await keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await keyboard.type('a');
  await expect(app.composer).toHaveValue('ask @anna');

  // A sentence that goes on is no search.
  await openPanel();
  await keyboard.type('ann about tea');
  await expect(panel).toBeHidden();
  await expect(app.composer).toHaveValue('ask @ann about tea');

  // Nor is one that ends.
  await openPanel();
  await keyboard.type('ann');
  await keyboard.press('Enter');
  await expect(panel).toBeHidden();
  await expect(app.composer).toHaveValue('ask @ann');
  await expect(app.composer).toBeFocused();

  // Taking it back takes the character, too.
  await openPanel();
  await keyboard.type('r');
  await keyboard.press('Backspace');
  await expect(panel).toBeVisible();
  await keyboard.press('Backspace');
  await expect(panel).toBeHidden();
  await expect(app.composer).toHaveValue('ask ');

  // When the list comes after all, it is searched by what was typed.
  await keyboard.type('@');
  await expect(search).toBeFocused();
  await keyboard.type('rep');
  writeFileSync(gate, '');
  await expect(panel.getByRole('option')).toHaveCount(1);
  await keyboard.press('Enter');
  await expect(app.page.getByTestId('attachment-chip')).toHaveCount(1);
  await expect(app.composer).toHaveValue('ask ');
  await expect(app.composer).toBeFocused();
});
