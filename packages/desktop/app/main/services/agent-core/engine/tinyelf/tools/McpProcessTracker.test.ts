// The specification's document on McpProcessTracker, line by line. Real processes are in `adapters-spec.integration.test.ts`.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { McpProcessTracker, type TrackedConnection } from './McpProcessTracker.ts';

describe('McpProcessTracker', () => {
  const on = vi.spyOn(process, 'on');
  const tracker = McpProcessTracker.getInstance();
  const onExit = on.mock.calls.find(([event]) => event === 'exit')?.[1];
  on.mockRestore();

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await tracker.closeAll();
  });

  function tracked(close: () => Promise<void>, kill = async () => {}) {
    const connection = { close: vi.fn(close), process: { kill: vi.fn(kill), killSync: vi.fn() } };
    tracker.track(connection);
    return connection;
  }
  const hangs = () => new Promise<void>(() => {});

  it('File path', () => {
    const path = '/packages/desktop/app/main/services/agent-core/engine/tinyelf/tools/McpProcessTracker.ts';
    expect(new URL('McpProcessTracker.ts', import.meta.url).pathname.slice(-path.length)).toBe(path);
  });

  it('Responsibilities: a global singleton', () => {
    expect(McpProcessTracker.getInstance()).toBe(tracker);
  });

  describe('Safety Layers', () => {
    it('Graceful cleanup: closeConnection() closes gracefully, and then sees to it that nothing is left', async () => {
      const closing = Promise.withResolvers<void>();
      const connection = tracked(() => closing.promise);
      const closed = tracker.closeConnection(connection);
      expect(connection.process.kill).not.toHaveBeenCalled();
      closing.resolve();
      await closed;
      expect(connection.close).toHaveBeenCalledOnce();
      expect(connection.process.kill).toHaveBeenCalledOnce();
      expect(vi.getTimerCount()).toBe(0);
    });

    it('Graceful cleanup: 3 second timeout → force kill', async () => {
      const killing = Promise.withResolvers<void>();
      const connection = tracked(hangs, () => killing.promise);
      const done = vi.fn();
      const closed = tracker.closeConnection(connection).then(done);
      await vi.advanceTimersByTimeAsync(2999);
      expect(connection.process.kill).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(connection.process.kill).toHaveBeenCalledOnce();
      expect(done).not.toHaveBeenCalled();
      killing.resolve();
      await closed;
    });

    it.each<[string, () => Promise<void>]>([
      ['rejects', () => Promise.reject(new Error('no'))],
      [
        'throws at once',
        () => {
          throw new Error('no');
        },
      ],
    ])('Graceful cleanup: one whose close() %s is killed without waiting', async (_how, close) => {
      const connection = tracked(close);
      await tracker.closeConnection(connection);
      expect(connection.process.kill).toHaveBeenCalledOnce();
    });

    it('Graceful cleanup: one that can’t be killed so is killed synchronously', async () => {
      const connection = tracked(hangs, () => Promise.reject(new Error('no')));
      const closed = tracker.closeConnection(connection);
      await vi.advanceTimersByTimeAsync(3000);
      await closed;
      expect(connection.process.killSync).toHaveBeenCalledOnce();
    });

    it('Graceful cleanup: closing it again is waiting for the same', async () => {
      const connection = tracked(hangs);
      const both = Promise.all([tracker.closeConnection(connection), tracker.closeConnection(connection)]);
      await vi.advanceTimersByTimeAsync(3000);
      await both;
      expect(connection.close).toHaveBeenCalledOnce();
    });

    it('Batch cleanup: closeAll() closes all tracked connections, in parallel', async () => {
      const connections = [tracked(hangs), tracked(async () => {}), tracked(hangs)];
      const all = tracker.closeAll();
      for (const { close } of connections) expect(close).toHaveBeenCalledOnce();
      await vi.advanceTimersByTimeAsync(3000);
      await all;
      for (const { process } of connections) expect(process.kill).toHaveBeenCalledOnce();
      await tracker.closeAll();
      for (const { close } of connections) expect(close).toHaveBeenCalledOnce();
    });

    it('Safety net: process.on(‘exit’) kills all synchronously, also after one that can’t be killed', async () => {
      const complaint = vi.spyOn(console, 'error').mockImplementation(() => {});
      const [closed, broken, other] = [tracked(async () => {}), tracked(async () => {}), tracked(async () => {})];
      await tracker.closeConnection(closed);
      broken.process.killSync.mockImplementation(() => {
        throw new Error('no');
      });
      onExit?.call(process, 0);
      expect([closed, broken, other].map(({ process }) => process.killSync.mock.calls.length)).toEqual([0, 1, 1]);
      expect(complaint).toHaveBeenCalledOnce();
      complaint.mockRestore();
    });
  });

  it('Usage', async () => {
    const connection: TrackedConnection = {
      close: async () => {},
      process: { kill: vi.fn(async () => {}), killSync: () => {} },
    };
    // Track
    McpProcessTracker.getInstance().track(connection);
    // Cleanup single
    await McpProcessTracker.getInstance().closeConnection(connection);
    // Cleanup all
    await McpProcessTracker.getInstance().closeAll();
    expect(connection.process.kill).toHaveBeenCalledOnce();
  });
});
