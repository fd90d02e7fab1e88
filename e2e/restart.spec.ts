import { join } from 'node:path';
import { expect, test } from './fixtures/app.ts';
import { FORMATS } from './fixtures/scripted-model.ts';
import { scenario } from './fixtures/servers/index.ts';

test('chats, settings and servers are there after a restart', async ({ launch, model, scratch }) => {
  const first = await launch();
  await first.addServer('scenario', scenario(join(scratch, 'journal')));
  await model.connect(first, FORMATS[0]);
  await first.call('settings', 'set', { theme: 'dark' });
  model.whenAsked('greet', [{ tool: 'say', args: { text: 'remember me' } }], 'Kept:');
  await first.send('please greet');
  await first.answerApproval('Allow once');
  await expect(first.lastAnswer).toContainText('said remember me');
  await first.turnEnded();
  await first.quit();
  await first.expectNoProcessLeft();

  const second = await launch();
  await second.page.getByTestId('conversation-item').first().click();
  await expect(second.page.locator('[data-testid="message"][data-role="user"]')).toContainText('please greet');
  await expect(second.lastAnswer).toContainText('said remember me');
  await expect(second.toolCard('done')).toBeVisible();
  await expect(second.page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(second.page.getByTestId('model-picker')).toContainText('scripted-model');
  await second.openServerSettings();
  await expect(second.serverRow('scenario')).toHaveAttribute('data-status', 'ready');

  // The key survived, too: the chat goes on.
  await second.openChat();
  model.whenTold('thanks', 'You are welcome.', { latency: 1, chunkSize: 5 });
  await second.send('thanks');
  await expect(second.lastAnswer).toContainText('You are welcome.');
});

test('an answer that was streaming when main was killed is there, and marked as interrupted', async ({
  launch,
  model,
}) => {
  const first = await launch();
  await model.connect(first, FORMATS[0]);
  model.whenTold('a long story', 'Once upon a time there was a story. '.repeat(500), { latency: 50, chunkSize: 12 });
  await first.send('tell me a long story');
  await expect(first.lastAnswer).toContainText('there was a story. Once upon a time');
  // What is older than a second must be on the disk.
  await first.page.waitForTimeout(1500);
  await first.kill();

  const second = await launch();
  await second.page.getByTestId('conversation-item').first().click();
  await expect(second.lastAnswer).toContainText('Once upon a time there was a story.');
  const [conversation] = await second.call('conversations', 'list');
  const { messages } = await second.call('conversations', 'open', { conversationId: conversation!.id });
  expect(messages.at(-1)?.status).toBe('interrupted');
  await second.turnEnded();
});

test('a renderer that reloads in mid-stream catches up', async ({ app, model }) => {
  await model.connect(app, FORMATS[0]);
  const answer = Array.from({ length: 120 }, (_, index) => `part-${index} `).join('');
  model.whenTold('count', answer, { latency: 30, chunkSize: 8 });
  await app.send('count');
  await expect(app.lastAnswer).toContainText('part-5');
  await app.page.reload();
  await app.page.getByTestId('conversation-item').first().click();
  await expect(app.lastAnswer).toContainText('part-119');
  await app.turnEnded();
  // Nothing lost and nothing twice.
  const text = (await app.lastAnswer.textContent()) ?? '';
  expect([...text.matchAll(/part-(\d+)/g)].map(([, index]) => Number(index))).toEqual([...Array(120).keys()]);
});
