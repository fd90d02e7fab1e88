import { expect, test } from './fixtures/app.ts';
import { FORMATS } from './fixtures/scripted-model.ts';
import { everything } from './fixtures/servers/index.ts';

test('a form that a server asks for is filled in within the card of its call, checked, and sent; the next one is declined', async ({
  app,
  model,
}) => {
  await app.addServer('everything', everything());
  await model.connect(app, FORMATS[0]);
  model.whenAsked('fill it in', [{ tool: 'trigger-elicitation-request', args: {} }], 'It said:');
  await app.send('please fill it in');
  await app.answerApproval('Allow for this chat');
  const card = app.toolCard('running');
  await expect(card).toContainText('The server “everything” asks you for input');
  await expect(app.page.getByTestId('request-bar')).toHaveCount(0);
  const decline = card.getByRole('button', { name: 'Decline' });
  await expect(decline).toBeFocused();

  // What is missing or wrong is said in its place, and nothing is sent.
  await card.getByLabel('Integer').fill('7.5');
  await card.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(card).toContainText('Fill this in.');
  await expect(card).toContainText('Enter a whole number.');
  await card.getByLabel('Integer').fill('7');
  await card.getByLabel('String', { exact: true }).fill('Ada Lovelace');
  await card.getByText('Green Lantern').or(card.getByText('Superman')).first().click();
  await app.page.getByRole('option', { name: 'Wonder Woman' }).click();
  await card.getByText('Piano').click();

  // Esc asks first, since something was typed in; it doesn't stop the answer.
  await card.getByLabel('Integer').press('Escape');
  await app.page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await card.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(app.lastAnswer).toContainText('It said:');
  await expect(app.lastAnswer).toContainText('Ada Lovelace');
  await expect(app.lastAnswer).toContainText('hero-3');

  model.whenAsked('once more', [{ tool: 'trigger-elicitation-request', args: {} }], 'And now:');
  await app.send('once more');
  await app.toolCard('running').getByRole('button', { name: 'Decline' }).click();
  await expect(app.lastAnswer).toContainText('And now:');
  await expect(app.lastAnswer).toContainText('declined');
});

test('a server gets an answer of a model after the person has seen the request and the answer', async ({
  app,
  model,
}) => {
  await app.addServer('everything', everything());
  await model.connect(app, FORMATS[0]);
  const args = { prompt: 'a haiku about tea', maxTokens: 50 };
  model.whenAsked('let it write', [{ tool: 'trigger-sampling-request', args }], 'The server got:');
  model.whenTold('a haiku about tea', 'Steam over the cup.', { latency: 1, chunkSize: 5 });
  await app.send('let it write');
  await app.answerApproval('Allow once');
  const card = app.toolCard('running');
  await expect(card.getByTestId('sampling-request')).toContainText('a haiku about tea');
  const asked = model.requestCount;
  await card.getByRole('button', { name: 'Ask the model' }).click();
  await expect(card.getByTestId('sampling-answer')).toHaveValue('Steam over the cup.');
  expect(model.requestCount).toBe(asked + 1);
  await card.getByTestId('sampling-answer').fill('Steam over my cup.');
  await card.getByRole('button', { name: 'Send to the server' }).click();
  await expect(app.lastAnswer).toContainText('The server got:');
  await expect(app.lastAnswer).toContainText('Steam over my cup.');
});

test('a question of a chat that is not on the screen is answered from the bar; an address is opened outside, on a click', async ({
  app,
  model,
}) => {
  await app.electron.evaluate(({ shell }) => {
    shell.openExternal = async (url) => {
      (globalThis as unknown as { opened: string[] }).opened = [url];
    };
  });
  await app.addServer('everything', everything());
  await model.connect(app, FORMATS[0]);
  const args = { url: 'https://example.org/sign-in?for=ada', message: 'Please sign in' };
  model.whenAsked('visit it', [{ tool: 'trigger-url-elicitation', args }], 'Visited:');
  await app.send('please visit it');
  await app.answerApproval('Allow once');
  await expect(app.toolCard('running').getByTestId('request-host')).toHaveText('example.org');

  await app.page.getByTestId('nav-settings').click();
  const bar = app.page.getByTestId('request-bar');
  await expect(bar).toContainText('The server “everything” asks you to open a web address');
  await bar.getByRole('button', { name: 'Answer' }).click();
  const dialog = app.page.getByTestId('request-dialog');
  await expect(dialog.getByRole('button', { name: 'Decline' })).toBeFocused();
  await expect(dialog.getByTestId('request-url')).toHaveText('https://example.org/sign-in?for=ada');
  const opened = () => app.electron.evaluate(() => (globalThis as unknown as { opened?: string[] }).opened ?? []);
  expect(await opened()).toEqual([]);
  await dialog.getByRole('button', { name: 'Open in the browser' }).click();
  await expect.poll(opened).toEqual(['https://example.org/sign-in?for=ada']);
  // The server's call ends with the answer, and takes the question along.
  await expect(dialog).toHaveCount(0);
  await app.openChat();
  await expect(app.lastAnswer).toContainText('Visited:');
});

test('folders and the log level of a server are chosen on its page', async ({ app, scratch }) => {
  await app.addServer('everything', everything());
  await app.electron.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] });
  }, scratch);
  await app.openServerSettings();
  await app.serverRow('everything').getByRole('button', { name: 'everything' }).first().click();
  await app.page.getByRole('radio', { name: 'Access' }).click();
  await app.page.getByRole('button', { name: 'Add a folder' }).click();
  await expect(app.page.getByText(scratch, { exact: true })).toBeVisible();
  await app.page.getByRole('combobox', { name: 'Log level' }).click();
  await app.page.getByRole('option', { name: 'Debug' }).click();
  await expect(app.page.getByRole('combobox', { name: 'Log level' })).toContainText('Debug');
  await app.page.getByRole('radio', { name: 'Log', exact: true }).click();
  await expect(app.page.getByRole('log')).toContainText('Roots updated: 1 root(s) received');
  await app.page.getByRole('radio', { name: 'Access' }).click();
  await app.page.getByRole('button', { name: `Remove ${scratch}` }).click();
  await expect(app.page.getByText('No folder yet.')).toBeVisible();
});
