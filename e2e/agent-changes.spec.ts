import { AgentView, call, expect, test } from './fixtures/agent.ts';

test('a change is shown as a diff and undone; a file that changed since only after the person insists', async ({
  app,
  scripted,
  project,
}) => {
  await scripted.connect(app);
  const before = { code: project.read('src/price.mjs'), readme: project.read('README.md') };
  scripted.will(
    [
      call('Edit', { path: 'src/price.mjs', old_text: 'price + count', new_text: 'price * count' }),
      call('Edit', { path: 'README.md', old_text: '# Prices', new_text: '# Sums' }),
    ],
    [{ text: 'Both are changed.' }],
  );
  const run = new AgentView(app);
  await run.start({ goal: 'Change two files', workspace: project.folder, mode: 'accept-edits' });
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
