import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Settled means: loaded, and something is written on it. */
const IS_READY = `document.readyState === 'complete' && document.body.innerText.trim() !== ''`;
const SETTLE_MS = 700;
const POLL_MS = 200;
const ANSWER_MS = 10_000;

/** One DevTools session with one page. */
async function connect(url) {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error('the window refused the connection')), { once: true });
  });
  const waiting = new Map();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(data);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const send = async (method, params = {}) => {
    const id = ++lastId;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const timer = new AbortController();
    const late = sleep(ANSWER_MS, undefined, { signal: timer.signal }).then(() => {
      throw new Error(`the window did not answer ${method}`);
    });
    late.catch(() => {});
    const { result, error } = await Promise.race([answer, late]);
    timer.abort();
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return { send, close: () => socket.close() };
}

async function firstPage(endpoint) {
  const response = await fetch(`http://${new URL(endpoint).host}/json/list`);
  const targets = await response.json();
  return targets.find(({ type, url }) => type === 'page' && !url.startsWith('devtools:') && url !== 'about:blank');
}

/**
 * Saves a PNG of an app's first window once there is something to see.
 *
 * @param {string} endpoint the browser's DevTools address, as Chromium prints it: `ws://host:port/…`
 * @param {string} file where to save it
 * @param {number} timeoutMs
 */
export async function savePicture(endpoint, file, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  const next = async (reason) => {
    if (Date.now() > deadline) throw new Error(reason);
    await sleep(POLL_MS);
  };
  let page = await firstPage(endpoint);
  while (!page) {
    await next('no window was opened');
    page = await firstPage(endpoint);
  }
  const { send, close } = await connect(page.webSocketDebuggerUrl);
  try {
    while (!(await send('Runtime.evaluate', { expression: IS_READY })).result.value)
      await next('the window stayed empty');
    await sleep(SETTLE_MS);
    const { data } = await send('Page.captureScreenshot', { format: 'png' });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(data, 'base64'));
  } finally {
    close();
  }
}
