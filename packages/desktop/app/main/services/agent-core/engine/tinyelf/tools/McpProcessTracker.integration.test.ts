import { describe, expect, it, onTestFinished } from 'vitest';
import { ProcessManager, ServerEnvironment } from '../../../../../platform/process/index.ts';
import { McpProcessTracker, type TrackedConnection } from './McpProcessTracker.ts';

const tracker = McpProcessTracker.getInstance();
const STUBBORN = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";

async function connection(program: string, close: (stop: () => Promise<void>) => Promise<void>) {
  const manager = new ProcessManager({ environment: new ServerEnvironment({ readShellPath: async () => undefined }) });
  onTestFinished(() => manager.dispose());
  const tree = await manager.start({ command: process.execPath, args: ['-e', program] });
  tree.stdout.resume();
  tree.stderr.resume();
  const tracked: TrackedConnection = { process: tree, close: () => close(() => tree.stop()) };
  tracker.track(tracked);
  return { tracked, tree };
}

describe('McpProcessTracker', () => {
  it('is one for all', () => {
    expect(McpProcessTracker.getInstance()).toBe(tracker);
  });

  it('closes in good order', async () => {
    const { tracked, tree } = await connection('process.stdin.resume()', (stop) => stop());
    await tracker.closeConnection(tracked);
    expect(await tree.exited).toEqual({ code: 0, signal: null });
  });

  it('closes by force what doesn’t close, or fails to, all in parallel', async () => {
    const made = [
      await connection(STUBBORN, () => new Promise(() => {})),
      await connection(STUBBORN, async () => {
        throw new Error('no');
      }),
      await connection(STUBBORN, () => {
        throw new Error('at once');
      }),
      await connection(STUBBORN, (stop) => stop()),
    ];
    const began = performance.now();
    await Promise.all([tracker.closeAll(), tracker.closeConnection(made[0]!.tracked)]);
    expect(performance.now() - began).toBeLessThan(8000);
    for (const { tree } of made) expect(await tree.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await tracker.closeAll();
  });
});
