import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AgentView, call, expect, test } from './fixtures/agent.ts';
import { scenario } from './fixtures/servers/index.ts';

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

test('a deleted run takes its changes and its whole results along when the app ends, and not before', async ({
  app,
  scripted,
  project,
  scratch,
  userData,
}) => {
  await app.addServer('scenario', scenario(join(scratch, 'journal')));
  await scripted.connect(app);
  scripted.will(
    [
      call('Edit', { path: 'README.md', old_text: '# Prices', new_text: '# Sums' }),
      call('mcp__scenario__say', { text: 'x'.repeat(60_000) }),
    ],
    [{ text: 'Both are done.' }],
  );
  const run = new AgentView(app);
  await run.start({ goal: 'Change a file and say a lot', workspace: project.folder, mode: 'bypass' });
  await expect(app.lastAnswer).toContainText('Both are done.');
  await run.ended();
  const kept = () => ['agent-changes', 'results'].map((folder) => readdirSync(join(userData, folder)).length);
  expect(kept()).toEqual([1, 1]);

  const [removed] = await app.call('conversations', 'list');
  const conversationId = removed!.id;
  await app.call('conversations', 'remove', { conversationId });
  await app.call('conversations', 'restore', { conversationId });
  expect(await app.call('agent', 'changes', { conversationId })).toHaveLength(1);
  await app.call('conversations', 'remove', { conversationId });
  await app.quit();
  expect(kept()).toEqual([0, 0]);
});
