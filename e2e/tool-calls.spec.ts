import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures/app.ts';
import { FORMATS } from './fixtures/scripted-model.ts';
import { scenario } from './fixtures/servers/index.ts';

test('parallel calls run side by side', async ({ app, model, scratch }) => {
  const journal = join(scratch, 'journal');
  await app.addServer('scenario', scenario(journal));
  await model.connect(app, FORMATS[0]);
  const labels = ['a', 'b', 'c'];
  const calls = labels.map((label) => ({ tool: 'wait', args: { ms: 3000, label } }));
  model.whenAsked('all at once', calls, 'All done:');
  await app.send('all at once');
  // One answer for the chat covers the calls of the same tool that are waiting as well.
  await app.answerApproval('Allow for this chat');
  await expect(app.toolCard('done')).toHaveCount(3);
  await expect(app.lastAnswer).toContainText('All done:');
  for (const label of labels) await expect(app.lastAnswer).toContainText(`waited ${label}`);
  // Side by side means: all three had started before the first one ended.
  const events = readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('wait-'));
  expect(events.slice(0, 3).every((line) => line.startsWith('wait-started'))).toBe(true);
});

test('a server that crashes in mid-call: the call fails with its reason, the chat and the server go on', async ({
  app,
  model,
  scratch,
}) => {
  const id = await app.addServer('scenario', scenario(join(scratch, 'journal')));
  await model.connect(app, FORMATS[0]);
  model.whenAsked('break it', [{ tool: 'crash', args: {} }], 'It broke:');
  await app.send('break it');
  await app.answerApproval('Allow once');
  await expect(app.toolCard('failed')).toBeVisible();
  const card = app.toolCard('failed');
  // The reason is there at once, the server's last words on request.
  await expect(card).toContainText('exit code 42');
  await card.getByRole('button').first().click();
  await expect(card).toContainText('the reactor is empty');
  await expect(app.lastAnswer).toContainText('It broke:');

  await app.serverReady(id);
  model.whenAsked('greet', [{ tool: 'say', args: { text: 'hello again' } }], 'Recovered:');
  await app.send('please greet');
  await app.answerApproval('Allow once');
  await expect(app.lastAnswer).toContainText('said hello again');
});

test('a server that never answers: the call ends at its limit, the server is told, the chat goes on', async ({
  app,
  model,
  scratch,
}) => {
  const journal = join(scratch, 'journal');
  await app.addServer('scenario', scenario(journal), { idleMs: 3000 });
  await model.connect(app, FORMATS[0]);
  model.whenAsked('ask the silent one', [{ tool: 'never', args: {} }], 'No answer came:');
  await app.send('ask the silent one');
  await app.answerApproval('Allow once');
  await expect(app.toolCard('failed')).toBeVisible();
  await expect(app.lastAnswer).toContainText('No answer came:');
  await expect.poll(() => readFileSync(journal, 'utf8')).toContain('never-cancelled');
});

test('progress is shown, and keeps a call alive beyond its idle limit', async ({ app, model, scratch }) => {
  await app.addServer('scenario', scenario(join(scratch, 'journal')), { idleMs: 3000 });
  await model.connect(app, FORMATS[0]);
  model.whenAsked('take your time', [{ tool: 'wait', args: { ms: 7000, label: 'patient' } }], 'It took a while:');
  await app.send('take your time');
  await app.answerApproval('Allow once');
  await expect(app.toolCards.last().getByTestId('tool-progress')).toContainText('waiting patient');
  await expect(app.toolCard('done')).toBeVisible();
  await expect(app.lastAnswer).toContainText('waited patient');
});
