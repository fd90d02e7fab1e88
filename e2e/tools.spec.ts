import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, type RunningApp, test } from './fixtures/app.ts';
import { FORMATS } from './fixtures/scripted-model.ts';
import { everything, scenario } from './fixtures/servers/index.ts';

const CHAT_COMPLETIONS = FORMATS[1];

/** Opens the page of a server, with its tools. */
async function openTools(app: RunningApp, server: string): Promise<void> {
  await app.openServerSettings();
  await app.serverRow(server).getByRole('button', { name: server, exact: true }).click();
}

const toolRow = (app: RunningApp, tool: string): Locator =>
  app.page.getByTestId('tool-row').filter({ has: app.page.getByText(tool, { exact: true }) });

/** Opens the tool's row and from there its playground. */
async function openPlayground(app: RunningApp, tool: string): Promise<Locator> {
  await toolRow(app, tool).getByRole('button').first().click();
  await toolRow(app, tool).getByRole('button', { name: 'Try it' }).click();
  return app.page.getByTestId('playground');
}

test('a tool that is switched off is not offered to a model, and stays off after a restart', async ({
  launch,
  model,
  scratch,
}) => {
  const app = await launch();
  await app.addServer('scenario', scenario(join(scratch, 'journal')));
  await model.connect(app, CHAT_COMPLETIONS);
  model.whenTold('hello', 'Hello to you.', { latency: 0, chunkSize: 100 });
  await app.send('hello');
  await expect(app.lastAnswer).toContainText('Hello to you.');
  expect(model.offeredTools.some((name) => name.endsWith('__say'))).toBe(true);

  await openTools(app, 'scenario');
  const offered = app.page.getByTestId('offered-tools');
  await expect(offered).toContainText('5 tools offered');
  await toolRow(app, 'say').getByRole('switch').click();
  await expect(offered).toContainText('4 tools offered');
  await expect(offered).toContainText('1 is switched off');
  await app.openChat();
  await app.send('hello again');
  await expect(app.lastAnswer).toContainText('Hello to you.');
  await app.turnEnded();
  await expect.poll(() => model.offeredTools.some((name) => name.endsWith('__say'))).toBe(false);
  expect(model.offeredTools.some((name) => name.endsWith('__wait'))).toBe(true);

  await app.quit();
  const again = await launch();
  await again.serversReady();
  await openTools(again, 'scenario');
  await expect(toolRow(again, 'say').getByRole('switch')).not.toBeChecked();
});

test('policies: a denied tool is refused to the model, an allowed one runs, and reset asks again', async ({
  app,
  model,
  scratch,
}) => {
  const journal = join(scratch, 'journal');
  await app.addServer('scenario', scenario(journal));
  await model.connect(app, CHAT_COMPLETIONS);
  model.whenAsked('greet', [{ tool: 'say', args: { text: 'hello' } }], 'It said:');

  const decide = async (policy: string) => {
    await openTools(app, 'scenario');
    const choice = toolRow(app, 'say').getByRole('radio', { name: policy, exact: true });
    if (!(await choice.isVisible())) await toolRow(app, 'say').getByRole('button').first().click();
    await choice.click();
    await expect(choice).toBeChecked();
    await app.openChat();
  };

  await decide('Deny');
  await app.send('greet, first');
  await expect(app.toolCard('denied')).toContainText('must not be used');
  await expect(app.lastAnswer).toContainText('must not be used');
  await app.turnEnded();
  expect(readFileSync(journal, 'utf8')).not.toContain('say:hello');

  await decide('Allow');
  await app.send('greet, second');
  await expect(app.toolCard('done')).toBeVisible();
  await expect(app.lastAnswer).toContainText('said hello');
  await app.turnEnded();
  expect(readFileSync(journal, 'utf8').match(/say:hello/g)).toHaveLength(1);

  await openTools(app, 'scenario');
  await app.page.getByRole('button', { name: 'Ask for every tool again' }).click();
  await app.page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
  await expect(toolRow(app, 'say')).not.toContainText('Runs without asking');
  await app.openChat();
  await app.send('greet, third');
  await app.answerApproval('Deny');
  await app.turnEnded();
});

test('the list and the page say what the definitions cost', async ({ app }) => {
  await app.addServer('everything', everything());
  await app.openServerSettings();
  await expect(app.serverRow('everything')).toContainText(/about [\d,]+ tokens/);
  await expect(app.page.getByTestId('tool-costs')).toContainText(/tools are offered to models: about [\d,]+ tokens/);
});

test('the playground runs a tool, keeps what was typed, and shows both views of the result', async ({ app }) => {
  await app.addServer('everything', everything());
  await openTools(app, 'everything');
  const playground = await openPlayground(app, 'echo');
  await playground.getByRole('textbox', { name: 'message' }).fill('hello from the playground');
  await playground.getByRole('button', { name: 'Run', exact: true }).click();
  const outcome = playground.getByTestId('playground-outcome');
  await expect(outcome.getByTestId('tool-result')).toContainText('hello from the playground');
  await outcome.getByRole('button', { name: 'Copy as JSON' }).click();
  const clipboard = () => app.electron.evaluate(({ clipboard: system }) => system.readText());
  await expect.poll(clipboard).toContain('hello from the playground');
  expect(JSON.parse(await clipboard())).toMatchObject({ isError: false, content: [{ type: 'text' }] });
  await outcome.getByRole('radio', { name: 'As the model reads it' }).click();
  await expect(outcome.getByTestId('playground-for-model')).toContainText('hello from the playground');

  await playground.getByRole('radio', { name: 'JSON' }).click();
  const json = playground.getByRole('textbox', { name: 'JSON' });
  await expect(json).toHaveValue(/hello from the playground/);
  await json.fill('{"message": 5}');
  await expect(playground.getByTestId('argument-problems')).toContainText('must be text');
  // A warning, and no more: the server has the last word, and what was typed stays.
  await playground.getByRole('button', { name: 'Run again' }).click();
  await expect(outcome).toContainText(/invalid/i);
  await expect(json).toHaveValue('{"message": 5}');
  await app.openChat();
  await app.openServerSettings();
  await expect(app.page.getByRole('textbox', { name: 'JSON' })).toHaveValue('{"message": 5}');
});

test('the playground shows progress, cancels, and asks before what destroys', async ({ app, scratch }) => {
  const journal = join(scratch, 'journal');
  await app.addServer('scenario', scenario(journal));
  await openTools(app, 'scenario');
  const playground = await openPlayground(app, 'wait');
  await playground.getByRole('textbox', { name: 'ms' }).fill('100000');
  await playground.getByRole('textbox', { name: 'label' }).fill('long');
  await playground.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(playground.getByTestId('tool-progress')).toContainText('waiting long');
  await playground.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(playground.getByTestId('playground-outcome')).toContainText('Stopped.');
  await expect(playground.getByRole('textbox', { name: 'label' })).toHaveValue('long');
  await expect.poll(() => readFileSync(journal, 'utf8')).toContain('wait-cancelled:long');

  await app.page.getByRole('button', { name: 'Tools of scenario' }).click();
  const other = await openPlayground(app, 'destroy');
  await other.getByRole('button', { name: 'Run', exact: true }).click();
  const question = app.page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(readFileSync(journal, 'utf8')).not.toContain('destroyed');
  await other.getByRole('button', { name: 'Run', exact: true }).click();
  await question.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(other.getByTestId('tool-result')).toContainText('destroyed');
});
