import { benchServers } from '../lib/servers.mjs';
import { median } from '../lib/statistics.mjs';
import { inTurns, pick } from '../lib/workers.mjs';

const CALLS = 400;
const BLOCKS = 7;
const IN_FLIGHT = 32;

const bar = { unit: 'µs', limit: 1.25, compared: true };
export const bars = {
  'one at a time': { ...bar, title: 'Client CPU per stdio call, one at a time' },
  'in flight': { ...bar, title: `Client CPU per stdio call, ${IN_FLIGHT} in flight` },
};

export async function measure({ rounds }) {
  const { app, raw } = await inTurns('calls', rounds);
  return {
    'one at a time': { app: pick(app, 'oneAtATime'), raw: pick(raw, 'oneAtATime') },
    'in flight': { app: pick(app, 'inFlight'), raw: pick(raw, 'inFlight') },
  };
}

/** CPU microseconds of this process per call, in the median block of {@link CALLS}: its cost once the code is compiled. */
export async function inWorker({ create, mark }) {
  const peer = create();
  await peer.connectAll(benchServers(1, { mark }));
  await peer.listAll();
  const block = async (width) => {
    let next = 0;
    const lane = async () => {
      while (next < CALLS) {
        const text = `text ${next++}`;
        const { content } = await peer.call('server-0', 'echo', { text });
        if (content[0].text !== text) throw new Error(`asked for "${text}", got ${JSON.stringify(content)}`);
      }
    };
    const before = process.cpuUsage();
    await Promise.all(Array.from({ length: width }, lane));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / CALLS;
  };
  const blocks = { oneAtATime: [], inFlight: [] };
  for (let i = 0; i < BLOCKS; i++) {
    blocks.oneAtATime.push(await block(1));
    blocks.inFlight.push(await block(IN_FLIGHT));
  }
  await peer.closeAll();
  return { oneAtATime: median(blocks.oneAtATime), inFlight: median(blocks.inFlight) };
}
