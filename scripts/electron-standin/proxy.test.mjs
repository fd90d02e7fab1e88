import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** A fresh copy, since settings are read once in a process. */
async function loadProxyFor({ switches = {}, env = {} } = {}) {
  vi.resetModules();
  for (const name of Object.keys(process.env)) if (/_proxy$/i.test(name)) vi.stubEnv(name, undefined);
  for (const name of ['XDG_CURRENT_DESKTOP', 'KDE_SESSION_VERSION']) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const { runtime } = await import('./lib/runtime.mjs');
  runtime.switches = new Map(Object.entries(switches));
  return (await import('./lib/proxy.mjs')).proxyFor;
}

/** @type {string} */
let home;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'standin-test-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(home, { recursive: true });
});

/** A KDE desktop with these settings; what it says was compared with Chromium's own reading of the same file. */
function kde(values) {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  fs.mkdirSync(path.join(home, '.config'), { recursive: true });
  const file = path.join(home, '.config', 'kioslaverc');
  fs.writeFileSync(
    file,
    ['[Other]', 'ProxyType=0', '', '[Proxy Settings]', ...lines, '', '[Later]', 'httpProxy=no'].join('\n'),
  );
  return { HOME: home, XDG_CURRENT_DESKTOP: 'KDE', KDE_SESSION_VERSION: '6' };
}
const MANUAL = { ProxyType: '1', httpProxy: 'http://p 3128', httpsProxy: 'http://q 1' };

describe('the switches', () => {
  it.each([
    ['p:3128', 'http://p:3128', 'http://p:3128'],
    ['http=p;https=https://q', 'http://p:80', 'https://q:443'],
    ['https=socks5://q', null, 'socks5://q:1080'],
  ])('proxy-server=%s', async (rules, http, https) => {
    const proxyFor = await loadProxyFor({ switches: { 'proxy-server': rules } });
    expect([proxyFor('http://a.example/x'), proxyFor('https://a.example/x')]).toEqual([http, https]);
  });

  it.each([
    ['a.example', 'http://a.example/', true],
    ['a.example', 'http://sub.a.example/', false],
    ['a.example', 'http://xa.example/', false],
    ['*.a.example', 'http://sub.a.example/', true],
    ['.a.example', 'http://sub.a.example/', true],
    ['b;a.example:8080', 'http://a.example:8080/', true],
    ['a.example:8080', 'http://a.example/', false],
    ['a.example:443', 'https://a.example/', true],
    ['https://a.example', 'http://a.example/', false],
    ['10.0.0.1', 'http://10.0.0.1/', true],
    ['<local>', 'http://intranet/', true],
    ['<local>', 'http://a.example/', false],
  ])('proxy-bypass-list=%s for %s: %s', async (list, url, isBypassed) => {
    const proxyFor = await loadProxyFor({ switches: { 'proxy-server': 'p:1', 'proxy-bypass-list': list } });
    expect(proxyFor(url)).toBe(isBypassed ? null : 'http://p:1');
  });

  it('never concern this machine, and other schemes than those of the web', async () => {
    const proxyFor = await loadProxyFor({ switches: { 'proxy-server': 'p:1' } });
    for (const host of ['localhost', 'a.localhost', '127.0.0.1:1', '[::1]'])
      expect(proxyFor(`http://${host}/`)).toBeNull();
    expect([proxyFor('file:///x'), proxyFor('no address')]).toEqual([null, null]);
  });

  it('count more than the system, and than the environment', async () => {
    const env = { ...kde(MANUAL), http_proxy: 'http://other:1' };
    const given = await loadProxyFor({ switches: { 'proxy-server': 'p:1' }, env });
    expect(given('http://a.example/')).toBe('http://p:1');
    const none = await loadProxyFor({ switches: { 'no-proxy-server': '' }, env });
    expect(none('http://a.example/')).toBeNull();
  });

  it('that ask for a script are refused', async () => {
    const proxyFor = await loadProxyFor({ switches: { 'proxy-pac-url': 'http://x/' } });
    expect(() => proxyFor('http://a.example/')).toThrow('not emulated: --proxy-pac-url');
  });
});

describe('the settings of KDE', () => {
  it('name a proxy for each scheme, and count more than the environment', async () => {
    const proxyFor = await loadProxyFor({ env: { ...kde(MANUAL), http_proxy: 'http://other:1' } });
    expect(proxyFor('http://a.example/')).toBe('http://p:3128');
    expect(proxyFor('https://a.example/')).toBe('http://q:1');
  });

  it.each([
    [
      'false',
      { 'http://direct.example/': null, 'http://notdirect.example/': null, 'http://a.example/': 'http://p:3128' },
    ],
    ['true', { 'http://direct.example/': 'http://p:3128', 'http://a.example/': null }],
  ])('name what is asked directly; reversed: %s', async (ReversedException, expected) => {
    const proxyFor = await loadProxyFor({ env: kde({ ...MANUAL, NoProxyFor: 'x,direct.example', ReversedException }) });
    for (const [url, proxy] of Object.entries(expected)) expect([url, proxyFor(url)]).toEqual([url, proxy]);
  });

  it('may say that there is none, whatever the environment says', async () => {
    const proxyFor = await loadProxyFor({ env: { ...kde({ ProxyType: '0' }), http_proxy: 'http://p:1' } });
    expect(proxyFor('http://a.example/')).toBeNull();
  });

  it('are for KDE alone', async () => {
    const env = {
      ...kde(MANUAL),
      XDG_CURRENT_DESKTOP: 'XFCE',
      HTTP_PROXY: 'http://other:1',
      NO_PROXY: 'direct.example',
    };
    const proxyFor = await loadProxyFor({ env });
    expect(proxyFor('http://a.example/')).toBe('http://other:1');
    expect(proxyFor('http://sub.direct.example/')).toBeNull();
  });
});
