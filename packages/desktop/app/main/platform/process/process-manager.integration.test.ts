import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ProcessManager, ServerEnvironment } from './index.ts';
import { systemProcessTable } from './process-table.ts';

const OWNER = fileURLToPath(new URL('__fixtures__/owner.mjs', import.meta.url));
const STUBBORN = fileURLToPath(new URL('__fixtures__/stubborn.mjs', import.meta.url));
/** What the owner starts, the detached ones and the shell wrappers' own included. */
const TREES = 4;

/** Whether this system has the limit by which what descends is found. */
const LIMITS = spawnSync('bash', ['-c', 'ulimit -q 512345']).status === 0;

let tokens = 0;
const newToken = () => `tinyelf-trees-${process.pid}-${Date.now()}-${tokens++}`;

/** Pids of processes with the token, the owner itself left out. */
function pidsWith(token: string, owner?: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== owner && pid !== process.pid)
    .filter((pid) => systemProcessTable().commandOf(pid)?.includes(token));
}

async function until(condition: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

function ledgerFile(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tinyelf-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, 'processes.json');
}

/** Runs the owner until its trees run. */
async function owner(how: 'wait' | 'exit' | 'throw' | 'stop', ...more: 'polite'[]) {
  const token = newToken();
  const ledger = ledgerFile();
  const child = spawn(process.execPath, [OWNER, token, ledger, how, ...more], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => {
    for (const pid of pidsWith(token)) process.kill(pid, 'SIGKILL');
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  return { token, ledger, child, ended };
}

function watcherOf({ pid: owner }: { pid?: number }): number | undefined {
  const isWatcher = (pid: number) => systemProcessTable().commandOf(pid)?.includes('watcherProgram');
  return systemProcessTable()
    .list()
    .find(({ pid, parent }) => parent === owner && isWatcher(pid))?.pid;
}

function manager(ledger?: string, stopTimes = { endOfInputMs: 300, terminateMs: 300 }) {
  const made = new ProcessManager({
    ledgerFile: ledger,
    environment: new ServerEnvironment({ readShellPath: async () => undefined }),
    stopTimes,
  });
  onTestFinished(() => made.dispose());
  return made;
}

describe('process trees', () => {
  it('are gone within five seconds after main was killed with -9, without a restart', async () => {
    const { token, child } = await owner('wait', 'polite');
    expect(pidsWith(token, child.pid).length).toBeGreaterThan(TREES);
    child.kill('SIGKILL');
    expect(await until(() => pidsWith(token).length === 0, 5000)).toBe(true);
  });

  it.each(['exit', 'throw', 'stop'] as const)('are gone when main ends by %s', async (how) => {
    const { token, ended } = await owner(how, 'polite');
    await ended;
    // A killed process takes a moment to be gone.
    expect(await until(() => pidsWith(token).length === 0, 2000)).toBe(true);
  });

  it('are removed at the next start when even the watcher was killed', async () => {
    const { token, ledger, child, ended } = await owner('wait');
    const watcher = watcherOf(child)!;
    // Main must not get to start another one.
    child.kill('SIGSTOP');
    process.kill(watcher, 'SIGKILL');
    child.kill('SIGKILL');
    await ended;
    expect(pidsWith(token).length).toBeGreaterThan(TREES);
    expect(manager(ledger).removeLeftovers().length).toBe(TREES);
    expect(await until(() => pidsWith(token).length === 0, 5000)).toBe(true);
    expect(existsSync(ledger)).toBe(false);
  });

  it('are guarded again when the watcher was killed', async () => {
    const { token, child } = await owner('wait', 'polite');
    const first = watcherOf(child)!;
    process.kill(first, 'SIGKILL');
    const second = () => watcherOf(child);
    expect(await until(() => second() !== undefined && second() !== first, 10_000)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    child.kill('SIGKILL');
    expect(await until(() => pidsWith(token).length === 0, 10_000)).toBe(true);
  });

  it('of another program with a recorded pid are left alone', async () => {
    const ledger = ledgerFile();
    const stranger = spawn(process.execPath, [STUBBORN], { stdio: 'ignore', detached: true });
    onTestFinished(() => {
      stranger.kill('SIGKILL');
    });
    const pid = stranger.pid!;
    const table = systemProcessTable();
    const { startTime } = table.get(pid)!;
    const base = { pid, startTime, group: pid, command: table.commandOf(pid)!, mark: 'none' };
    const file = { bootId: table.bootId(), owner: { pid: 1, startTime: 'x' } };
    const attempts = [
      { ...file, entries: [{ ...base, startTime: `${startTime}1` }] },
      { ...file, entries: [{ ...base, command: 'another program' }] },
      { ...file, bootId: 'another start of the machine', entries: [base] },
      { ...file, owner: { pid: process.pid, startTime: 'x' }, entries: [{ ...base, startTime: '0' }] },
      { entries: 'damaged' },
      { ...file, entries: [null, 'damaged', {}] },
    ];
    for (const attempt of attempts) {
      writeFileSync(ledger, JSON.stringify(attempt));
      expect(manager(ledger).removeLeftovers()).toEqual([]);
    }
    writeFileSync(ledger, '{"entries": [');
    expect(manager(ledger).removeLeftovers()).toEqual([]);
    expect(table.isAlive(pid, startTime)).toBe(true);
    // The same with everything in agreement is a leftover.
    writeFileSync(ledger, JSON.stringify({ ...file, entries: [null, base] }));
    expect(manager(ledger).removeLeftovers().length).toBe(1);
    expect(await until(() => !table.isAlive(pid, startTime), 5000)).toBe(true);
  });

  it.runIf(LIMITS)('that have no more than the number of one in common with it are left alone', async () => {
    const ledger = ledgerFile();
    const table = systemProcessTable();
    const token = newToken();
    onTestFinished(() => {
      for (const pid of pidsWith(token)) process.kill(pid, 'SIGKILL');
    });
    const number = 512_345;
    const stubborn = `"$0" "$1" "${token}`;
    const script = (rest: string) => ['-c', `ulimit -q ${number} && ${rest}`, process.execPath, STUBBORN];
    const begin = async (name: string, rest: string, env: NodeJS.ProcessEnv = {}) => {
      spawn('bash', script(rest), { env, stdio: 'ignore', detached: true }).unref();
      const pids = () => pidsWith(`${token}-${name}`).filter((pid) => !table.commandOf(pid)?.startsWith('bash'));
      expect(await until(() => pids().length === 1, 20_000)).toBe(true);
      return pids()[0]!;
    };
    const otherMark = { PATH: process.env.PATH, TINYELF_PROCESS_MARK: `other-${number}` };
    const earlier = await begin('earlier', `exec ${stubborn}-earlier"`);
    // Start times are counted in hundredths of a second.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const marked = await begin('marked', `exec ${stubborn}-marked"`, otherMark);
    const below = await begin('below', `env -i ${stubborn}-below"; true`, otherMark);
    const later = await begin('later', `exec ${stubborn}-later"`);
    const disguised = await begin('disguised', `exec ${stubborn}-disguised"`, { TINYELF_PROCESS_MARK: 'none' });

    // The root is gone; what is left of its tree are `later` and `disguised`.
    const { startTime } = table.get(marked)!;
    const entry = { pid: 2 ** 22 + 1, startTime, group: 2 ** 22 + 1, command: 'gone', mark: `mine-${number}` };
    const owner = { pid: 2 ** 22 + 2, startTime: 'x' };
    writeFileSync(ledger, JSON.stringify({ bootId: table.bootId(), owner, entries: [entry] }));
    expect(manager(ledger).removeLeftovers()).toHaveLength(1);
    expect(await until(() => !table.get(later) && !table.get(disguised), 20_000)).toBe(true);
    for (const pid of [earlier, marked, below]) expect(table.get(pid)).toBeDefined();
  });

  it('are not looked for where the list of them is no file', () => {
    const ledger = ledgerFile();
    execFileSync('mkfifo', [ledger]);
    // Whoever reads a pipe waits for ever, and could not even be told to stop: that is a process of its own.
    const start = `import { ProcessManager } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
      const processes = new ProcessManager({ ledgerFile: process.argv[1] });
      console.log(processes.removeLeftovers());
      processes.dispose();`;
    const options = { encoding: 'utf8', timeout: 10_000 } as const;
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', start, ledger], options).trim()).toBe('[]');
  });

  it('of an app that still runs are no leftovers', async () => {
    const { token, ledger, child } = await owner('wait');
    const before = pidsWith(token, child.pid).length;
    expect(manager(ledger).removeLeftovers()).toEqual([]);
    expect(pidsWith(token, child.pid).length).toBe(before);
    child.kill('SIGKILL');
    await until(() => pidsWith(token).length === 0, 5000);
  });

  it('that end by themselves take what they left behind with them', async () => {
    const token = newToken();
    const ledger = ledgerFile();
    const trees = manager(ledger);
    const script = '"$0" "$@" & echo started; sleep 0.5; exit 5';
    const tree = await trees.start({ command: 'sh', args: ['-c', script, process.execPath, STUBBORN, token] });
    tree.stdout.resume();
    tree.stderr.resume();
    expect(readFileSync(ledger, 'utf8')).toContain(tree.mark);
    expect(await tree.exited).toEqual({ code: 5, signal: null });
    expect(await tree.gone).toBeGreaterThan(0);
    expect(pidsWith(token)).toEqual([]);
    expect(readFileSync(ledger, 'utf8')).not.toContain(tree.mark);
  });

  it('that can’t even be started are a StartError, whoever refuses them', async () => {
    const long = Array.from({ length: 200 }, () => 'x'.repeat(60_000));
    for (const args of [long, ['a\0b']]) {
      await expect(manager().start({ command: process.execPath, args })).rejects.toMatchObject({ code: 'failed' });
    }
  });

  it('that leave at the end of their input are not signalled', async () => {
    // Time enough for a busy machine: the program has to start before it can see the end.
    const trees = manager(undefined, { endOfInputMs: 20_000, terminateMs: 300 });
    const program = "process.stdin.resume().on('end', () => setTimeout(() => process.exit(9), 50))";
    const tree = await trees.start({ command: process.execPath, args: ['-e', program] });
    tree.stdout.resume();
    tree.stderr.resume();
    await Promise.all([tree.stop(), tree.stop()]);
    expect(await tree.exited).toEqual({ code: 9, signal: null });
    await trees.stopAll();
    await expect(trees.start({ command: process.execPath })).rejects.toMatchObject({ code: 'failed' });
  });

  it('are not waited for at an end of input that has come before', async () => {
    const trees = manager(undefined, { endOfInputMs: 600_000, terminateMs: 20_000 });
    const tree = await trees.start({ command: 'sleep', args: ['600'] });
    tree.stdin.end();
    await tree.stop();
    expect(await tree.exited).toEqual({ code: null, signal: 'SIGTERM' });
    expect(await tree.gone).toBe(0);
  });

  it('get the environment that they need and no more', async () => {
    const trees = new ProcessManager({
      environment: new ServerEnvironment({
        own: {
          HOME: '/home/x',
          PATH: process.env.PATH,
          MY_MODEL_KEY: 'abc',
          ELECTRON_RUN_AS_NODE: '1',
          https_proxy: 'http://p',
          LC_ALL: 'C',
        },
        readShellPath: async () => '/from/the/shell',
      }),
    });
    onTestFinished(() => trees.dispose());
    const program =
      'console.log(JSON.stringify({ env: process.env, cwd: process.cwd(), argv: process.argv.slice(1) }))';
    const args = ['-e', program, '--', 'a b', '"q"', '$HOME', 'ø&|'];
    const tree = await trees.start({
      command: process.execPath,
      args,
      cwd: '/usr',
      env: { FOO: '1', HTTPS_PROXY: 'mine' },
    });
    tree.stderr.resume();
    let output = '';
    tree.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await tree.gone;
    const { env, cwd, argv } = JSON.parse(output);
    expect(env).toEqual({
      HOME: '/home/x',
      https_proxy: 'http://p',
      LC_ALL: 'C',
      PATH: `/from/the/shell:${process.env.PATH}`
        .split(':')
        .filter((each, i, all) => all.indexOf(each) === i)
        .join(':'),
      FOO: '1',
      HTTPS_PROXY: 'mine',
      TINYELF_PROCESS_MARK: tree.mark,
    });
    expect(cwd).toBe('/usr');
    expect(argv).toEqual(['a b', '"q"', '$HOME', 'ø&|']);
  });
});
