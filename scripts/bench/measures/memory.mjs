import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { benchServers } from '../lib/servers.mjs';
import { inTurns, pick } from '../lib/workers.mjs';

const SERVERS = 10;
const WARM_UP = 500;
const CALLS = 1000;

export const bars = {
  connections: { title: `Memory of ${SERVERS} connections with their tools`, unit: 'MB', limit: 1.5, compared: true },
  growth: { title: `Growth of the heap by ${CALLS.toLocaleString('en-GB')} calls`, unit: '%', limit: 5 },
};

export async function measure({ rounds }) {
  const { app, raw } = await inTurns('memory', rounds);
  return Object.fromEntries(Object.keys(bars).map((key) => [key, { app: pick(app, key), raw: pick(raw, key) }]));
}

/** What is in use after everything that can be collected has been. */
export async function inWorker({ create, mark }) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const settled = () => {
    collect();
    collect();
    return process.memoryUsage();
  };
  const peer = create();
  const before = settled();
  await peer.connectAll(benchServers(SERVERS, { mark }));
  const tools = await peer.listAll();
  if (tools.length === 0) throw new Error('no tools');
  const connected = settled();
  const calls = async (count) => {
    for (let i = 0; i < count; i++) await peer.call(`server-${i % SERVERS}`, 'echo', { text: `text ${i}` });
  };
  await calls(WARM_UP);
  const warm = settled();
  await calls(CALLS);
  const after = settled();
  await peer.closeAll();
  return {
    connections: (connected.rss - before.rss) / 2 ** 20,
    growth: (100 * (after.heapUsed - warm.heapUsed)) / warm.heapUsed,
  };
}
