import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CallProgress } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pidsWith } from '../../../../../../platform/process/__fixtures__/find-processes.ts';
import { ProcessManager, ServerEnvironment } from '../../../../../../platform/process/index.ts';
import { Workspace } from '../../workspace.ts';
import { createShellTools } from './create-shell-tools.ts';

let tokens = 0;
const newToken = () => `${process.pid}${Date.now() % 1e6}${tokens++}`;

function folder(): string {
  const made = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'tinyelf-bash-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function bash(env?: Record<string, string>) {
  const root = folder();
  const processes = new ProcessManager({
    environment: new ServerEnvironment({ ...(env && { own: env }), readShellPath: async () => undefined }),
  });
  onTestFinished(() => processes.dispose());
  const [tool] = createShellTools({ workspace: await Workspace.open(root), processes });
  return { root, tool: tool!, run: tool!.execute.bind(tool) };
}

async function until(condition: () => boolean, ms = 20_000): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error('It did not come to that.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('Bash: results', () => {
  it('runs in the workspace and gives the output in the order in which it was written', async () => {
    const { run, root } = await bash();
    const result = await run({ command: 'pwd; for i in 1 2 3; do echo out $i; echo err $i >&2; done' });
    expect(result).toBe(`Exit code 0\n${root}\nout 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n`);
  });

  it('reads no start-up file of the person first', async () => {
    const home = folder();
    writeFileSync(path.join(home, '.bashrc'), 'echo from the start-up file\nls() { rm -rf "$@"; }\n');
    const { run } = await bash({ HOME: home, PATH: process.env.PATH! });
    expect(await run({ command: 'echo ok; type -t ls' })).toBe('Exit code 0\nok\nfile\n');
  });

  it('runs a command as it was checked, to the last character', async () => {
    const { run, root } = await bash();
    await run({ command: 'printf x > a\u2028' });
    expect(readdirSync(root)).toEqual(['a\u2028']);
  });

  it('says that there was no output', async () => {
    const { run } = await bash();
    expect(await run({ command: 'true' })).toBe('Exit code 0\n(no output)');
  });

  it('gives the exit code and the output of a failure', async () => {
    const { run } = await bash();
    expect(await run({ command: 'echo so far; exit 3' })).toBe('Error: Exit code 3\nso far\n');
    expect(await run({ command: 'no-such-program-here' })).toMatch(
      /^Error: Exit code 127\n.*line 1: no-such-program-here/,
    );
    expect(await run({ command: 'if' })).toMatch(/^Error: Exit code [12]\n.*syntax error/i);
    expect(await run({ command: 'kill -TERM $$' })).toBe('Error: Ended by SIGTERM.\n(no output)');
  });

  it('takes here-documents, comments and several lines', async () => {
    const { run } = await bash();
    expect(await run({ command: '# count\ncat <<EOF | wc -l\na\nb\nEOF\n' })).toMatch(/^Exit code 0\n\s*2\n$/);
  });

  it('has an empty input', async () => {
    const { run } = await bash();
    expect(await run({ command: 'cat; read line; echo "got $?"' })).toBe('Exit code 0\ngot 1\n');
  });

  it('takes colours out, and replaces what is no text', async () => {
    const { run } = await bash();
    expect(await run({ command: String.raw`printf '\033[31mred\033[0m \377 \303\251'` })).toBe(
      'Exit code 0\nred \ufffd é',
    );
  });

  it('decodes characters that arrive in pieces', async () => {
    const { run } = await bash();
    const command = String.raw`printf '\360\237'; sleep 0.3; printf '\230\200'`;
    expect(await run({ command })).toBe('Exit code 0\n😀');
  });

  it('reads a large output to its end', async () => {
    const { run } = await bash();
    const result = await run({ command: 'seq 1 200000; echo the end >&2' });
    expect(result.startsWith('Exit code 0\n1\n2\n3\n')).toBe(true);
    expect(result.endsWith('199999\n200000\nthe end\n')).toBe(true);
    const [head = '', tail = ''] = result
      .slice('Exit code 0\n'.length)
      .split(/\n\[… 1,238,\d{3} characters left out here …\]\n/);
    expect([head.length, tail.length]).toEqual([25_000, 25_000]);
  });

  it.each([
    [{}, /command/],
    [{ command: '   ' }, /command/],
    [{ command: 'true', timeout_ms: 120_001 }, /timeout_ms/],
    [{ command: 'true', cwd: '/' }, /cwd/],
  ])('refuses %j in words', async (params, problem) => {
    const { run } = await bash();
    const result = await run(params);
    expect(result).toMatch(/^Error: The arguments/);
    expect(result).toMatch(problem);
  });

  it('says when the workspace is gone, or there is no shell', async () => {
    const { run, root } = await bash();
    rmSync(root, { recursive: true });
    expect(await run({ command: 'true' })).toMatch(/^Error: The working folder .* does not exist/);
  });

  it('asks, and names the command to the firewall', async () => {
    const { tool } = await bash();
    expect(tool.risk).toBe('asks');
    expect(tool.access?.({ command: 'ls' })).toEqual({ command: 'ls' });
    expect(tool.access?.({ command: 1 })).toEqual({});
    expect(tool.parameters).toMatchObject({
      type: 'object',
      required: ['command'],
      properties: { timeout_ms: { default: 120_000, maximum: 120_000 } },
    });
  });
});

