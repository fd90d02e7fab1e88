import { EventEmitter } from 'node:events';
import type { ClientRequest, ClientRequestConstructorOptions } from 'electron';
import { expect, it, vi } from 'vitest';
import { withUnfollowedRedirects } from './unfollowed-redirects.ts';

/** Electron's network, which fails at a redirect that it may not follow, and tells of it by an event elsewhere. */
function electronNet(answer: (sent: EventEmitter) => void) {
  const sent = Object.assign(new EventEmitter(), {
    headers: {} as Record<string, string>,
    body: '',
    setHeader: (name: string, value: string) => {
      sent.headers[name] = value;
    },
    write: (text: string) => {
      sent.body += text;
    },
    end: () => queueMicrotask(() => answer(sent)),
    abort: vi.fn(),
  });
  const request = vi.fn((_options: ClientRequestConstructorOptions) => sent as unknown as ClientRequest);
  const fetch = vi.fn(async (): Promise<Response> => {
    throw new Error('Redirect was cancelled');
  });
  return { sent, request, fetch, net: withUnfollowedRedirects(fetch, request) };
}

const init = { method: 'POST', headers: { 'x-key': 'k' }, body: '{}', redirect: 'manual' as const };

it('answers with the redirect itself, and sends what was to be sent', async () => {
  const { sent, request, net } = electronNet((sent) =>
    sent.emit('redirect', 308, 'POST', 'https://x.example/mcp/', {}),
  );
  const response = await net(new URL('https://x.example/mcp'), init);
  expect([response.status, response.headers.get('location')]).toEqual([308, 'https://x.example/mcp/']);
  expect(request).toHaveBeenCalledWith(
    expect.objectContaining({ method: 'POST', url: 'https://x.example/mcp', redirect: 'manual' }),
  );
  expect([sent.headers, sent.body]).toEqual([{ 'x-key': 'k' }, '{}']);
  expect(sent.abort).toHaveBeenCalled();
});

it('passes on what else goes wrong, there and here', async () => {
  const { net } = electronNet((sent) => sent.emit('error', new Error('net::ERR_FAILED')));
  await expect(net('https://x.example/', init)).rejects.toThrow('net::ERR_FAILED');
  await expect(net('https://x.example/', { ...init, redirect: 'error' })).rejects.toThrow('Redirect was cancelled');
  const other = withUnfollowedRedirects(
    async () => {
      throw new Error('net::ERR_NAME_NOT_RESOLVED');
    },
    () => {
      throw new Error('not to be called');
    },
  );
  await expect(other('https://x.example/', init)).rejects.toThrow('ERR_NAME');
});

it('ends when it is aborted', async () => {
  const { sent, net } = electronNet(() => {});
  const controller = new AbortController();
  const answer = net('https://x.example/', { ...init, signal: controller.signal });
  await vi.waitFor(() => expect(sent.body).toBe('{}'));
  controller.abort(new Error('enough'));
  await expect(answer).rejects.toThrow('enough');
  expect(sent.abort).toHaveBeenCalled();
});
