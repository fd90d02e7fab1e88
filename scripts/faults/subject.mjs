import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import createPool from '../bench/adapter.mjs';
import { inRoot } from '../lib/paths.mjs';
import { countLost, fingerprint } from './answers.mjs';
import { startHttpServer } from './http-server.mjs';

const FIXTURES = 'packages/desktop/app/main/services/capabilities/tools/mcp-users/__fixtures__';
const RECORD = inRoot('scripts', 'faults', 'record.mjs');
const ODD = inRoot(FIXTURES, 'odd-server.mjs');
/** The server that won't end and has a grandchild in a session of its own. */
export const STUBBORN = inRoot('e2e', 'fixtures', 'servers', 'stubborn-server.mjs');
/** More starts than any fault here survives. */
const ALWAYS = 1000;
const POLL_MS = 20;
const PATIENCE_MS = 30_000;

/** Throws an Error that says what was expected, unless `condition` holds. */
export function expect(condition, what) {
  if (!condition) throw new Error(`expected: ${what}`);
}

/** Polls until `condition` holds. */
export async function until(condition, what) {
  const end = performance.now() + PATIENCE_MS;
  while (!condition()) {
    expect(performance.now() < end, `${what}, within ${PATIENCE_MS / 1000} s`);
    await sleep(POLL_MS);
  }
}

/** The app's pool as the faults meet it, with an account of what was answered. `folder` is this fault's own. */
export async function createSubject({ mark, folder }) {
  const peer = createPool();
  const { service } = peer;
  await peer.ready();
  const received = [];
  const httpServers = [];
  let calls = 0;

  const fileOf = (name) => join(folder, name);
  const linesOf = (name) =>
    existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8').split('\n').filter(Boolean) : [];
  const add = async (draft) => (await service.add({ name: `faulty-${service.listServers().length}`, ...draft })).id;

  async function call(id, tool, args = {}) {
    const response = await service.callTool(id, tool, args, `fault-${calls++}`);
    received.push(fingerprint(response.content));
    return response.content;
  }

  return {
    service,
    call,
    /** A command that runs a stdio server under {@link RECORD}: the odd one with `behaviour` in its first `faulty` starts. */
    command: ({ behaviour = [], faulty = ALWAYS, program = ODD } = {}) => [
      process.execPath,
      RECORD,
      mark,
      folder,
      String(faulty),
      program,
      ...behaviour.map((name) => `--${name}`),
      ...(program === ODD ? [] : [mark]),
    ],
    /** Adds a stdio server and returns its id; it begins to connect. */
    addStdio: ([command, ...args], limits) => {
      const [name, value] = mark.split('=');
      return add({ type: 'stdio', config: { command, args, env: { [name]: value } }, limits });
    },
    /** Starts a server over HTTP and adds it. */
    addHttp: async (limits) => {
      const server = await startHttpServer();
      httpServers.push(server);
      return { server, id: await add({ type: 'http', config: { url: server.url }, limits }) };
    },
    /** `count` calls at once of a tool that echoes, each with a text of its own. Throws when one fails. */
    echo: (id, count = 1, tool = 'echo') =>
      Promise.all(Array.from({ length: count }, (_, i) => call(id, tool, { text: `${calls}-${i}` }))),
    /** Milliseconds until a call works, from now on. Goes on trying for 30 s. */
    recover: async (id, tool = 'echo') => {
      const start = performance.now();
      for (;;) {
        try {
          await call(id, tool, { text: `again ${calls}` });
          return performance.now() - start;
        } catch (error) {
          if (performance.now() - start > PATIENCE_MS) throw error;
          await sleep(POLL_MS);
        }
      }
    },
    /** The code of the error that a call ends with. Throws when it has a result. */
    failure: async (work) => {
      const [{ status, reason }] = await Promise.allSettled([work]);
      expect(status === 'rejected', 'a call that fails');
      return reason.code ?? String(reason);
    },
    stateOf: (id) => service.listServers().find(({ server }) => server.id === id).state,
    /** How often a stdio server was started. */
    starts: () => linesOf('starts').join('').length,
    /** A file for the odd server's `--notes`, and what is in it. */
    notesFile: fileOf('notes'),
    notes: () => linesOf('notes'),
    /**
     * Ends everything. Returns how many answers left the servers, how many of them didn't arrive as they were, and how many
     * arrived that no server gave.
     */
    close: async () => {
      await peer.closeAll();
      await Promise.all(httpServers.map((server) => server.close()));
      const given = [...linesOf('given'), ...httpServers.flatMap((server) => server.given)];
      return { given: given.length, lost: countLost(given, received), unknown: countLost(received, given) };
    },
  };
}
