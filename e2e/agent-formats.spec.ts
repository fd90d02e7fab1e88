import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { canSeeProcesses, ProcessWatch } from '../scripts/lib/processes.mjs';
import { AgentView, call, expect, test, WIRES } from './fixtures/agent.ts';
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

      expect(project.git('status', '--porcelain')).toBe('M src/price.mjs'.padStart(17));
      expect(project.read('src/price.mjs')).toContain('sum + price * count');
      const calls = await run.calls();
      expect(calls.map(({ toolName, state }) => `${toolName} ${state}`)).toEqual([
        'Glob done',
        'Grep done',
        'Read done',
        'Bash failed',
        'Edit done',
        'Bash done',
      ]);
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

    test('killed in a tool, the run goes on after the restart and repeats no call by itself', async ({
      launch,
      scripted,
      project,
    }) => {
      const first = await launch();
      await scripted.connect(first);
      const seconds = `1000.${Date.now()}`;
      scripted.will([{ text: 'This takes a while.' }, call('Bash', { command: `touch began; sleep ${seconds}` })]);
      const before = new AgentView(first);
      await before.start({ goal: 'Wait long', workspace: project.folder, mode: 'bypass' });
      await expect.poll(() => existsSync(join(project.folder, 'began'))).toBe(true);
      await first.kill();
      await first.expectNoProcessLeft();
      if (canSeeProcesses) {
        const watch = new ProcessWatch({ mark: '', text: seconds });
        expect(await watch.waitForNone(20_000)).toEqual([]);
      }

      const second = await launch();
      const run = new AgentView(second);
      await run.reopen();
      scripted.will([call('Read', { path: 'README.md' })], [{ text: 'Another way was found.' }]);
      await run.resume();
      await expect(second.lastAnswer).toContainText('Another way was found.');
      await run.ended();
      expect(scripted.requests).toHaveLength(3);
      expect(scripted.requests[1]).toContain('Wait long');
    });

    test('a run that outgrows the window goes on with a summary, which is shown', async ({
      app,
      scripted,
      project,
    }) => {
      project.write('long.txt', 'A line of some forty characters, say.\n'.repeat(900));
      await scripted.connect(app, { contextWindow: 16_000 });
      scripted.will(
        [call('Read', { path: 'long.txt', limit: 600 })],
        [call('Read', { path: 'long.txt', limit: 600, offset: 200 })],
        [{ text: 'NOTES: the file repeats one line.' }],
        [{ text: 'It is the same line throughout.' }],
      );
      const run = new AgentView(app);
      await run.start({ goal: 'Find out what is in long.txt', workspace: project.folder });
      await expect(app.lastAnswer).toContainText('It is the same line throughout.');
      await run.ended();
      const summary = app.page.getByTestId('summary');
      await summary.getByRole('button').first().click();
      await expect(summary).toContainText('NOTES: the file repeats one line.');
      // The goal is in every request.
      for (const body of scripted.requests) expect(body).toContain('Find out what is in long.txt');
      expect(scripted.requests[3]).toContain('NOTES');
    });
  });
}
