import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { _electron } from '@playwright/test';
import { ROOT } from '../../lib/paths.mjs';
import { ProcessWatch } from '../../lib/processes.mjs';

const START_MS = 60_000;
const END_MS = 15_000;

/**
 * Runs `work` with the built app in front of it, on data of its own, and quits the app.
 *
 * @template T
 * @param {Record<string, string>} env names the runtime
 * @param {(run: {app: import('@playwright/test').ElectronApplication, page: import('@playwright/test').Page}) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withApp(env, work) {
  const userData = mkdtempSync(join(tmpdir(), 'tinyelf-bench-'));
  const mark = randomBytes(8).toString('hex');
  Object.assign(process.env, env);
  const app = await _electron.launch({
    args: [ROOT, `--user-data-dir=${userData}`],
    env: { ...process.env, TINYELF_BENCH: mark },
    timeout: START_MS,
  });
  const watch = new ProcessWatch({ mark: `TINYELF_BENCH=${mark}`, text: userData });
  try {
    const page = await app.firstWindow({ timeout: START_MS });
    await page.getByTestId('composer-input').waitFor({ timeout: START_MS });
    return await work({ app, page });
  } finally {
    const child = app.process();
    const closed = await Promise.race([app.close().then(() => true), sleep(END_MS, false, { ref: false })]);
    if (!closed) child.kill('SIGKILL');
    for (const line of await watch.waitForNone(END_MS)) process.kill(Number.parseInt(line, 10), 'SIGKILL');
    rmSync(userData, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A call over the app's real channels. Throws when the app refuses it. */
export async function callApp(page, domain, name, ...args) {
  const envelope = await page.evaluate(([d, n, input]) => window.api[d][n](...input), [domain, name, args]);
  if (!envelope.ok) throw new Error(`${domain}.${name}: ${envelope.error.code}, ${envelope.error.message}`);
  return envelope.value;
}

/** Waits until every server that is switched on has its tools. */
export const serversReady = (page) =>
  page.waitForFunction(
    async () => {
      const listed = await window.api.mcp.list();
      return listed.ok && listed.value.every(({ server, state }) => !server.enabled || state.status === 'ready');
    },
    undefined,
    { timeout: START_MS },
  );
