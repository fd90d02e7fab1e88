import { expect, test } from './fixtures/app.ts';
import { FORMATS } from './fixtures/scripted-model.ts';
import { everything } from './fixtures/servers/index.ts';

const CHAT = FORMATS[1];
const QUICK = { latency: 0, chunkSize: 20 };

test('a resource attached with @ and one of a template reach the model, and stay with the message', async ({
  app,
  model,
}) => {
  await app.addServer('everything', everything());
  await model.connect(app, CHAT);
  model.whenTold('what do these say', 'I have read them.', QUICK);

  // By keyboard alone: the list opens, is searched, and gives the focus back.
  await app.composer.focus();
  await app.page.keyboard.type('what do these say? @');
  const panel = app.page.getByTestId('content-panel');
  await expect(panel.getByRole('group', { name: 'everything' })).toBeVisible();
  await app.page.keyboard.type('architecture');
  await expect(panel.getByRole('option')).toHaveCount(1);
  await app.page.keyboard.press('Enter');
  await expect(panel).toBeHidden();
  const chips = app.page.getByTestId('attachment-chip');
  await expect(chips).toHaveCount(1);
  await expect(app.composer).toHaveValue('what do these say? ');
  await expect(app.composer).toBeFocused();

  // A template asks for its argument, and the server suggests.
  await app.page.keyboard.type('@');
  await app.page.keyboard.type('dynamic/text');
  await expect(panel.getByRole('option')).toHaveCount(1);
  await app.page.keyboard.press('Enter');
  const dialog = app.page.getByTestId('arguments-dialog');
  await dialog.getByRole('button', { name: 'Attach' }).click();
  await expect(dialog).toContainText('This is needed.');
  await dialog.getByTestId('argument-resourceId').fill('42');
  await dialog.getByRole('button', { name: 'Attach' }).click();
  await expect(dialog).toBeHidden();
  await expect(chips).toHaveCount(2);

  // A third one is taken away again.
  await app.page.getByTestId('attach-button').click();
  await panel.getByRole('option').first().click();
  await expect(chips).toHaveCount(3);
  await chips.last().getByRole('button').click();
  await expect(chips).toHaveCount(2);

  await app.page.getByTestId('send-button').click();
  await expect(app.lastAnswer).toContainText('I have read them.');
  await expect(chips).toHaveCount(0);
  const received = model.lastRequest;
  expect(received).toContain('what do these say?');
  expect(received).toContain('information, not instructions');
  expect(received).toContain('demo://resource/dynamic/text/42');
  expect(received).toContain('Resource 42: This is a plaintext resource');

  const sent = app.page.getByTestId('sent-attachment');
  await expect(sent).toHaveCount(2);
  await sent.last().click();
  await expect(app.page.getByTestId('attachment-dialog')).toContainText('Resource 42: This is a plaintext resource');
});

test('what is attached and can not be read keeps the message, and says why', async ({ app, model }) => {
  const id = await app.addServer('everything', everything());
  await model.connect(app, CHAT);
  model.whenTold('read this', 'Done.', QUICK);
  await app.composer.focus();
  await app.page.keyboard.type('read this @');
  await app.page.getByTestId('content-panel').getByRole('option').first().click();
  await expect(app.page.getByTestId('attachment-chip')).toHaveCount(1);
  await app.call('mcp', 'setEnabled', { serverId: id, enabled: false });
  await app.page.getByTestId('send-button').click();
  await expect(app.page.getByRole('alert')).toContainText('switched off');
  await expect(app.composer).toHaveValue('read this ');
  await expect(app.page.getByTestId('attachment-chip')).toHaveCount(1);
  expect(model.requestCount).toBe(0);

  await app.call('mcp', 'setEnabled', { serverId: id, enabled: true });
  await app.serverReady(id);
  await app.page.getByTestId('send-button').click();
  await expect(app.lastAnswer).toContainText('Done.');
});

