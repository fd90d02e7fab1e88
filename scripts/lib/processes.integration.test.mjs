import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { canSeeProcesses, ProcessWatch } from './processes.mjs';

const FOREVER = 'setInterval(() => {}, 1000); process.stdout.write("up\\n")';

async function start(command, args, options) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], ...options });
  await once(child.stdout, 'data');
  return child;
}

describe.runIf(canSeeProcesses)('ProcessWatch', () => {
  it('finds a marked process that left every group and tree, and sees it gone', async () => {
    const mark = `WATCH_TEST=${process.pid}-mark`;
    const [name, value] = mark.split('=');
    const child = await start(process.execPath, ['-e', FOREVER], {
      detached: true,
      env: { ...process.env, [name]: value },
    });
    const watch = new ProcessWatch({ mark, text: 'in-no-command-line' });
    expect(watch.survivors()).toEqual([expect.stringContaining(`${child.pid} `)]);
    child.kill('SIGKILL');
    expect(await watch.waitForNone(10_000)).toEqual([]);
  });

  it('finds by its arguments a process whose environment is empty', async () => {
    const text = `watch-test-${process.pid}-folder`;
    const child = await start(process.execPath, ['-e', FOREVER, text], { env: {} });
    const watch = new ProcessWatch({ mark: 'NO=mark', text });
    expect(watch.survivors()).toEqual([expect.stringContaining(`${child.pid} `)]);
    child.kill('SIGKILL');
    expect(await watch.waitForNone(10_000)).toEqual([]);
  });

  it('remembers a descendant whose parents have gone', async () => {
    const script = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(FOREVER)}], { stdio: 'inherit' })`;
    const parent = await start(process.execPath, ['-e', script]);
    const watch = new ProcessWatch({ mark: 'NO=mark', text: 'in-no-command-line' });
    watch.note(parent.pid);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    const left = await watch.waitForNone(300);
    expect(left).toHaveLength(1);
    process.kill(Number.parseInt(left[0], 10), 'SIGKILL');
    expect(await watch.waitForNone(10_000)).toEqual([]);
  });
});
