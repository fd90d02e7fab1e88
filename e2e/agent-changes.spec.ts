import { call, expect, test } from './fixtures/agent.ts';

test('a change is shown as a diff and undone; a file that changed since only after the person insists', async ({
  app,
  begin,
  project,
}) => {
  const before = { code: project.read('src/price.mjs'), readme: project.read('README.md') };
  const run = await begin(
    { goal: 'Change two files', mode: 'accept-edits' },
    [
      call('Edit', { path: 'src/price.mjs', old_text: 'price + count', new_text: 'price * count' }),
      call('Edit', { path: 'README.md', old_text: '# Prices', new_text: '# Sums' }),
    ],
    [{ text: 'Both are changed.' }],
  );
  await expect(app.lastAnswer).toContainText('Both are changed.');
  await run.ended();
  await run.open(run.cards('Edit').first());
  const diff = run.cards('Edit').first().getByTestId('diff');
  await expect(diff).toContainText('sum + price + count');
  await expect(diff).toContainText('sum + price * count');

  const panel = await run.openChanges();
  await panel.getByRole('button', { name: 'Undo the change of src/price.mjs' }).click();
  await expect(panel).toContainText('Undone');
  expect(project.read('src/price.mjs')).toBe(before.code);

  project.write('README.md', '# Written by hand\n');
  await panel.getByRole('button', { name: 'Undo the change of README.md' }).click();
  const question = app.page.getByRole('alertdialog');
  await expect(question).toContainText('has changed since');
  expect(project.read('README.md')).toBe('# Written by hand\n');
  await question.getByRole('button', { name: 'Undo all the same' }).click();
  await expect(question).toBeHidden();
  expect(project.read('README.md')).toBe(before.readme);
  expect(project.git('status', '--porcelain')).toBe('');
});

test('Esc closes the changes and lets the run go on; the next one stops it', async ({ app, begin }) => {
  const run = await begin({ goal: 'Wait for an answer' }, [call('Write', { path: 'a.txt', content: 'a' })]);
  await expect(app.approval).toContainText('a.txt');
  const panel = await run.openChanges();
  await app.composer.focus();
  await app.page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(app.composer).toBeFocused();
  await expect(run.stopButton).toBeEnabled();
  await app.page.keyboard.press('Escape');
  await run.ended();
  await expect(run.cards('Write')).toHaveAttribute('data-state', 'cancelled');
});
