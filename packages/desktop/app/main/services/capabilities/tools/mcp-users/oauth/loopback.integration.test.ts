import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLoopback } from './loopback.ts';

async function open(port?: number) {
  const loopback = await openLoopback({ state: 'right', appName: 'TinyElf', port });
  onTestFinished(loopback.close);
  let answer: URLSearchParams | undefined;
  void loopback.redirected.then((parameters) => {
    answer = parameters;
  });
  const visit = (query: string, init?: RequestInit) => fetch(`${loopback.redirectUri}${query}`, init);
  return { ...loopback, visit, answer: () => answer };
}

describe('the loopback redirect', () => {
  it('listens on 127.0.0.1 and takes the answer with our state', async () => {
    const { redirectUri, visit, answer } = await open();
    expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const page = await visit('?code=c&state=right');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('go back to TinyElf');
    expect(answer()?.get('code')).toBe('c');
  });

  it.each(['?code=c&state=wrong', '?code=c', '?state=&code=c', '?state=right%00&code=c', ''])(
    'turns %j away and goes on waiting',
    async (query) => {
      const { visit, answer } = await open();
      expect((await visit(query)).status).toBe(400);
      expect(answer()).toBeUndefined();
      await visit('?code=c&state=right');
      expect(answer()?.get('code')).toBe('c');
    },
  );

  it('takes no other kind of request, and shows nothing of it', async () => {
    const { redirectUri, visit, answer } = await open();
    expect((await visit('?code=c&state=right', { method: 'POST' })).status).toBe(404);
    expect((await fetch(new URL('/other?state=right', redirectUri))).status).toBe(404);
    expect(answer()).toBeUndefined();
    const page = await visit('?state=right&error=%3Cscript%3Ealert(1)%3C/script%3E');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).not.toContain('alert');
  });

  it('takes the port of before, or a free one when that is in use', async () => {
    const first = await open();
    const port = Number(new URL(first.redirectUri).port);
    first.close();
    const second = await open(port);
    expect(second.redirectUri).toBe(first.redirectUri);
    const busy = createServer();
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void busy.close());
    const { port: taken } = busy.address() as { port: number };
    expect((await open(taken)).redirectUri).not.toContain(`:${taken}/`);
  });
});
