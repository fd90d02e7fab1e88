import { median } from './statistics.mjs';

/**
 * What calls cost this process. The blocks of all kinds take turns, so that none has the warmer code.
 *
 * @param {{blocks: number, calls: number, width: number, call: (i: number) => Promise<void>}[]} kinds `width` calls are in
 *   flight at a time; `call` checks its own answer
 * @returns {Promise<number[]>} CPU microseconds per call, user and system, in the median block of each kind
 */
export async function callCost(kinds) {
  const costs = kinds.map(() => []);
  const most = Math.max(...kinds.map(({ blocks }) => blocks));
  for (let block = 0; block < most; block++) {
    for (const [index, kind] of kinds.entries()) {
      if (block < kind.blocks) costs[index].push(await blockOf(kind));
    }
  }
  return costs.map(median);
}

async function blockOf({ calls, width, call }) {
  let next = 0;
  const lane = async () => {
    while (next < calls) await call(next++);
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: width }, lane));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
