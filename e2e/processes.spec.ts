import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canSeeProcesses } from '../scripts/lib/processes.mjs';
import { expect, type RunningApp, test } from './fixtures/app.ts';
import { FORMATS } from './fixtures/scripted-model.ts';
import { scenario, stubborn } from './fixtures/servers/index.ts';

test.skip(!canSeeProcesses, 'processes are looked at through /proc');

/** Adds a server that ignores all requests to end, behind a wrapper, with a detached grandchild. */
async function withStubbornServer(app: RunningApp, scratch: string): Promise<void> {
  await app.addServer('stubborn', stubborn(join(scratch, 'stubborn')));
  app.noteProcesses();
}

test('a quit leaves no process, stubborn servers included', async ({ app, scratch }) => {
  await withStubbornServer(app, scratch);
  await app.quit();
  await app.expectNoProcessLeft();
});

test('kill -9 of main leaves no process', async ({ app, scratch }) => {
  await withStubbornServer(app, scratch);
  await app.kill();
  await app.expectNoProcessLeft();
});

test('an uncaught error in main ends the app with exit code 1 and leaves no process', async ({ app, scratch }) => {
  await withStubbornServer(app, scratch);
  const exited = app.exited();
  await app.electron.evaluate(() => {
    setTimeout(() => {
      throw new Error('thrown by the test');
    }, 10);
  });
  expect(await exited).toBe(1);
  await app.expectNoProcessLeft();
});

for (const [signal, number] of [
  ['SIGTERM', 15],
  ['SIGINT', 2],
  ['SIGHUP', 1],
] as const) {
  test(`${signal} takes the road of a quit`, async ({ app, scratch }) => {
    await withStubbornServer(app, scratch);
    expect(await app.signal(signal)).toBe(128 + number);
    await app.expectNoProcessLeft();
  });
}

test('a second signal, in the middle of the orderly end, leaves no process either', async ({ app, scratch }) => {
  await withStubbornServer(app, scratch);
  const exited = app.exited();
  app.main.kill('SIGTERM');
  await sleep(300);
  app.main.kill('SIGTERM');
  expect(await exited).toBe(128 + 15);
  await app.expectNoProcessLeft();
});

test('a quit in the middle of a call keeps what was said and leaves no process', async ({ launch, model, scratch }) => {
  const app = await launch();
  await app.addServer('scenario', scenario(join(scratch, 'journal')));
  await withStubbornServer(app, scratch);
  await model.connect(app, FORMATS[0]);
  model.whenAsked('take your time', [{ tool: 'wait', args: { ms: 300_000, label: 'long' } }], 'unreachable');
  await app.send('take your time');
  await app.answerApproval('Allow once');
  await expect(app.toolCard('running')).toBeVisible();
  await app.quit();
  await app.expectNoProcessLeft();

  const second = await launch();
  await second.page.getByTestId('conversation-item').first().click();
  await expect(second.page.locator('[data-testid="message"][data-role="user"]')).toContainText('take your time');
  await second.turnEnded();
});
