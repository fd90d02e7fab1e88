import { expect, test } from './fixtures/app.ts';

test('a new user finds a model, a server that is on, and gets an answer through a tool', async ({ app }) => {
  await expect(app.page.getByTestId('model-picker')).toContainText('not an AI model');
  await expect(app.page.getByRole('region', { name: 'First steps' }).getByRole('listitem')).toHaveCount(4);
  await app.serversReady();

  const example = 'List the files in the sample folder';
  await app.page.getByTestId('example-prompt').filter({ hasText: example }).click();
  await expect(app.composer).toHaveValue(example);
  await expect(app.composer).toBeFocused();
  await app.page.keyboard.press('Enter');
  await expect(app.approval).toBeVisible();
  await app.answerApproval('Allow once');
  await expect(app.toolCard('done')).toBeVisible();
  await app.turnEnded();
  await expect(app.lastAnswer).toContainText('welcome.md');
  await expect(app.lastAnswer).toContainText('not an AI model');
  await expect(app.page.getByTestId('conversation-item')).toHaveCount(1);
});

test('the composer works by keyboard: Shift+Enter breaks the line, Enter sends', async ({ app }) => {
  await app.composer.focus();
  await app.page.keyboard.type('first line');
  await app.page.keyboard.press('Shift+Enter');
  await app.page.keyboard.type('second line');
  await expect(app.page.getByTestId('message')).toHaveCount(0);
  await app.page.keyboard.press('Enter');
  const sent = app.page.locator('[data-testid="message"][data-role="user"]');
  await expect(sent).toContainText('first line');
  await expect(sent).toContainText('second line');
  await expect(app.composer).toHaveValue('');
});
