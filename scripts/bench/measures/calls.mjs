import { callCost } from '../lib/call-cost.mjs';
import { benchServers, startHttpServer } from '../lib/servers.mjs';
import { inTurns, pick } from '../lib/workers.mjs';

const IN_FLIGHT = 32;
const BLOB_BYTES = 2 ** 20;

const bar = (title, limit, unit = 'µs') => ({ title, unit, limit, compared: true });
export const bars = {
  oneAtATime: bar('Client CPU per stdio call, one at a time', 1.15),
  inFlight: bar(`Client CPU per stdio call, ${IN_FLIGHT} in flight`, 1.2),
  blob: bar('Client CPU per stdio call with a result of 1 MB', 1.05, 'ms'),
  http: bar('Client CPU per call over streamable HTTP, one at a time', 1.1),
};

export async function measure({ rounds }) {
  const { app, raw } = await inTurns('calls', rounds);
  return Object.fromEntries(Object.keys(bars).map((key) => [key, { app: pick(app, key), raw: pick(raw, key) }]));
}

/** CPU of this process per call, in the median block of calls: its cost once the code is compiled. */
export async function inWorker({ create, mark }) {
  const stdio = create();
  await stdio.connectAll(benchServers(1, { mark }));
  await stdio.listAll();
  const [oneAtATime, inFlight] = await callCost([
    { blocks: 7, calls: 400, width: 1, call: echo(stdio) },
    { blocks: 7, calls: 400, width: IN_FLIGHT, call: echo(stdio) },
  ]);
  const [blob] = await callCost([{ blocks: 5, calls: 20, width: 1, call: readBlob(stdio) }]);
  await stdio.closeAll();

  const { server, close } = await startHttpServer(mark);
  const http = create();
  await http.connectAll([server]);
  await http.listAll();
  // More blocks than it looks to need: it takes a thousand calls until the code of this road is compiled.
  const [overHttp] = await callCost([{ blocks: 13, calls: 200, width: 1, call: echo(http) }]);
  await http.closeAll();
  close();
  return { oneAtATime, inFlight, blob: blob / 1000, http: overHttp };
}

const echo = (peer) => async (i) => {
  const text = `text ${i}`;
  const { content } = await peer.call('server-0', 'echo', { text });
  if (content[0].text !== text) throw new Error(`asked for "${text}", got ${JSON.stringify(content)}`);
};

const readBlob = (peer) => async () => {
  const { content } = await peer.call('server-0', 'blob', { bytes: BLOB_BYTES });
  if (Buffer.byteLength(content[0].text) < BLOB_BYTES)
    throw new Error(`only ${content[0].text.length} characters came`);
};
