import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AgentView, call, expect, test } from './fixtures/agent.ts';
import { scenario } from './fixtures/servers/index.ts';

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
