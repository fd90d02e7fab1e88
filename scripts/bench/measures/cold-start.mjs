import { benchServers } from '../lib/servers.mjs';
import { inTurns } from '../lib/workers.mjs';

const SERVERS = 10;
const TOOLS = 25;

export const posixOnly = true;
export const bars = {
  start: {
    title: `Ten servers behind \`sh -c\`, from nothing until all ${SERVERS * TOOLS} tools are listed`,
    unit: 'ms',
    limit: 1.1,
    compared: true,
  },
};

export async function measure({ rounds }) {
  return { start: await inTurns('cold-start', rounds) };
}

/** Milliseconds. */
export async function inWorker({ create, mark }) {
  const peer = create();
  const start = performance.now();
  await peer.connectAll(benchServers(SERVERS, { mark, tools: TOOLS, wrapped: true, ownSession: true }));
  const tools = await peer.listAll();
  const ms = performance.now() - start;
  if (tools.length !== SERVERS * TOOLS) throw new Error(`${tools.length} tools instead of ${SERVERS * TOOLS}`);
  await peer.closeAll();
  return ms;
}
