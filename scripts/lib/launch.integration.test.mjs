import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runInForeground } from './launch.mjs';
import { inRoot } from './paths.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'launch-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const said = () => {
  try {
    return readFileSync(join(folder, 'said'), 'utf8');
  } catch {
    return '';
  }
};

const isRunning = (pid) => {
  try {
    // The state: a zombie runs no more.
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

describe.runIf(process.platform === 'linux')('runInForeground', () => {
  it('waits for what a program that it stops has started', async () => {
    // Like electron-vite: it ends at once, and leaves an app that takes its time.
    const app = `process.on('SIGTERM', () => setTimeout(() => { require('fs').appendFileSync('${folder}/said', ' ended'); process.exit() }, 800)); require('fs').writeFileSync('${folder}/said', 'up'); setInterval(() => {}, 1000)`;
    const program = `const app = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(app)}]); process.on('SIGTERM', () => { app.kill(); process.exit() }); setInterval(() => {}, 1000)`;
    const stop = new AbortController();
    const running = runInForeground({
      command: process.execPath,
      args: ['-e', program],
      env: process.env,
      stop: stop.signal,
    });
    await expect.poll(said, { timeout: 10_000 }).toBe('up');
    stop.abort();
    await running;
    expect(said()).toBe('up ended');
  });
});

describe.runIf(process.platform === 'linux')('a script that npm runs', () => {
  it('ends when npm is told to, which tells its shell only', async () => {
    const runtime = JSON.stringify(pathToFileURL(inRoot('scripts', 'lib', 'node-runtime.mjs')).href);
    const script = `import(${runtime}).then(async ({ enterRuntime }) => { await enterRuntime('file:///none.mjs'); console.log(process.pid); setInterval(() => {}, 1000); })`;
    const shell = spawn('sh', ['-c', `"$0" -e "$1"; true`, process.execPath, script], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [text] = await shell.stdout.take(1).toArray();
    const pid = Number(text);
    onTestFinished(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
    expect(isRunning(pid)).toBe(true);
    shell.kill();
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
  });
});
