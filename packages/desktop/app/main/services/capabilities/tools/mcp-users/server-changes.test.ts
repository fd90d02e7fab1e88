import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ServerChanges } from './server-changes.ts';
import type { SharedTransport } from './transports/shared-transport.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a server is not asked to tell of changes once its connection is gone', async () => {
  const listen = vi.fn(async () => ({ honoredFilter: {}, close: async () => {}, closed: Promise.resolve('remote') }));
  const client = {
    getServerCapabilities: () => ({ tools: { listChanged: true }, resources: { subscribe: true } }),
    setNotificationHandler: () => {},
    listen,
  } as unknown as Client;
  const onToolsChanged = vi.fn();
  const changes = new ServerChanges(client, { envelope: {} } as SharedTransport, { log: () => {}, onToolsChanged });
  changes.begin(true);
  await changes.follow('x://y', { idleMs: 1000 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(listen.mock.calls.length).toBeGreaterThan(4);
  expect(onToolsChanged).toHaveBeenCalled();
  changes.end();
  listen.mockClear();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(listen).not.toHaveBeenCalled();
});

it('a resource that is followed anew is not given up for who stops following it meanwhile', async () => {
  const asked: string[] = [];
  let answer = () => {};
  const request = async (method: string) => {
    asked.push(method);
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
  };
  const changes = new ServerChanges({} as Client, { request } as unknown as SharedTransport, {
    log: () => {},
    onToolsChanged: () => {},
  });
  const following = async (follow = changes.follow('x://y', { idleMs: 1000 })) => {
    answer();
    return await follow;
  };
  const endFirst = await following();
  const second = changes.follow('x://y', { idleMs: 1000 });
  await endFirst();
  answer();
  const endSecond = await second;
  expect(asked).toEqual(['resources/subscribe', 'resources/subscribe']);
  const ended = endSecond();
  answer();
  await ended;
  expect(asked.at(-1)).toBe('resources/unsubscribe');
});
