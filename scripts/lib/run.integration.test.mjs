import { describe, expect, it } from 'vitest';
import { run } from './run.mjs';

const node = (script, options) => run(process.execPath, ['-e', script], options);

describe('run', () => {
  it('collects both streams and the exit code, and gives no stdin', async () => {
    const script = `process.stdin.on('end', () => { console.log('out'); console.error('err'); process.exitCode = 3; }).resume()`;
    const result = await node(script);
    expect(result).toMatchObject({ code: 3, signal: null });
    expect(result.output).toContain('out\n');
    expect(result.output).toContain('err\n');
  });

  it('tells that a command is not there', async () => {
    expect(await run('no-such-command-here', [])).toMatchObject({ code: null, error: { code: 'ENOENT' } });
  });

  it('ends a command that takes too long, also one that ignores SIGTERM', async () => {
    const result = await node(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`, { timeoutMs: 500 });
    expect(result).toMatchObject({ code: null, signal: 'SIGKILL', stopped: 'timeout' });
  });

  it('ends a command that makes no progress', async () => {
    const result = await node('setInterval(() => {}, 1000)', { idleMs: 500, watch: () => 1 });
    expect(result).toMatchObject({ signal: 'SIGTERM', stopped: 'idle' });
  });

  it('does not wait for what a command leaves behind', async () => {
    const script = `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }).unref()`;
    expect(await node(script)).toMatchObject({ code: 0 });
  });
});
