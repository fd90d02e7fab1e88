import { benchServers } from '../lib/servers.mjs';
import { median } from '../lib/statistics.mjs';
import { inTurns, pick } from '../lib/workers.mjs';

const SERVERS = 10;
const TIMES = 9;
/** The pool waits a moment for further changes before it lists anew; this is the most that a change may take. */
const CHANGE_MS = 10_000;

export const bars = {
  warm: {
    title: `Listing ${SERVERS * 25} known tools of ${SERVERS} servers again`,
    unit: 'ms',
    limit: 1,
    compared: true,
  },
  asked: { title: 'Messages that the servers got from it', unit: 'messages', limit: 0, exact: true },
  fresh: {
    title: 'From `list_changed` of one server until its new list is there (the pool waits for further changes first)',
    unit: 'ms',
  },
};

export async function measure({ rounds }) {
  const { app, raw } = await inTurns('listing', rounds);
  return {
    warm: { app: pick(app, 'warm'), raw: pick(raw, 'warm') },
    asked: { app: pick(app, 'asked'), raw: pick(raw, 'asked') },
    fresh: { app: pick(app, 'fresh') },
  };
}

export async function inWorker({ create, mark }) {
  const peer = create();
  await peer.connectAll(benchServers(SERVERS, { mark }));
  await peer.listAll();
  /** The question itself is one of the messages. */
  const received = async () => Number((await peer.call('server-0', 'count_messages', {})).content[0].text);
  const before = await received();
  const times = [];
  for (let i = 0; i < TIMES; i++) {
    const start = performance.now();
    await peer.listAll();
    times.push(performance.now() - start);
  }
  const asked = (await received()) - before - 1;
  const fresh = peer.service && (await untilFresh(peer));
  await peer.closeAll();
  return { warm: median(times), asked, fresh };
}

async function untilFresh(peer) {
  const start = performance.now();
  const changed = new Promise((resolve, reject) => {
    const limit = setTimeout(reject, CHANGE_MS, new Error('no new list came'));
    peer.service.events.on('tools', () => {
      clearTimeout(limit);
      resolve();
    });
  });
  await peer.call('server-0', 'change_list', {});
  await changed;
  return performance.now() - start;
}
