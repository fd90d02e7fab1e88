import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentView, call, expect, test } from './fixtures/agent.ts';

const WAIT = 'touch began; while [ ! -e go ]; do sleep 0.1; done';

test('a run is stopped in a tool and resumed', async ({ app, scripted, project }) => {
  await scripted.connect(app);
  scripted.will([call('Bash', { command: WAIT })]);
  const run = new AgentView(app);
  await run.start({ goal: 'Wait', workspace: project.folder, mode: 'bypass' });
  await expect.poll(() => existsSync(join(project.folder, 'began'))).toBe(true);
  await run.stop();
  await expect(run.cards('Bash')).toHaveAttribute('data-state', 'cancelled');
  scripted.will([{ text: 'I go on.' }]);
  await run.resume();
  await expect(app.lastAnswer).toContainText('I go on.');
  await run.ended();
  expect(scripted.requests).toHaveLength(2);
});

test('what is said during a run reaches the model with its next request', async ({ app, scripted, project }) => {
  await scripted.connect(app);
  scripted.will([call('Bash', { command: WAIT })], [{ text: 'Understood.' }]);
  const run = new AgentView(app);
  await run.start({ goal: 'Wait', workspace: project.folder, mode: 'bypass' });
  await expect.poll(() => existsSync(join(project.folder, 'began'))).toBe(true);
  await app.send('Keep it short');
  await expect(app.page.locator('[data-testid="message"][data-role="user"]').last()).toContainText('Keep it short');
  project.write('go', '');
  await expect(app.lastAnswer).toContainText('Understood.');
  await run.ended();
  expect(scripted.requests[1]).toContain('Keep it short');
});

test('the list of what is to be done is shown and kept up', async ({ app, scripted, project }) => {
  await scripted.connect(app);
  const list = (first: string, second: string) =>
    call('TodoWrite', {
      items: [
        { text: 'Look', status: first },
        { text: 'Repair', status: second },
      ],
    });
  scripted.will(
    [list('in-progress', 'pending')],
    [call('Bash', { command: WAIT })],
    [list('done', 'done')],
    [{ text: 'All done.' }],
  );
  const run = new AgentView(app);
  await run.start({ goal: 'Work by a list', workspace: project.folder, mode: 'bypass' });
  await expect(run.todoStrip).toContainText('0 of 2');
  await expect(run.todoStrip).toContainText('Look');
  await expect.poll(() => existsSync(join(project.folder, 'began'))).toBe(true);
  project.write('go', '');
  await expect(run.todoStrip).toContainText('2 of 2');
  await expect(run.todoStrip).toContainText('All done');
  await run.ended();
});
