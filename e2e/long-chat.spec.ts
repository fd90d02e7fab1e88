import type { CDPSession, Locator } from '@playwright/test';
import { expect, type RunningApp, test } from './fixtures/app.ts';
import { FORMATS } from './fixtures/scripted-model.ts';
import { assistant, storeChats, user } from './fixtures/stored-chats.ts';

const MESSAGES = 1000;
const CODE_BLOCKS = 50;
const CODE_LINES = 300;
/** What a window of 800 px and what lies ready above and below it may hold. */
const MOST_SHOWN = 60;
const MEGABYTE = 1_000_000;

const code = (block: number) =>
  Array.from({ length: CODE_LINES }, (_, line) => `const value${line} = compute(${block}, "text ${line}"); // a note`);

/** An answer in twenty has a block of code, the last of them too. */
const answer = (index: number) =>
  index % (MESSAGES / CODE_BLOCKS) === MESSAGES / CODE_BLOCKS - 1
    ? assistant(`Answer ${index}, with code:\n\n\`\`\`ts\n${code(index).join('\n')}\n\`\`\`\n`)
    : assistant(
        `Answer ${index}. ${'Some **words** of an answer, a `name` and a [link](https://example.com). '.repeat(3)}`,
      );

const longChat = Array.from({ length: MESSAGES }, (_, index) =>
  index % 2 === 0 ? user(`Question ${index}`) : answer(index),
);

const messages = (app: RunningApp) => app.page.getByTestId('message');
const message = (app: RunningApp, text: string) => messages(app).filter({ hasText: text });

async function openChat(app: RunningApp, title: string): Promise<void> {
  await app.page.getByTestId('conversation-item').filter({ hasText: title }).click();
}

async function expectFewMessages(app: RunningApp): Promise<void> {
  const count = await messages(app).count();
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(MOST_SHOWN);
}

async function atRest(list: Locator): Promise<void> {
  let last = -1;
  await expect
    .poll(async () => {
      const before = last;
      last = await list.evaluate((element) => element.scrollTop);
      return last === before;
    })
    .toBe(true);
}

test('a chat of 1,000 messages opens at its end, scrolls, and never holds more than what is seen', async ({
  launch,
  userData,
}) => {
  storeChats(userData, { 'The long one': longChat });
  const app = await launch();
  await openChat(app, 'The long one');
  await expect(message(app, `Answer ${MESSAGES - 1},`)).toBeVisible();
  await expectFewMessages(app);

  const list = app.page.getByTestId('message-list');
  await list.focus();
  for (let page = 0; page < 20; page += 1) {
    await app.page.keyboard.press('PageUp');
    await expectFewMessages(app);
  }
  // The browser glides through the pages, on a slow machine beyond the keys that follow.
  await atRest(list);
  await app.page.keyboard.press('Home');
  await expect(message(app, 'Question 0')).toBeInViewport();
  await expectFewMessages(app);
  await app.page.keyboard.press('End');
  await expect(message(app, `Answer ${MESSAGES - 1},`)).toBeInViewport();
  await expectFewMessages(app);
});

test('while an answer streams into it, typing works and what is finished is left alone', async ({
  launch,
  userData,
  model,
}) => {
  storeChats(userData, { 'The long one': longChat });
  const app = await launch();
  await model.connect(app, FORMATS[0]);
  await openChat(app, 'The long one');
  await app.chooseModel('scripted-model');
  // 200 tokens a second for a minute; nobody waits for its end.
  model.whenTold('go on', 'word '.repeat(12_000), { latency: 5, chunkSize: 5 });
  await app.send('please go on');
  await expect(app.lastAnswer).toContainText('word word word');

  const finished = message(app, 'please go on').first();
  await finished.evaluate((element) => {
    const counter = Object.assign(globalThis, { changes: 0 });
    new MutationObserver((records) => {
      counter.changes += records.length;
    }).observe(element, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  const typed = 'What I am writing while it answers, letter by letter.';
  await app.composer.pressSequentially(typed);
  const before = (await app.lastAnswer.textContent()) ?? '';
  await expect.poll(async () => ((await app.lastAnswer.textContent()) ?? '').length).toBeGreaterThan(before.length);
  await expect(app.page.getByTestId('stop-button')).toBeVisible();
  await expect(app.composer).toHaveValue(typed);
  await expectFewMessages(app);
  expect(await app.page.evaluate(() => (globalThis as unknown as { changes: number }).changes)).toBe(0);

  await app.page.getByTestId('stop-button').click();
  await app.turnEnded();
  await expect(app.composer).toHaveValue(typed);
});

test('a tool result of 10 MB is folded, and unfolds without the window hanging', async ({ launch, userData }) => {
  const text = 'A line of a very long result.\n'.repeat((10 * MEGABYTE) / 30);
  const call = {
    type: 'tool' as const,
    callId: 'call',
    wireName: 'files__read',
    serverName: 'files',
    toolName: 'read',
    args: { path: 'large.txt' },
    state: 'done' as const,
    result: { isError: false, content: [{ type: 'text' as const, text }] },
  };
  storeChats(userData, { 'The large one': [user('Read it'), assistant(call), assistant('It is long.')] });
  const app = await launch();
  await openChat(app, 'The large one');
  await expect(app.toolCard('done')).toBeVisible();
  const shown = async () => ((await app.page.getByTestId('message-list').textContent()) ?? '').length;
  expect(await shown()).toBeLessThan(1000);

  const result = await app.resultOf(app.toolCard('done'));
  expect(await shown()).toBeLessThan(5000);
  for (let step = 0; step < 5; step += 1) {
    const before = await shown();
    await result.getByRole('button', { name: /^Show \d/ }).click();
    await expect.poll(shown).toBeGreaterThan(before);
  }
  // It goes on answering to the keyboard, with a quarter of a megabyte on the screen.
  await app.composer.pressSequentially('still here');
  await expect(app.composer).toHaveValue('still here');
  expect(await shown()).toBeLessThan(MEGABYTE);
  await result.getByRole('button', { name: 'Show less' }).click();
  await expect.poll(shown).toBeLessThan(5000);
});

interface Footprint {
  heap: number;
  nodes: number;
  listeners: number;
}

/** What the page holds once everything that can go has gone. */
async function footprint(session: CDPSession): Promise<Footprint> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((candidate) => candidate.name === name)!.value;
  return { heap: metric('JSHeapUsedSize'), nodes: metric('Nodes'), listeners: metric('JSEventListeners') };
}

test('after going between chats many times the page holds no more than before', async ({ launch, userData }) => {
  test.setTimeout(300_000);
  storeChats(userData, { 'The short one': [user('Hello'), assistant('Good day.')], 'The long one': longChat });
  const app = await launch();
  const session = await app.page.context().newCDPSession(app.page);
  await session.send('Performance.enable');
  const there = async () => {
    await openChat(app, 'The long one');
    await expect(message(app, `Answer ${MESSAGES - 1},`)).toBeVisible();
  };
  const back = async () => {
    await openChat(app, 'The short one');
    await expect(message(app, 'Good day.')).toBeVisible();
  };
  // What is loaded and compiled once is no growth.
  for (let time = 0; time < 3; time += 1) {
    await there();
    await back();
  }
  const before = await footprint(session);
  for (let time = 0; time < 50; time += 1) {
    await there();
    await back();
  }
  const after = await footprint(session);
  expect(after.heap).toBeLessThan(before.heap * 1.25 + 5 * MEGABYTE);
  expect(after.nodes).toBeLessThan(before.nodes * 1.25 + 500);
  expect(after.listeners).toBeLessThan(before.listeners * 1.25 + 50);
});
