import { AgentView, call, expect, test } from './fixtures/agent.ts';

test('"Allow for this run" covers later calls of the tool, in this run only', async ({ app, scripted, project }) => {
  await scripted.connect(app);
  const write = (name: string) => call('Write', { path: `${name}.txt`, content: name });
  scripted.will([write('a')], [write('b')], [{ text: 'Both are there.' }]);
  const run = new AgentView(app);
  await run.start({ goal: 'Write two files', workspace: project.folder });
  await app.answerApproval('Allow for this run');
  await expect(app.lastAnswer).toContainText('Both are there.');
  await run.ended();
  expect(project.git('status', '--porcelain')).toBe('?? a.txt\n?? b.txt');

  scripted.will([write('c')], [{ text: 'A third one.' }]);
  await run.start({ goal: 'Write another file', workspace: project.folder });
  await expect(app.approval).toContainText('c.txt');
  await app.answerApproval('Allow once');
  await expect(app.lastAnswer).toContainText('A third one.');
});

test('another mode counts at once, for the call that waits and for those that follow', async ({
  app,
  scripted,
  project,
}) => {
  await scripted.connect(app);
  scripted.will(
    [call('Write', { path: 'a.txt', content: 'a' })],
    [call('Write', { path: 'b.txt', content: 'b' }), call('Bash', { command: 'cat a.txt b.txt' })],
    [call('Bash', { command: 'cat b.txt' })],
    [{ text: 'All written.' }],
  );
  const run = new AgentView(app);
  await run.start({ goal: 'Write files', workspace: project.folder });
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
