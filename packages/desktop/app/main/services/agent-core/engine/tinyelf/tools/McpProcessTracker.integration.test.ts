// The specification's document on the adapters, its section on McpProcessTracker, with real processes.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { newToken, pidsWith } from '../../../../../platform/process/__fixtures__/find-processes.ts';
import { notesFile, until } from '../../../../capabilities/tools/mcp-users/__fixtures__/pool.ts';
import { direct, fixture, node, type Server, tracker } from './__fixtures__/adapters.ts';

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const STUBBORN = local('../../../../../platform/process/__fixtures__/stubborn.mjs');
const OWNER = local('__fixtures__/run-owner.mjs');

describe('McpProcessTracker', () => {
  /** A server that doesn't end by itself, in a wrapper, with a grandchild that has left the group. */
  const stubborn = (token: string): Server => ({
    name: 'stubborn',
    command: 'sh',
    args: [
      '-c',
      '"$0" "$1" "$2" --detached >/dev/null & "$0" "$3" --stubborn --x="$2"; true',
      process.execPath,
      STUBBORN,
      token,
      fixture('odd-server.mjs'),
    ],
  });
  /** The shell, the server, and the stubborn one with its detached grandchild. */
  const WHOLE_TREE = 4;

  /** Runs a program that holds connections, until they stand. Its last act comes with `end`. */
  async function owner(how: 'exit' | 'throw' | 'raw', token: string) {
    const servers = [stubborn(token), { name: 'odd', ...node(fixture('odd-server.mjs'), `--x=${token}`) }];
    const args = [OWNER, how, token, ...servers.map((server) => JSON.stringify(server))];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => {
      for (const pid of pidsWith(token)) process.kill(pid, 'SIGKILL');
    });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const line = await new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk))));
    const end = async () => {
      child.stdin.end();
      await ended;
    };
    /** Without the program itself. */
    const left = () => pidsWith(token).filter((pid) => pid !== child.pid);
    return { child, line, end, left };
  }

  describe('Safety Layers', () => {
    it('Graceful cleanup: closeConnection() closes gracefully', async () => {
      const token = newToken();
      const { connections } = await direct([{ name: 'odd', ...node(fixture('odd-server.mjs'), `--x=${token}`) }]);
      let leftForForce: number[] | undefined;
      vi.spyOn(connections[0]!.process, 'kill').mockImplementation(async () => {
        leftForForce = pidsWith(token);
      });
      await tracker.closeConnection(connections[0]!);
      expect(leftForForce).toEqual([]);
    });

    it('Graceful cleanup: the whole tree of one that doesn’t close is killed', async () => {
      const token = newToken();
      const { connections } = await direct([stubborn(token)]);
      await until(() => pidsWith(token).length >= WHOLE_TREE, 'the whole tree runs');
      vi.spyOn(connections[0]!, 'close').mockImplementation(() => new Promise(() => {}));
      await tracker.closeConnection(connections[0]!);
      expect(pidsWith(token)).toEqual([]);
    });

    it('Batch cleanup: closeAll() closes all tracked connections, in parallel', async () => {
      const tokens = [newToken(), newToken(), newToken()];
      const { connections } = await direct(tokens.map((token, i) => ({ ...stubborn(token), name: `stubborn ${i}` })));
      for (const token of tokens) await until(() => pidsWith(token).length >= WHOLE_TREE, 'the whole tree runs');
      const closes = connections.map((connection) => vi.spyOn(connection, 'close'));
      const all = tracker.closeAll();
      // None of them can have ended yet.
      for (const close of closes) expect(close).toHaveBeenCalledOnce();
      await all;
      expect(tokens.flatMap(pidsWith)).toEqual([]);
    });

    it.each(['exit', 'throw'] as const)('Safety net: nothing is left after %s', async (how) => {
      const token = newToken();
      const { line, end, left } = await owner(how, token);
      expect(line).toMatch(/^ready [1-9]/);
      await until(() => left().length > WHOLE_TREE, 'all run');
      await end();
      // A killed process takes a moment to be gone.
      await until(() => pidsWith(token).length === 0, 'nothing is left');
    });

    it('Safety net: kills on process.on(‘exit’) by itself, also after one that can’t be killed', async () => {
      const token = newToken();
      const { end, left } = await owner('raw', token);
      await until(() => left().length === 1, 'it runs');
      await end();
      await until(() => pidsWith(token).length === 0, 'nothing is left');
    });

    it('nothing is left when the program is killed with -9', async () => {
      const token = newToken();
      const { child, left } = await owner('exit', token);
      await until(() => left().length > WHOLE_TREE, 'all run');
      child.kill('SIGKILL');
      await until(() => pidsWith(token).length === 0, 'nothing is left', 20_000);
    });

    it('the ledger knows the process for the next start, as long as it runs', async () => {
      const ledger = notesFile();
      const token = newToken();
      const { connections } = await direct([{ name: 'odd', ...node(fixture('odd-server.mjs'), `--x=${token}`) }], {
        ledgerFile: ledger.file,
      });
      expect(readFileSync(ledger.file, 'utf8')).toContain(token);
      await tracker.closeConnection(connections[0]!);
      expect(readFileSync(ledger.file, 'utf8')).not.toContain(token);
    });
  });
});
