import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { call, expect, test } from './fixtures/agent.ts';

const write = (name: string) => call('Write', { path: `${name}.txt`, content: name });

test('a call that is allowed runs, one that is denied does not, and the model works on with both', async ({
  app,
  begin,
  scripted,
  project,
}) => {
  const run = await begin(
    { goal: 'Write notes' },
    [{ text: 'I write it down.' }, call('Write', { path: 'notes.txt', content: 'first\n' })],
    [call('Bash', { command: 'rm notes.txt' })],
    [{ text: 'Then it stays.' }],
  );
  await expect(app.approval).toContainText('notes.txt');
  // Seen from other windows, and in the list.
  await expect(app.page).toHaveTitle('(1) TinyElf');
  await expect(app.page.getByTestId('conversation-item').first()).toContainText('Waits for your answer');
  expect(existsSync(join(project.folder, 'notes.txt'))).toBe(false);
  await app.answerApproval('Allow once');
  await expect(run.cards('Write')).toHaveAttribute('data-state', 'done');

  await expect(app.approval).toContainText('rm notes.txt');
  await app.answerApproval('Deny');
  await expect(run.cards('Bash')).toHaveAttribute('data-state', 'denied');
  await expect(app.lastAnswer).toContainText('Then it stays.');
  await run.ended();
  await expect(app.page).toHaveTitle('TinyElf');
  expect(project.read('notes.txt')).toBe('first\n');
  expect(scripted.requests[2]).toMatch(/declined|denied/i);

  const decisions = (await run.calls()).map((part) => part.decisions?.map(({ layer, outcome }) => [layer, outcome]));
  expect(decisions).toEqual([
    [
      ['firewall', 'allow'],
      ['permission', 'ask'],
      ['person', 'allow'],
    ],
    [
      ['firewall', 'allow'],
      ['permission', 'ask'],
      ['person', 'deny'],
    ],
  ]);
  await run.open(run.cards('Bash'));
  await expect(run.cards('Bash').getByTestId('decisions')).toContainText('You refused');
});

test('a change that asks shows the diff of the file as it is, whole when it is long, and why it would fail', async ({
  app,
  begin,
  project,
}) => {
  const before = project.read('src/price.mjs');
  const lines = Array.from({ length: 700 }, (_, index) => `line ${index + 1} ${'x'.repeat(90)}\n`).join('');
  const run = await begin(
    { goal: 'Change files' },
    [call('Edit', { path: 'src/price.mjs', old_text: 'price + count', new_text: 'price * count' })],
    [call('Write', { path: 'long.txt', content: lines })],
    [call('Edit', { path: 'README.md', old_text: 'nowhere', new_text: 'here' })],
    [{ text: 'Nothing was changed.' }],
  );
  const diff = app.approval.getByTestId('diff');
  await expect(diff).toContainText('sum + price + count');
  await expect(diff).toContainText('sum + price * count');
  // With what is around it.
  await expect(diff).toContainText('export function total(items) {');
  expect(project.read('src/price.mjs')).toBe(before);
  await app.answerApproval('Deny');

  await expect(app.approval).toContainText('long.txt');
  await expect(app.approval).toContainText('New');
  await app.approval.getByRole('button', { name: 'Open whole diff' }).click();
  const dialog = app.page.getByTestId('diff-dialog');
  await expect(dialog).toContainText('line 1');
  await dialog.getByRole('button', { name: 'Show all 701 lines' }).click();
  await expect(dialog).toContainText('line 700 x');
  await app.page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await app.answerApproval('Deny');

  await expect(app.approval.getByTestId('diff-problem')).toContainText('old_text is not in README.md');
  await app.answerApproval('Deny');
  await expect(app.lastAnswer).toContainText('Nothing was changed.');
  await run.ended();
  expect(project.git('status', '--porcelain')).toBe('');
});

test('"Allow for this run" covers later calls of the tool, in this run only', async ({ app, begin, project }) => {
  const run = await begin({ goal: 'Write two files' }, [write('a')], [write('b')], [{ text: 'Both are there.' }]);
  await app.answerApproval('Allow for this run');
  await expect(app.lastAnswer).toContainText('Both are there.');
  await run.ended();
  expect(project.git('status', '--porcelain')).toBe('?? a.txt\n?? b.txt');

  await begin({ goal: 'Write another file' }, [write('c')], [{ text: 'A third one.' }]);
  await expect(app.approval).toContainText('c.txt');
  await app.answerApproval('Allow once');
  await expect(app.lastAnswer).toContainText('A third one.');
});

