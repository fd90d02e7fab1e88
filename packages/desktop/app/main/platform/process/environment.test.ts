import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { passedEnvironment, readLoginShellPath, ServerEnvironment, usualFolders } from './environment.ts';

function newFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tinyelf-shell-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A program that stands in for a login shell, with a profile of its own. */
function shell(profile: string, name = 'shell'): string {
  const file = path.join(newFolder(), name);
  writeFileSync(file, `#!/bin/sh\n${profile}\nexec /bin/sh -c "$2"\n`);
  chmodSync(file, 0o755);
  return file;
}

const env = { PATH: '/usr/bin:/bin' };

describe('readLoginShellPath', () => {
  it('reads what the profile sets, whatever else it prints', async () => {
    const greeting = 'echo "Welcome! PATH=/wrong"; printf "no line end"; export PATH="/from/profile:$PATH"';
    expect(await readLoginShellPath({ shell: shell(greeting), env })).toBe('/from/profile:/usr/bin:/bin');
  });

  it('doesn’t wait for a profile that never returns, nor leave it running', async () => {
    const began = performance.now();
    expect(await readLoginShellPath({ shell: shell('sleep 300'), env, limitMs: 300 })).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('doesn’t wait for what a profile started in the background', async () => {
    const began = performance.now();
    expect(await readLoginShellPath({ shell: shell('sleep 300 &'), env })).toBe('/usr/bin:/bin');
    expect(performance.now() - began).toBeLessThan(2900);
  });

  it.each([
    ['prints what it runs', 'echo "+ $2"; printf "\\033]0;%s\\007" "$2"'],
    ['sets a variable that looks like the answer', 'export BANNER="x\nPATH=/wrong"'],
    ['reads its input', 'read answer; read more'],
    ['starts another shell in its place', 'exec /bin/sh'],
    ['fails at the end', 'trap "exit 3" EXIT; /bin/sh -c "$2"; exit 3'],
  ])('reads it from a profile that %s', async (_what, profile) => {
    const set = 'export PATH="/my tools:$PATH:"';
    expect(await readLoginShellPath({ shell: shell(`${set}; ${profile}`), env })).toBe('/my tools:/usr/bin:/bin:');
  });

  it('starts a C shell as one that can’t be told so', async () => {
    // It refuses `-l` beside other flags.
    const tcsh = shell('case "$1" in *l*) exit 1;; esac; export PATH=/from/login:$PATH', 'tcsh');
    expect(await readLoginShellPath({ shell: tcsh, env })).toBe('/from/login:/usr/bin:/bin');
  });

  it('has enough of a profile that prints without an end', async () => {
    const began = performance.now();
    expect(await readLoginShellPath({ shell: shell('yes'), env, limitMs: 60_000 })).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  it.each([undefined, '', 'bash', '/no/such/shell', '/etc/passwd/shell', '/'])('gives up on %s', async (name) => {
    expect(await readLoginShellPath({ shell: name, env })).toBeUndefined();
  });

  it('gives up on a shell that fails', async () => {
    expect(await readLoginShellPath({ shell: shell('exit 1'), env })).toBeUndefined();
  });
});

describe('passedEnvironment', () => {
  const own = {
    HOME: '/home/ann',
    LANG: 'nn_NO.UTF-8',
    LC_TIME: 'C',
    HTTPS_PROXY: 'http://proxy',
    no_proxy: 'localhost',
    XDG_CONFIG_HOME: '/home/ann/.config',
    MY_MODEL_KEY: 'abc',
    OPENAI_API_KEY: 'abc',
    ELECTRON_RUN_AS_NODE: '1',
    NODE_OPTIONS: '--inspect',
    TERM: '() { evil; }',
    PATH: '/bin',
  };

  it('passes what programs need, and no secret and nothing of Electron', () => {
    expect(Object.keys(passedEnvironment(own, 'linux')).sort()).toEqual([
      'HOME',
      'HTTPS_PROXY',
      'LANG',
      'LC_TIME',
      'XDG_CONFIG_HOME',
      'no_proxy',
    ]);
  });

  it('knows the names of Windows in any case', () => {
    const windows = { SystemRoot: 'C:\\Windows', Temp: 'C:\\Temp', ComSpec: 'cmd.exe', ...own };
    expect(passedEnvironment(windows, 'win32')).toMatchObject({
      SystemRoot: 'C:\\Windows',
      Temp: 'C:\\Temp',
      ComSpec: 'cmd.exe',
    });
    expect(passedEnvironment(windows, 'win32')).not.toHaveProperty('MY_MODEL_KEY');
  });
});

describe('ServerEnvironment', () => {
  it('asks the shell once, and puts the configured values on top', async () => {
    let asked = 0;
    const environment = new ServerEnvironment({
      own: { HOME: '/home/ann', PATH: '/usr/bin:/bin', LANG: 'C' },
      platform: 'linux',
      readShellPath: async () => {
        asked++;
        return '/nvm/bin:/usr/bin';
      },
    });
    await environment.prepare();
    expect(await environment.build({ LANG: 'no', FOO: '1' })).toEqual({
      HOME: '/home/ann',
      PATH: '/nvm/bin:/usr/bin:/bin',
      LANG: 'no',
      FOO: '1',
    });
    await environment.build();
    expect(asked).toBe(1);
  });

  it('falls back to the usual folders', async () => {
    const environment = new ServerEnvironment({
      own: { HOME: '/home/ann', PATH: '/usr/bin:/bin' },
      platform: 'linux',
      readShellPath: async () => undefined,
    });
    const { PATH } = await environment.build();
    expect(PATH?.startsWith('/usr/bin:/bin:')).toBe(true);
    for (const folder of usualFolders('/home/ann', 'linux')) expect(PATH?.split(':')).toContain(folder);
  });

  it('falls back to the newest Node that a manager of versions keeps', async () => {
    const home = newFolder();
    const versions = [
      '.nvm/versions/node/v9.11.2/bin',
      '.nvm/versions/node/v22.1.0/bin',
      '.nvm/versions/node/v22.0.9/bin',
    ];
    const fnm = '.local/share/fnm/node-versions/v20.0.0/installation/bin';
    for (const folder of [...versions, fnm]) mkdirSync(path.join(home, folder), { recursive: true });
    const own = { HOME: home, PATH: '/usr/bin:/bin', SHELL: shell('sleep 300') };
    const readShellPath = () => readLoginShellPath({ shell: own.SHELL, env: own, limitMs: 100 });
    const { PATH } = await new ServerEnvironment({ own, platform: 'linux', readShellPath }).build();
    const found = PATH?.split(':').filter((folder) => folder.includes('/v'));
    expect(found).toEqual([versions[1], versions[2], versions[0], fnm].map((each) => path.join(home, each ?? '')));
  });

  it('takes an empty SHELL for none', async () => {
    const own = { HOME: '/home/ann', PATH: '/usr/bin:/bin', SHELL: '' };
    expect((await new ServerEnvironment({ own, platform: 'linux' }).build()).PATH).toMatch(/\/usr\/bin/);
  });

  it('lets a configured value replace a variable that is written in another case on Windows', async () => {
    const own = { Path: 'C:\\Windows', TEMP: 'C:\\Temp', SystemRoot: 'C:\\Windows' };
    const environment = new ServerEnvironment({ own, platform: 'win32' });
    const configured = { Path: 'D:\\mine', temp: 'D:\\temp' };
    expect(await environment.build(configured)).toEqual({ ...configured, SystemRoot: 'C:\\Windows' });
    expect(await environment.build()).toEqual({ PATH: 'C:\\Windows', TEMP: 'C:\\Temp', SystemRoot: 'C:\\Windows' });
  });
});
