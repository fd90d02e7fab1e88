import { benchServers } from '../lib/servers.mjs';
import { pick, runWorker, watchFor } from '../lib/workers.mjs';

const SERVERS = 10;
/** The system takes a moment to do away with what was killed. In milliseconds. */
const GRACE = 1000;

export const posixOnly = true;
export const bars = {
  time: {
    title: 'Closing ten servers that ignore the end of input and SIGTERM, behind `sh -c`',
    unit: 'ms',
    limit: 5000,
  },
  left: { title: 'Processes that are left of them', unit: 'processes', limit: 0, exact: true },
};

export async function measure({ rounds }) {
  const answers = { app: [], raw: [] };
  for (let round = 0; round < rounds; round++) {
    // Closing is waiting, so the two peers wait side by side.
    const [app, raw] = await Promise.all(['app', 'raw'].map((peer) => runWorker('stubborn', peer)));
    answers.app.push(app);
    answers.raw.push(raw);
  }
  const both = (key) => ({ app: pick(answers.app, key), raw: pick(answers.raw, key) });
  return { time: both('ms'), left: both('left') };
}

export async function inWorker({ create, mark }) {
  const peer = create();
  await peer.ready();
  await peer.connectAll(benchServers(SERVERS, { mark, wrapped: true, stubborn: true }));
  const watch = watchFor(mark);
  const running = watch.survivors().length;
  if (running < SERVERS) throw new Error(`only ${running} processes were running`);
  const start = performance.now();
  await peer.closeAll();
  const ms = performance.now() - start;
  return { ms, left: (await watch.waitForNone(GRACE)).length };
}
