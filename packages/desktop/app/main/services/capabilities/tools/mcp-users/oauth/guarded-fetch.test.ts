import { describe, expect, it } from 'vitest';
import { checkSecure, guardedFetch } from './guarded-fetch.ts';

describe('the addresses that a server names for its sign-in', () => {
  it.each([
    'http://login.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'ftp://login.example/',
    'http://127.0.0.1:8080/',
    'https://localhost/',
    'https://a.localhost/',
    'http://[::1]:631/',
    'http://[::ffff:127.0.0.1]/',
    'http://0.0.0.0:22/',
    'http://2130706433/',
    'http://0x7f.1/',
  ])('%s is refused for a server elsewhere', (url) => {
    expect(() => checkSecure(url, 'https://mcp.example/mcp')).toThrow(
      expect.objectContaining({ code: 'sign-in-failed' }),
    );
  });

  it('may be of this computer for a server of this computer', () => {
    expect(() => checkSecure('http://127.0.0.1:9/x', 'http://localhost:8/mcp')).not.toThrow();
    expect(() => checkSecure('https://login.example/x', 'http://localhost:8/mcp')).not.toThrow();
    expect(() => checkSecure('http://login.example/x', 'http://localhost:8/mcp')).toThrow('secure');
  });
});

describe('guardedFetch', () => {
  const server = 'https://mcp.example/mcp';

  it('sends nothing to an address that is refused', async () => {
    const asked: string[] = [];
    const fetch = guardedFetch(async (input) => {
      asked.push(String(input));
      return new Response('{}');
    }, server);
    await expect(fetch('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'sign-in-failed' });
    await fetch('https://login.example/');
    expect(asked).toEqual(['https://login.example/']);
  });

  it('posts to where it was told and follows nobody from there', async () => {
    const redirects: (string | undefined)[] = [];
    const fetch = guardedFetch(async (_input, init) => {
      redirects.push(init?.redirect);
      return new Response('{}');
    }, server);
    await fetch('https://login.example/token', { method: 'POST', body: 'code=1' });
    await fetch('https://login.example/.well-known/x');
    expect(redirects).toEqual(['error', undefined]);
  });

  it('takes no answer that is larger than any such answer is', async () => {
    const fetch = guardedFetch(async () => new Response('x'.repeat(2_000_000)), server);
    await expect(fetch('https://login.example/')).rejects.toThrow('larger than 1 MiB');
  });
});