test('what the firewall refuses is shown with its layer and reason, asks nobody, and the model works on', async ({
  app,
  begin,
  scripted,
}) => {
  // Not even the mode that asks nothing lets it through.
  const run = await begin(
    { goal: 'Look at the key', mode: 'bypass' },
    [call('Read', { path: '~/.ssh/id_ed25519' }), call('Bash', { command: 'echo x >> /etc/hosts' })],
    [{ text: 'I go on without them.' }],
  );
  await expect(app.lastAnswer).toContainText('I go on without them.');
  for (const tool of ['Read', 'Bash']) {
    const card = run.cards(tool);
    await expect(card).toHaveAttribute('data-state', 'denied');
    await expect(card).toHaveAttribute('data-refused-by', 'firewall');
    await expect(card).toContainText('Blocked by the firewall');
  }
  await run.open(run.cards('Read'));
  await expect(run.cards('Read').getByTestId('decisions')).toContainText('Firewall refused');
  await expect(run.cards('Read').getByTestId('decisions')).toContainText('id_ed25519');
  expect(scripted.requests[1]).toContain('[firewall] Blocked');
  await expect(app.approval).toHaveCount(0);
});

test('another mode counts at once, for the call that waits and for those that follow', async ({
  app,
  begin,
  project,
}) => {
  const run = await begin(
    { goal: 'Write files' },
    [write('a')],
    [write('b'), call('Bash', { command: 'cat a.txt b.txt' })],
    [call('Bash', { command: 'cat b.txt' })],
    [{ text: 'All written.' }],
  );
  await expect(app.approval).toContainText('a.txt');
  await run.setMode('accept-edits');
  await expect(run.cards('Write').first()).toHaveAttribute('data-state', 'done');
  // Commands ask still.
  await expect(app.approval).toContainText('cat a.txt b.txt');
  await expect(run.cards('Write').nth(1)).toHaveAttribute('data-state', 'done');
  await run.setMode('bypass');
  await expect(app.lastAnswer).toContainText('All written.');
  await expect(run.cards('Bash').nth(1)).toHaveAttribute('data-state', 'done');
  expect(project.read('b.txt')).toBe('b');
});

test('in plan mode the run reads and changes nothing', async ({ app, begin, scripted, project }) => {
  const run = await begin(
    { goal: 'Plan the repair', mode: 'plan' },
    [
      call('Read', { path: 'src/price.mjs' }),
      call('Write', { path: 'plan.md', content: 'plan' }),
      call('Bash', { command: 'touch plan.md' }),
    ],
    [{ text: 'Multiply, then test.' }],
  );
  await expect(app.lastAnswer).toContainText('Multiply, then test.');
  await expect(run.cards('Read')).toHaveAttribute('data-state', 'done');
  for (const tool of ['Write', 'Bash']) {
    await expect(run.cards(tool)).toHaveAttribute('data-refused-by', 'permission');
    await expect(run.cards(tool)).toContainText('Not permitted');
  }
  expect(project.git('status', '--porcelain')).toBe('');
  expect(scripted.requests[1]).toContain('only makes a plan');
});

test('a whole run by keyboard alone: begun, allowed, looked at and undone; every control has a name', async ({
  app,
  scripted,
  project,
}) => {
  const { page } = app;
  await scripted.connect(app);
  scripted.will(
    [call('Edit', { path: 'src/price.mjs', old_text: 'price + count', new_text: 'price * count' })],
    [{ text: 'It multiplies now.' }],
  );
  const before = project.read('src/price.mjs');
  const tabTo = async (control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
    const hasFocus = () => control.evaluate((element) => element === document.activeElement);
    for (let steps = 0; steps < 60 && !(await hasFocus()); steps++) await page.keyboard.press(key);
    await expect(control).toBeFocused();
  };
  const expectNames = async () =>
    expect(await page.locator('body').ariaSnapshot()).not.toMatch(/- (button|textbox|combobox|radio|switch)\b(?! ")/);

  await tabTo(page.getByTestId('new-run'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('goal-input')).toBeFocused();
  await page.keyboard.type('Mend the sum');
  await tabTo(page.getByTestId('workspace-input'));
  await page.keyboard.type(project.folder);
  await tabTo(page.getByTestId('preset-option').first());
  // Held until it has moved: a key that is up at once moves the focus only.
  await page.keyboard.down('ArrowRight');
  await expect(page.getByTestId('preset-option').filter({ hasText: 'Coder' })).toBeChecked();
  await page.keyboard.up('ArrowRight');
  await expectNames();
  await tabTo(page.getByTestId('start-run'));
  await page.keyboard.press('Enter');

  await expect(app.approval.getByRole('button', { name: 'Deny' })).toBeFocused();
  await expectNames();
  await tabTo(app.approval.getByRole('button', { name: 'Allow once' }));
  await page.keyboard.press('Enter');
  await expect(app.lastAnswer).toContainText('It multiplies now.');
  await expect(app.composer).toBeFocused();

  const toggle = page.getByTestId('changes-toggle');
  await tabTo(toggle, 'Shift+Tab');
  await page.keyboard.press('Enter');
  const panel = page.getByTestId('changes-panel');
  const change = panel.getByRole('button', { name: 'Show the change of src/price.mjs' });
  await tabTo(change);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('diff-dialog')).toContainText('price * count');
  await expectNames();
  await page.keyboard.press('Escape');
  await expect(change).toBeFocused();
  await tabTo(panel.getByRole('button', { name: 'Undo the change of src/price.mjs' }));
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('Undone');
  await expect(change).toBeFocused();
  expect(project.read('src/price.mjs')).toBe(before);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(toggle).toBeFocused();
});
