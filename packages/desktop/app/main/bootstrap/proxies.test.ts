import { describe, expect, it } from 'vitest';
import { proxySwitches } from './proxies.ts';

describe('proxySwitches', () => {
  it('leaves the system alone where the environment says nothing', () => {
    expect(proxySwitches({})).toEqual({});
    expect(proxySwitches({ NO_PROXY: 'a.example', HTTP_PROXY: '' })).toEqual({});
  });

  it.each<[Record<string, string>, string]>([
    [{ HTTP_PROXY: 'http://p:3128' }, 'http=http://p:3128'],
    [{ https_proxy: 'p:3128', HTTPS_PROXY: 'other:1' }, 'https=http://p:3128'],
    [{ ALL_PROXY: 'socks5h://p' }, 'http=socks5://p:1080;https=socks5://p:1080'],
    [{ ALL_PROXY: 'https://p', http_proxy: 'http://q' }, 'http=http://q:80;https=https://p:443'],
    [{ HTTP_PROXY: 'http://ann:secret@p:3128/' }, 'http=http://p:3128'],
    [{ HTTP_PROXY: 'ftp://p', HTTPS_PROXY: 'http://p:1' }, 'https=http://p:1'],
  ])('%j', (env, server) => expect(proxySwitches(env)).toEqual({ 'proxy-server': server }));

  it('NO_PROXY names hosts with their subdomains, addresses, or all', () => {
    const env = { HTTP_PROXY: 'p:1', NO_PROXY: 'a.example, .b.example;10.0.0.1 10.1.0.0/16,c.example:8080' };
    expect(proxySwitches(env)['proxy-bypass-list']).toBe(
      'a.example;*.a.example;b.example;*.b.example;10.0.0.1;10.1.0.0/16;c.example:8080;*.c.example:8080',
    );
    expect(proxySwitches({ HTTP_PROXY: 'p:1', NO_PROXY: 'x,*' })).toEqual({ 'no-proxy-server': '' });
  });
});
