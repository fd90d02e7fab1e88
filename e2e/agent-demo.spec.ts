import { join } from 'node:path';
import { AgentView, expect, expectMended, test } from './fixtures/agent.ts';
import { scenario } from './fixtures/servers/index.ts';

/** Real runs on the model that comes with the app: a set of rules that does a goal's steps one by one. */

test('a coding task: find, read, run the tests, fix, run them again, done', async ({ app, project }) => {
  const run = new AgentView(app);
  const steps = [
    'Find the files **/*.mjs',
    'search for `function total` in src/',
    'read src/price.mjs',
    'run `node test/price.test.mjs`',
    'replace `price + count` with `price * count` in src/price.mjs',
    'run `node test/price.test.mjs`',
  ];
  await run.start({ goal: steps.join(', then '), workspace: project.folder, mode: 'accept-edits' });
  await expect(app.approval).toContainText('node test/price.test.mjs');
  await app.answerApproval('Allow once');
  await expect(run.cards('Edit')).toHaveAttribute('data-state', 'done');
  await app.answerApproval('Allow once');
  await expect(app.lastAnswer).toContainText('all tests passed');
  await run.ended();

  await expect(app.lastAnswer).toContainText('It is not an AI model');
  const calls = await expectMended(project, run);
  expect(JSON.stringify(calls[3]!.result)).toContain('AssertionError');
});

test('a server that the run connects is used in its next request', async ({ app, project, scratch }) => {
  const id = await app.addServer('scenario', scenario(join(scratch, 'journal')));
  await app.call('mcp', 'setEnabled', { serverId: id, enabled: false });
  const run = new AgentView(app);
  await run.start({
    goal: 'Read README.md\nconnect the server "scenario"\nsay "good morning"',
    workspace: project.folder,
  });
  await expect(app.approval).toContainText('connect_mcp');
  await app.answerApproval('Allow once');
  await expect(app.approval).toContainText('good morning');
  await app.answerApproval('Allow once');
  await expect(app.lastAnswer).toContainText('said good morning');
  await run.ended();
  expect((await run.calls()).map(({ serverName, toolName, state }) => [serverName, toolName, state])).toEqual([
    [expect.any(String), 'Read', 'done'],
    [expect.any(String), 'connect_mcp', 'done'],
    ['scenario', 'say', 'done'],
  ]);
});

test('what it has no rule for it says, and changes nothing', async ({ app, project }) => {
  const run = new AgentView(app);
  await run.start({ goal: 'Fix the failing test', workspace: project.folder, mode: 'bypass' });
  await expect(app.lastAnswer).toContainText('not an AI model');
  await expect(app.lastAnswer).toContainText('No tool fits');
  await run.ended();
  expect(await run.calls()).toEqual([]);
  expect(project.git('status', '--porcelain')).toBe('');
});
