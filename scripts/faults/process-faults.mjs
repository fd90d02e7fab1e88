// What processes can do wrong, the app's own included; as in stdio-faults.mjs.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importFromApp } from '../bench/lib/app-modules.mjs';
import { expect, STUBBORN, until } from './subject.mjs';

const { ProcessManager } = await importFromApp('main/platform/process/index.ts');

const VICTIM = fileURLToPath(new URL('victim.mjs', import.meta.url));
/** The system takes a moment to do away with what was killed; main's own servers get five seconds. */
const GONE_MS = 5000;
/** Itself, its watcher, a shell, two servers, and a detached grandchild of each. */
const MAIN_AND_ITS_OWN = 7;

/** The pid of a line that ProcessWatch gives. */
const pidOf = (line) => Number.parseInt(line, 10);
const isRunning = (watch, pid) => watch.survivors().some((line) => pidOf(line) === pid);

export const processFaults = {
  'wrapper that ignores signals': async (subject) => {
    const wrapper = ['sh', '-c', 'trap "" TERM INT HUP; "$@"; exit $?', 'wrapper'];
    const id = await subject.addStdio([...wrapper, ...subject.command({ behaviour: ['stubborn'] })]);
    await subject.echo(id, 20);
  },

  'detached grandchild': async (subject, { watch }) => {
    const id = await subject.addStdio(subject.command({ program: STUBBORN }));
    await subject.call(id, 'stay');
    await until(() => watch.survivors().length === 2, 'a server and its grandchild run');
    const first = watch.survivors();
    // The grandchild is a program in one line.
    const server = first.find((line) => !line.includes(' -e '));
    process.kill(pidOf(server), 'SIGKILL');
    const ms = await subject.recover(id, 'stay');
    await until(() => !first.some((line) => isRunning(watch, pidOf(line))), 'the first two are gone');
    return ms;
  },

  'kill -9 of main': async (_subject, { mark, folder, watch }) => {
    const main = fork(VICTIM, [mark, folder], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [message] = await once(main, 'message');
    expect(message === 'running', `the servers run, not ${message}`);
    watch.note(main.pid);
    const running = watch.survivors().length;
    expect(running >= MAIN_AND_ITS_OWN, `${MAIN_AND_ITS_OWN} processes before, not ${running}`);
    main.kill('SIGKILL');
    const start = performance.now();
    const left = await watch.waitForNone(GONE_MS);
    expect(left.length === 0, `nothing left of it after ${GONE_MS} ms, not ${left.join('; ')}`);
    return performance.now() - start;
  },

  'ledger with a reused pid': async (_subject, { mark, folder, watch }) => {
    const ledgerFile = join(folder, 'ledger.json');
    const stay = ['-e', 'process.stdin.resume()', mark];
    // Another program, which has got the pid of a server that ended long ago.
    const stranger = spawn(process.execPath, stay, { stdio: ['pipe', 'ignore', 'ignore'] });
    const earlier = new ProcessManager({ ledgerFile });
    const tree = await earlier.start({ command: process.execPath, args: stay });
    const ledger = JSON.parse(readFileSync(ledgerFile, 'utf8'));
    const [leftover] = ledger.entries;
    const reused = { ...leftover, pid: stranger.pid, group: stranger.pid, mark: 'of-an-earlier-run' };
    const owner = { pid: ledger.owner.pid, startTime: 'of-an-earlier-run' };
    writeFileSync(ledgerFile, JSON.stringify({ ...ledger, owner, entries: [reused, leftover] }));
    try {
      const later = new ProcessManager({ ledgerFile });
      const removed = later.removeLeftovers().map(({ pid }) => pid);
      later.dispose();
      await until(() => !isRunning(watch, tree.pid), 'the leftover is gone');
      expect(removed.length === 1 && removed[0] === tree.pid, `the leftover ${tree.pid} alone, not ${removed}`);
      expect(isRunning(watch, stranger.pid), 'the other program goes on');
    } finally {
      await earlier.stopAll();
      earlier.dispose();
      stranger.kill('SIGKILL');
      await once(stranger, 'exit');
    }
  },
};