describe('Bash: the shell', () => {
  it('gets nothing of the app’s secrets', async () => {
    const { run } = await bash({
      PATH: process.env.PATH ?? '',
      HOME: '/home/ann',
      OPENAI_API_KEY: 'sk-1',
      NODE_OPTIONS: '',
    });
    const result = await run({ command: 'env' });
    expect(result).toContain('HOME=/home/ann');
    expect(result).toContain('GIT_TERMINAL_PROMPT=0');
    expect(result).not.toMatch(/sk-1|NODE_OPTIONS/);
  });

  it('is sh where there is no bash', async () => {
    const asked: string[] = [];
    const workspace = await Workspace.open(folder());
    const missing = Object.assign(new Error('The command was not found.'), { code: 'command-missing' });
    const [tool] = createShellTools({
      workspace,
      processes: {
        start: async ({ command }) => {
          asked.push(command);
          throw missing;
        },
      },
    });
    expect(await tool!.execute({ command: 'true' })).toBe('Error: The command was not found.');
    expect(asked).toEqual(['bash', 'sh']);
  });
});

describe('Bash: what it starts', () => {
  it('has a process group of its own', async () => {
    const { run } = await bash();
    const groupOf = 'read -r pid name state parent group rest < /proc/$$/stat; echo "$pid $group"';
    const [, pid, group] = /^Exit code 0\n(\d+) (\d+)\n$/.exec(await run({ command: groupOf })) ?? [];
    expect(group).toBe(pid);
  });

  it('is stopped with all that hides from it, at the time limit', async () => {
    const { run } = await bash();
    const token = newToken();
    const sleepers = `setsid sleep ${token} & nohup sleep ${token} >/dev/null 2>&1 & (sleep ${token} &) ; echo begun; sleep ${token}`;
    const result = await run({ command: sleepers, timeout_ms: 4000 });
    expect(result).toMatch(/^Error: Stopped after 4 s, the time limit\.\n/);
    expect(result).toContain('begun');
    expect(pidsWith(token)).toEqual([]);
  });

  it('is stopped with the run, even if it ignores to be asked', async () => {
    const { run } = await bash();
    const token = newToken();
    const stop = new AbortController();
    const command = `trap '' TERM INT; setsid sh -c "trap '' TERM; sleep ${token}; :" & sleep ${token}; echo never`;
    const running = run({ command }, { signal: stop.signal });
    await until(() => pidsWith(token).length >= 3);
    stop.abort(new Error('stopped by a test'));
    await expect(running).rejects.toThrow('stopped by a test');
    expect(pidsWith(token)).toEqual([]);
  });

  it('is not even begun after the run was stopped, nor kept when that happens while it starts', async () => {
    const { run } = await bash();
    const token = newToken();
    await expect(run({ command: `sleep ${token}` }, { signal: AbortSignal.abort() })).rejects.toThrow();
    const stop = new AbortController();
    const running = run({ command: `sleep ${token}` }, { signal: stop.signal });
    stop.abort();
    await expect(running).rejects.toThrow();
    expect(pidsWith(token)).toEqual([]);
  });

  it('doesn’t hold the call when it stays in the background with the output open', async () => {
    const { run } = await bash();
    const token = newToken();
    const result = await run({ command: `sleep ${token} & echo done` });
    expect(result).toBe('Exit code 0\ndone\n\n[What it left running in the background (1 process) was stopped.]');
    expect(pidsWith(token)).toEqual([]);
  });

  it('is stopped when it stays in the background without an output', async () => {
    const { run } = await bash();
    const token = newToken();
    const command = `for i in 1 2; do setsid nohup sleep ${token} >/dev/null 2>&1 </dev/null & done; echo done`;
    expect(await run({ command })).toMatch(
      /^Exit code 0\ndone\n\n\[What it left running .*\(2 processes\) was stopped\.\]$/,
    );
    expect(pidsWith(token)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'is stopped when it gets another environment, session and outputs, and loses its parent',
    async () => {
      const { run } = await bash();
      const token = newToken();
      const hide = `(env -i "$(command -v setsid)" "$(command -v sleep)" ${token} </dev/null >/dev/null 2>&1 3>&- &)`;
      expect(await run({ command: `${hide}; echo done` })).toMatch(
        /^Exit code 0\ndone\n\n\[What it left running .*\(1 process\) was stopped\.\]$/,
      );
      expect(pidsWith(token)).toEqual([]);

      const failed = await run({ command: `${hide}; exit 3` });
      expect(failed).toMatch(/^Error: Exit code 3\n/);
      expect(pidsWith(token)).toEqual([]);

      const late = await run({ command: `${hide}; sleep ${token}`, timeout_ms: 2000 });
      expect(late).toMatch(/^Error: Stopped after 2 s/);
      expect(pidsWith(token)).toEqual([]);

      const stop = new AbortController();
      const running = run({ command: `${hide}; sleep ${token}` }, { signal: stop.signal });
      await until(() => pidsWith(`sleep\0${token}`).length === 2);
      stop.abort(new Error('stopped by a test'));
      await expect(running).rejects.toThrow('stopped by a test');
      expect(pidsWith(token)).toEqual([]);
    },
  );

  it.runIf(process.platform === 'linux')('leaves what other commands of the run have started alone', async () => {
    const { run } = await bash();
    const [one, other] = [newToken(), newToken()];
    const stop = new AbortController();
    const running = run({ command: `env -i /bin/sleep ${one}` }, { signal: stop.signal });
    await until(() => pidsWith(`sleep\0${one}`).length === 1);
    await run({ command: `(env -i setsid /bin/sleep ${other} >/dev/null 2>&1 &)` });
    expect(pidsWith(other)).toEqual([]);
    expect(pidsWith(`sleep\0${one}`)).toHaveLength(1);
    stop.abort(new Error('stopped by a test'));
    await expect(running).rejects.toThrow('stopped by a test');
  });

  it('can’t fill the memory', async () => {
    const { run } = await bash();
    const before = process.memoryUsage().rss;
    const result = await run({ command: 'yes "$(head -c 60000 /dev/zero | tr "\\0" x)"', timeout_ms: 3000 });
    expect(result.length).toBeLessThan(50_200);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it('leaves main its time while it writes without end', async () => {
    const { run } = await bash();
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    await run({ command: 'yes', timeout_ms: 3000 });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(30);
  });

  it.each(['setsid sleep', ...(process.platform === 'linux' ? ['env -i setsid sleep'] : [])])(
    'is gone when main is killed: %s',
    async (hidden) => {
      const token = newToken();
      const program = `
      const { ProcessManager, ServerEnvironment } = await import(${JSON.stringify(new URL('../../../../../../platform/process/index.ts', import.meta.url).href)});
      const { createShellTools } = await import(${JSON.stringify(new URL('create-shell-tools.ts', import.meta.url).href)});
      const processes = new ProcessManager({ environment: new ServerEnvironment({ readShellPath: async () => undefined }) });
      const [tool] = createShellTools({ workspace: { root: ${JSON.stringify(folder())} }, processes });
      await tool.execute({ command: ${JSON.stringify(`(${hidden} ${token} >/dev/null 2>&1 &); sleep ${token}`)} });`;
      const main = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
      await until(() => pidsWith(`sleep\0${token}`).length === 2);
      main.kill('SIGKILL');
      await until(() => pidsWith(token).length === 0);
    },
  );
});

describe('Bash: progress', () => {
  it('is the last line, a few times a second', async () => {
    const { run } = await bash();
    const seen: CallProgress[] = [];
    const command = 'for i in $(seq 1 60); do echo "step $i"; sleep 0.02; done; sleep 0.6';
    await run({ command }, { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)?.message).toBe('step 60');
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.length).toBeLessThan(40);
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, index) => index + 1));
  });
});
