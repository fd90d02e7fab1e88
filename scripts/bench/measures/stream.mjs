import { mkdirSync } from 'node:fs';
import { inRoot } from '../../lib/paths.mjs';
import { callApp, serversReady, withApp } from '../lib/app-run.mjs';
import { firstMissing, longAnswer } from '../lib/long-answer.mjs';
import { tasksDuring } from '../lib/window-tasks.mjs';
import { pick } from '../lib/workers.mjs';

const DELTAS = 5000;
/** The model server's deltas have this many characters, and leave it this far apart: about 450 a second. */
const DELTA_LENGTH = 6;
const DELAY_MS = 2;
const MODEL = 'bench-model';
const KEY = 'bench-key-0000';
const ANSWER_MS = 90_000;
const AFTERWARDS_MS = 500;

export const needsApp = true;
export const bars = {
  'longest task': {
    title: `Longest task of the window while ${DELTAS.toLocaleString('en-GB')} deltas stream in, CPU`,
    unit: 'ms',
    limit: 50,
  },
  'by the clock': { title: 'The same by the clock (`longtask`; 0: none over 50 ms)', unit: 'ms' },
  standstill: { title: 'Longest time without anything new on the screen meanwhile', unit: 'ms' },
  'IPC messages': { title: 'Event messages to the window meanwhile', unit: 'a second', limit: 1000 / 16 },
};

export async function measure({ rounds, electron, display }) {
  // Loaded here: it is TypeScript, and needs the newer Node.
  const { startModelServer } = await import('../../../e2e/fixtures/model-servers/index.ts');
  const answer = longAnswer(DELTAS * DELTA_LENGTH);
  const rows = [];
  for (let round = 0; round < rounds; round++) {
    const server = await startModelServer('openai', () => [{ text: answer.markdown }], {
      key: KEY,
      models: [MODEL],
      delayMs: DELAY_MS,
    });
    try {
      const env = { ...electron.env, ...display?.env };
      rows.push(await withApp(env, ({ page }) => streamOnce(page, server.url, answer)));
    } finally {
      await server.close();
    }
  }
  return Object.fromEntries(Object.keys(bars).map((key) => [key, { app: pick(rows, key) }]));
}

async function streamOnce(page, url, answer) {
  await serversReady(page);
  await chooseModel(page, url);
  await page.evaluate(watchWindow);
  await page.getByTestId('composer-input').fill('Explain the cache at length.');
  const message = page.locator('[data-testid="message"][data-role="assistant"]').last();
  const tasks = await tasksDuring(page, async () => {
    await page.getByTestId('send-button').click();
    await message.and(page.locator('[data-status="complete"]')).waitFor({ timeout: ANSWER_MS });
    // The last text is drawn, and the last code coloured, after the end.
    await page.waitForTimeout(AFTERWARDS_MS);
  });
  const text = await message.evaluate((element) => element.textContent);
  const missing = firstMissing(answer.visible, text);
  if (missing !== undefined) throw new Error(`The screen lacks a part of the answer: "${missing}"`);
  if ((await message.locator('pre span[style]').count()) === 0)
    throw new Error('The code of the answer has no colours.');
  const seen = await page.evaluate(() => window.benchSeen);
  if (seen.characters !== answer.markdown.length) {
    throw new Error(`${seen.characters} characters came as deltas instead of ${answer.markdown.length}`);
  }
  mkdirSync(inRoot('out', 'bench'), { recursive: true });
  await page.screenshot({ path: inRoot('out', 'bench', 'stream.png') });
  return {
    'longest task': Math.max(...tasks.map(({ cpu }) => cpu)),
    'by the clock': Math.max(0, ...seen.tasks),
    standstill: seen.standstill,
    'IPC messages': (seen.messages * 1000) / (seen.last - seen.first),
  };
}

async function chooseModel(page, baseUrl) {
  // Where the keyring is weak, storing a key takes the person's word.
  await callApp(page, 'app', 'chooseWeakSecrets', { choice: 'store' });
  const { id } = await callApp(page, 'providers', 'add', {
    preset: 'custom',
    name: 'Bench',
    format: 'openai',
    baseUrl,
    key: KEY,
  });
  await callApp(page, 'providers', 'update', { providerId: id, models: [{ id: MODEL }] });
  await page.getByTestId('model-picker').click();
  await page.getByRole('option', { name: MODEL }).first().click();
}

/** In the page: notes long tasks, the messages in which deltas arrive, and how long the screen stands still meanwhile. */
function watchWindow() {
  const seen = { tasks: [], messages: 0, characters: 0, first: 0, last: 0, standstill: 0 };
  let changed = 0;
  window.benchSeen = seen;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.tasks.push(duration);
  }).observe({ type: 'longtask' });
  new MutationObserver(() => {
    if (seen.first === 0) return;
    const now = performance.now();
    if (changed > 0 && changed < seen.last) seen.standstill = Math.max(seen.standstill, now - changed);
    changed = now;
  }).observe(document.querySelector('main') ?? document.body, { childList: true, characterData: true, subtree: true });
  window.api.subscribe(({ events }) => {
    if (seen.first > 0) seen.messages += 1;
    for (const { type, payload } of events) {
      if (type !== 'completion.delta') continue;
      seen.first ||= performance.now();
      seen.last = performance.now();
      seen.characters += payload.text.length;
    }
  });
}