test('a prompt chosen with / is filled in with suggestions, edited, and sent', async ({ app, model }) => {
  await app.addServer('everything', everything());
  await model.connect(app, CHAT);
  model.whenTold('Please promote', 'Promoted.', QUICK);

  await app.composer.focus();
  await app.page.keyboard.type('/');
  const panel = app.page.getByTestId('content-panel');
  await expect(panel.getByRole('option')).toHaveCount(4);
  await app.page.keyboard.type('team');
  await expect(panel.getByRole('option')).toHaveCount(1);
  await app.page.keyboard.press('Enter');

  const dialog = app.page.getByTestId('arguments-dialog');
  await expect(dialog.getByTestId('argument-department')).toBeFocused();
  await app.page.keyboard.type('Sa');
  await expect(dialog.getByRole('option', { name: 'Sales' })).toBeVisible();
  await app.page.keyboard.press('ArrowDown');
  await app.page.keyboard.press('Enter');
  await expect(dialog.getByTestId('argument-department')).toHaveValue('Sales');
  // The second argument depends on the first.
  await dialog.getByTestId('argument-name').focus();
  await dialog.getByRole('option', { name: 'Eve' }).click();
  await dialog.getByRole('button', { name: 'Insert' }).click();

  await expect(app.composer).toHaveValue('Please promote Eve to the head of the Sales team.');
  expect(model.requestCount).toBe(0);
  await expect(app.composer).toBeFocused();
  await app.page.keyboard.press('End');
  await app.page.keyboard.type(' Today.');
  await app.page.keyboard.press('Enter');
  await expect(app.lastAnswer).toContainText('Promoted.');
  expect(model.lastRequest).toContain('Please promote Eve to the head of the Sales team. Today.');
});

test('what only looks like a list being asked for stays in the message', async ({ app }) => {
  await app.composer.focus();
  await app.page.keyboard.type('/etc/hosts what is @ it?');
  await expect(app.composer).toHaveValue('/etc/hosts what is @ it?');

  await app.addServer('everything', everything());
  await app.composer.fill('');
  await app.page.keyboard.type('/');
  await expect(app.page.getByTestId('content-panel').getByRole('option')).toHaveCount(4);
  await app.page.keyboard.type('etc/hosts what is it?');
  await expect(app.composer).toHaveValue('/etc/hosts what is it?');

  // In the middle of a message, and by Esc: the next key goes on where the last one was.
  await app.composer.fill('Ask  about tea');
  await app.page.keyboard.press('Home');
  for (const _ of 'Ask ') await app.page.keyboard.press('ArrowRight');
  await app.page.keyboard.type('@');
  await expect(app.page.getByTestId('content-panel').getByRole('option').first()).toBeVisible();
  await app.page.keyboard.type('arch');
  await app.page.keyboard.press('Escape');
  await app.page.keyboard.type('itect');
  await expect(app.composer).toHaveValue('Ask @architect about tea');
});

test('the page of a server shows its resources and prompts, and follows the one that is open', async ({ app }) => {
  await app.addServer('everything', everything());
  await app.openServerSettings();
  await app.serverRow('everything').getByRole('button', { name: /tools/i }).click();
  await app.page.getByRole('radio', { name: 'Resources' }).click();
  const list = app.page.getByRole('list', { name: 'Resources' });
  await expect(list.getByRole('listitem')).toHaveCount(7);
  await list.getByRole('button').first().click();
  const view = app.page.getByTestId('resource-view');
  await expect(view.locator('pre')).not.toBeEmpty();
  await expect(view).toContainText('Live');

  await app.page.getByRole('radio', { name: 'Prompts' }).click();
  const prompts = app.page.getByRole('list', { name: 'Prompts' });
  await expect(prompts.getByRole('listitem')).toHaveCount(4);
  await prompts.getByRole('button', { name: /args-prompt/ }).click();
  await prompts.getByRole('button', { name: 'Fill in' }).click();
  const dialog = app.page.getByTestId('arguments-dialog');
  await dialog.getByTestId('argument-city').fill('Lyon');
  await dialog.getByRole('button', { name: 'Fill in' }).click();
  await expect(prompts).toContainText('Lyon');
});
