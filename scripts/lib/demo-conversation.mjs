import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transcriptOf } from './transcript.mjs';

const START_MS = 60_000;
const ANSWER_MS = 60_000;

/** Something in the demo is not as it must be. The message says what. */
export class DemoFailure extends Error {
  name = 'DemoFailure';
}

const require = (condition, message) => {
  if (!condition) throw new DemoFailure(message);
};

/** Waits for an element; a plain sentence in place of Playwright's report when it doesn't come. */
async function shown(locator, what, timeout = ANSWER_MS) {
  await locator.waitFor({ timeout }).catch(() => {
    throw new DemoFailure(`${what} did not appear within ${timeout / 1000} s.`);
  });
  return locator;
}

/** Gives the page of a window this many CSS pixels. */
async function resize(app, page, width, height) {
  const window = await app.browserWindow(page);
  await window.evaluate((target, size) => target.setContentSize(...size), [width, height]);
  await page.waitForFunction(([w, h]) => innerWidth === w && innerHeight === h, [width, height], { timeout: 10_000 });
}

/** Saves numbered pictures of one page. */
function pictureTaker(page, folder) {
  let count = 0;
  return async (name) => {
    const file = join(folder, `${String(++count).padStart(2, '0')}-${name}.png`);
    await page.screenshot({ path: file, animations: 'disabled' });
    console.log(`  ${file}`);
  };
}

/** Waits until every server that is switched on has its tools, so that the model has them from the first message. */
async function serversReady(page) {
  const everyServerReady = async () => {
    const listed = await window.api.mcp.list();
    return listed.ok && listed.value.every(({ server, state }) => !server.enabled || state.status === 'ready');
  };
  await page.waitForFunction(everyServerReady, undefined, { timeout: START_MS }).catch(async () => {
    const states = await page.evaluate(async () => JSON.stringify(await window.api.mcp.list()));
    throw new DemoFailure(`The built-in server did not get ready: ${states}`);
  });
}

/** What the message list shows apart from tool cards: what the person and the model said. */
const spokenText = (list) =>
  list.evaluate((element) => {
    const copy = element.cloneNode(true);
    for (const card of copy.querySelectorAll('[data-testid="tool-card"]')) card.remove();
    return copy.textContent;
  });

async function openCard(card) {
  const result = card.getByTestId('tool-result');
  if (!(await result.isVisible())) await card.getByRole('button').first().click();
  return shown(result, "The tool's result");
}

/** The newest conversation as it is stored. */
const storedConversation = (page) =>
  page.evaluate(async () => {
    const list = await window.api.conversations.list();
    if (!list.ok) throw new Error(list.error.message);
    const opened = await window.api.conversations.open({ conversationId: list.value[0].id });
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  });

/**
 * Has one conversation with the demo model: a question that takes a tool, the approval, the answer. Checks that `token`,
 * which only the tool can know, comes out in the tool's result, in the answer on the screen and in the transcript.
 *
 * @param {import('@playwright/test').ElectronApplication} app
 * @param {object} task
 * @param {string} task.fileName a file in the folder of the built-in server that holds the token
 * @param {string} task.token
 * @param {string} task.folder where pictures and transcript go
 * @param {string[]} task.preface what to write above the transcript
 */
export async function haveConversation(app, { fileName, token, folder, preface }) {
  mkdirSync(folder, { recursive: true });
  const page = await app.firstWindow({ timeout: START_MS });
  const picture = pictureTaker(page, folder);
  try {
    await page.emulateMedia({ colorScheme: 'light' });
    await resize(app, page, 1280, 800);
    const input = await shown(page.getByTestId('composer-input'), 'The message field', START_MS);
    await serversReady(page);
    await picture('start');

    await input.fill(`Read the file ${fileName}`);
    await page.getByTestId('send-button').click();
    const approval = await shown(page.getByTestId('approval'), 'The question whether the tool may run');
    require((await approval.textContent()).includes(fileName), 'The approval does not show which file is to be read.');
    await picture('approval');
    await approval.getByRole('button', { name: 'Allow once' }).click();

    const card = page.getByTestId('tool-card');
    await shown(page.locator('[data-testid="tool-card"][data-state="done"]'), 'A finished tool call');
    require((await (await openCard(card)).textContent()).includes(token), "The tool's result lacks the token.");
    const list = page.getByTestId('message-list');
    const deadline = Date.now() + ANSWER_MS;
    while (!(await spokenText(list)).includes(token)) {
      require(Date.now() < deadline, 'The answer on the screen lacks the token.');
      await page.waitForTimeout(100);
    }

    await picturesInEachLook(app, page, picture);
    const transcript = transcriptOf(await storedConversation(page), preface);
    require(transcript.includes(token), 'The stored conversation lacks the token.');
    writeFileSync(join(folder, 'transcript.md'), transcript);
    console.log(`  ${join(folder, 'transcript.md')}`);
  } catch (error) {
    await page.screenshot({ path: join(folder, 'failure.png') }).catch(() => {});
    throw error;
  }
}

async function picturesInEachLook(app, page, picture) {
  for (const [width, height] of [
    [1280, 800],
    [800, 600],
  ]) {
    await resize(app, page, width, height);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await picture(`answer-${width}x${height}-${colorScheme}`);
    }
  }
}
