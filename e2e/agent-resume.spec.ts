import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { canSeeProcesses } from '../scripts/lib/processes.mjs';
import { AgentView, call, expect, processesWith, test, WIRES } from './fixtures/agent.ts';

const GONE_MS = 20_000;

for (const wire of WIRES) {
  test.describe(wire.name, () => {
    test.use({ wire });

    test('a run is killed with the app in the middle of a command, resumed and finished', async ({
      launch,
      scripted,
      project,
    }) => {
      const before = await launch();
      await scripted.connect(before);
      // Seconds that no other program sleeps.
      const seconds = `1000.${process.pid}${Date.now()}`;
      const command = `touch began; sleep ${seconds}`;
      scripted.will(
        [{ reasoning: 'I look first.' }, call('Read', { path: 'src/price.mjs' })],
        [{ reasoning: 'Now I wait.' }, { text: 'This takes long.' }, call('Bash', { command })],
      );
      const killed = new AgentView(before);
      await killed.start({ goal: 'Fix the sum', workspace: project.folder, mode: 'bypass' });
      await expect.poll(() => existsSync(join(project.folder, 'began'))).toBe(true);
      await before.kill();
      if (canSeeProcesses) expect(await processesWith(seconds).waitForNone(GONE_MS)).toEqual([]);

      const app = await launch();
      const run = new AgentView(app);
      await run.reopen();
      await expect(run.notice('interrupted')).toBeVisible();
      await expect(run.cards('Read')).toHaveAttribute('data-state', 'done');
      await expect(run.cards('Bash')).toHaveAttribute('data-state', 'cancelled');
      await expect(run.stopButton).toBeDisabled();
      // Nothing goes on by itself.
      expect(scripted.requests).toHaveLength(2);

      scripted.will(
        [
          { reasoning: 'It was cut off.' },
          call('Edit', { path: 'src/price.mjs', old_text: 'price + count', new_text: 'price * count' }),
        ],
        [call('Bash', { command: 'node test/price.test.mjs' })],
        [{ text: 'The test passes now.' }],
      );
      await run.resume();
      await expect(app.lastAnswer).toContainText('The test passes now.');
      await run.ended();
      // The model has all that came before, and knows that the command's end is not known.
      expect(scripted.requests[2]).toContain('Fix the sum');
      expect(scripted.requests[2]).toContain('export function total');
      expect(scripted.requests[2]).toContain('This call was interrupted and its result is not known');
      expect(scripted.requests[4]).toContain('all tests passed');
      expect((await run.calls()).map(({ toolName, state }) => `${toolName} ${state}`)).toEqual([
        'Read done',
        'Bash cancelled',
        'Edit done',
        'Bash done',
      ]);
    });
  });
}

test('a run whose agent can’t be read any more is shown as a run that can’t go on, and why', async ({
  launch,
  scripted,
  project,
  userData,
}) => {
  const before = await launch();
  await scripted.connect(before);
  scripted.will([call('Read', { path: 'README.md' })], [{ text: 'It sums up prices.' }]);
  await new AgentView(before).start({ goal: 'Read', workspace: project.folder });
  await expect(before.lastAnswer).toContainText('It sums up prices.');
  await before.quit();
  damageAgents(userData);

  const app = await launch();
  const item = app.page.getByTestId('conversation-item').first();
  await expect(item.getByTestId('run-mark')).toBeVisible();
  await item.click();
  await expect(app.page.getByRole('alert')).toContainText('This run can’t go on');
  await expect(app.lastAnswer).toContainText('It sums up prices.');
  await expect(app.composer).toBeHidden();
});

/** As a fault of the disk would leave them: what makes conversations runs of the agent is cut off. */
function damageAgents(userData: string): void {
  const database = new DatabaseSync(join(userData, 'conversations.db'));
  database.exec('UPDATE conversations SET agent = substr(agent, 1, 20)');
  database.close();
}
