import { join } from 'node:path';
import { AgentView, call, expect, expectMended, test, WIRES } from './fixtures/agent.ts';
import { scenario } from './fixtures/servers/index.ts';

const TEST = 'node test/price.test.mjs';

for (const wire of WIRES) {
  test.describe(wire.name, () => {
    test.use({ wire });

    test('a coding task: find, read, run the tests, fix, run them again, done', async ({ app, scripted, project }) => {
      await scripted.connect(app);
      scripted.will(
        [call('Glob', { pattern: '**/*.mjs' }), call('Grep', { pattern: 'function total' })],
        [{ text: 'There it is.' }, call('Read', { path: 'src/price.mjs' })],
        [call('Bash', { command: TEST })],
        [call('Edit', { path: 'src/price.mjs', old_text: 'price + count', new_text: 'price * count' })],
        [call('Bash', { command: TEST })],
        [{ text: 'The test passes now.' }],
      );
      const run = new AgentView(app);
      await run.start({ goal: 'Fix the failing test', workspace: project.folder, mode: 'accept-edits' });
      await expect(app.approval).toContainText(TEST);
      await app.answerApproval('Allow once');
      // The same command once more, after the file was changed.
      await expect(run.cards('Edit')).toHaveAttribute('data-state', 'done');
      await app.answerApproval('Allow once');
      await expect(app.lastAnswer).toContainText('The test passes now.');
      await run.ended();

      await expectMended(project, run);
      expect(scripted.requests[1]).toContain('src/price.mjs:1');
      expect(scripted.requests[3]).toContain('AssertionError');
      expect(scripted.requests[5]).toContain('all tests passed');
    });

    test('a server that the run connects is used in its next request', async ({ app, scripted, project, scratch }) => {
      const id = await app.addServer('scenario', scenario(join(scratch, 'journal')));
      await app.call('mcp', 'setEnabled', { serverId: id, enabled: false });
      await scripted.connect(app);
      scripted.will(
        [call('connect_mcp', { name: 'scenario' })],
        [call('mcp__scenario__say', { text: 'good morning' })],
        [{ text: 'It answered.' }],
      );
      const run = new AgentView(app);
      await run.start({ goal: 'Let the server say something', workspace: project.folder });
      await expect(app.approval).toContainText('connect_mcp');
      await app.answerApproval('Allow once');
      await expect(app.approval).toContainText('good morning');
      await app.answerApproval('Allow once');
      await expect(app.lastAnswer).toContainText('It answered.');
      expect(scripted.requests.map((body) => body.includes('mcp__scenario__say'))).toEqual([false, true, true]);
      expect(scripted.requests[1]).toMatch(/connected servers: [^.]*scenario/);
      expect(scripted.requests[2]).toContain('said good morning');
    });
  });
}
