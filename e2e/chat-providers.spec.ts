import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures/app.ts';
import { FORMATS } from './fixtures/scripted-model.ts';
import { scenario } from './fixtures/servers/index.ts';

for (const format of FORMATS) {
  test.describe(format.name, () => {
    test('the model calls a tool that the person allows, and answers with its result', async ({
      app,
      model,
      scratch,
    }) => {
      await app.addServer('scenario', scenario(join(scratch, 'journal')));
      await model.connect(app, format);
      model.whenAsked('greet', [{ tool: 'say', args: { text: 'good morning' } }], 'The tool answered:');
      await app.send('please greet');
      await expect(app.approval).toContainText('good morning');
      await app.answerApproval('Allow once');
      await expect(await app.resultOf(app.toolCard('done'))).toContainText('said good morning');
      await expect(app.lastAnswer).toContainText('The tool answered:');
      await expect(app.lastAnswer).toContainText('said good morning');

      // The history that goes back with the next message is one that the provider takes.
      model.whenTold('thanks', 'You are welcome.', { latency: 1, chunkSize: 5 });
      await app.send('thanks');
      await expect(app.lastAnswer).toContainText('You are welcome.');
    });

    test('a denied call does not run, and the chat goes on', async ({ app, model, scratch }) => {
      const journal = join(scratch, 'journal');
      await app.addServer('scenario', scenario(journal));
      await model.connect(app, format);
      model.whenAsked('greet', [{ tool: 'say', args: { text: 'good morning' } }], 'So be it:');
      await app.send('please greet');
      await app.answerApproval('Deny');
      await expect(app.toolCard('denied')).toBeVisible();
      await expect(app.lastAnswer).toContainText('So be it:');
      expect(readFileSync(journal, 'utf8')).not.toContain('say:');
    });

    test('stop ends a running tool, the server is told, and the chat goes on', async ({ app, model, scratch }) => {
      const journal = join(scratch, 'journal');
      await app.addServer('scenario', scenario(journal));
      await model.connect(app, format);
      model.whenAsked('take your time', [{ tool: 'wait', args: { ms: 300_000, label: 'long' } }], 'unreachable');
      await app.send('take your time');
      await app.answerApproval('Allow once');
      await expect(app.toolCard('running')).toBeVisible();
      await expect.poll(() => readFileSync(journal, 'utf8')).toContain('wait-started:long');
      await app.page.getByTestId('stop-button').click();
      await expect(app.toolCard('cancelled')).toBeVisible();
      await app.turnEnded();
      await expect.poll(() => readFileSync(journal, 'utf8')).toContain('wait-cancelled:long');

      model.whenTold('still there', 'Still here.', { latency: 1, chunkSize: 5 });
      await app.send('still there?');
      await expect(app.lastAnswer).toContainText('Still here.');
    });

    test('stop ends a streaming answer, and its text so far stays', async ({ app, model }) => {
      await model.connect(app, format);
      model.whenTold('a long story', 'Once upon a time there was a story. '.repeat(500), {
        latency: 50,
        chunkSize: 12,
      });
      await app.send('tell me a long story');
      await expect(app.lastAnswer).toContainText('Once upon a time');
      await app.page.getByTestId('stop-button').click();
      await app.turnEnded();
      await expect(app.lastAnswer).toContainText('Once upon a time');
    });
  });
}

test('while waiting for approval nothing runs, and stop ends the waiting', async ({ app, model, scratch }) => {
  const journal = join(scratch, 'journal');
  await app.addServer('scenario', scenario(journal));
  await model.connect(app, FORMATS[0]);
  model.whenAsked('greet', [{ tool: 'say', args: { text: 'hello' } }], 'unreachable');
  await app.send('please greet');
  await expect(app.toolCard('awaiting-approval')).toBeVisible();
  await app.page.getByTestId('stop-button').click();
  await expect(app.toolCard('cancelled')).toBeVisible();
  await expect(app.approval).toHaveCount(0);
  expect(readFileSync(journal, 'utf8')).not.toContain('say:');
});
