import { benchServers } from '../lib/servers.mjs';
import { pick, runWorker, watchFor } from '../lib/workers.mjs';

/** Of each kind; the kinds are in {@link stubbornServers}. */
const KINDS = 3;
const OF_A_KIND = 4;
const SERVERS = KINDS * OF_A_KIND;
/** The system takes a moment to do away with what was killed. In milliseconds. */
const GRACE = 1000;

export const posixOnly = true;
export const bars = {
  time: {
    title: `Closing ${SERVERS} servers behind \`sh -c\` that ignore the end of input and SIGTERM, some with a detached program, some started a second time because they ended at the probe`,
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

function stubbornServers(mark) {
  const kinds = [{}, { detached: true }, { detached: true, exitAtProbe: true }];
  const servers = kinds.flatMap((kind) => benchServers(OF_A_KIND, { mark, wrapped: true, stubborn: true, ...kind }));
  return servers.map((server, i) => ({ ...server, id: `server-${i}` }));
}

export async function inWorker({ create, mark }) {
  const peer = create();
  await peer.connectAll(stubbornServers(mark));
  const watch = watchFor(mark);
  const running = watch.survivors().length;
  if (running < SERVERS) throw new Error(`only ${running} processes were running`);
  const start = performance.now();
  await peer.closeAll();
  const ms = performance.now() - start;
  return { ms, left: (await watch.waitForNone(GRACE)).length };
}
