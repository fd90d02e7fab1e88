import { isIP } from 'node:net';
import { notEmulated } from './not-emulated.mjs';
import { kdeProxySettings } from './proxy-kde.mjs';
import { runtime } from './runtime.mjs';

/**
 * Chromium's proxy settings, as it has them from wherever they come.
 *
 * @typedef {object} ProxySettings
 * @property {Record<string, string>} servers address of the proxy (`scheme://host:port`) by the scheme of what is asked
 *   for; that of `''` is for all others
 * @property {string[]} bypass rules for what is asked directly
 * @property {boolean} [suffixes] whether a bare name in `bypass` stands for all that ends in it, as on Linux
 * @property {boolean} [reversed] whether only what `bypass` names goes through a proxy
 */

const DEFAULT_PORTS = { http: '80', https: '443', socks4: '1080', socks5: '1080' };

/** @type {ProxySettings | undefined} */
let settings;

/**
 * Chromium's order: its switches, read once before it is ready; the desktop's own settings; the environment.
 *
 * @returns {ProxySettings}
 */
function currentSettings() {
  settings ??= fromSwitches(runtime.switches) ?? kdeProxySettings(process.env) ?? fromEnvironment(process.env);
  return settings;
}

/**
 * @param {Map<string, string>} switches
 * @returns {ProxySettings | undefined} undefined where the system's settings count
 */
function fromSwitches(switches) {
  if (switches.has('no-proxy-server')) return { servers: {}, bypass: [] };
  for (const name of ['proxy-pac-url', 'proxy-auto-detect']) if (switches.has(name)) throw notEmulated(`--${name}`);
  const rules = switches.get('proxy-server');
  if (!rules) return undefined;
  const servers = rules.split(';').map((rule) => {
    const [, scheme = '', server] = /^(?:(\w+)=)?(.*)$/.exec(rule.trim()) ?? [];
    return [scheme, serverAddress(server)];
  });
  return { servers: Object.fromEntries(servers), bypass: list(switches.get('proxy-bypass-list') ?? '') };
}

/**
 * @param {Record<string, string | undefined>} env
 * @returns {ProxySettings}
 */
function fromEnvironment(env) {
  const variable = (name) => env[name] || env[name.toUpperCase()];
  const all = variable('all_proxy');
  const servers = ['http', 'https'].flatMap((scheme) => {
    const server = variable(`${scheme}_proxy`) || all;
    return server ? [[scheme, serverAddress(server)]] : [];
  });
  return { servers: Object.fromEntries(servers), bypass: list(variable('no_proxy') ?? ''), suffixes: true };
}

/** @param {string} text */
const list = (text) => text.split(/[\s,;]+/).filter(Boolean);

/**
 * @param {string} text with or without a scheme and a port
 * @returns {string}
 */
export function serverAddress(text) {
  const url = new URL(text.includes('://') ? text : `http://${text}`);
  const scheme = url.protocol.slice(0, -1).replace(/^socks$/, 'socks5');
  return `${scheme}://${url.hostname}:${url.port || DEFAULT_PORTS[/** @type {'http'} */ (scheme)]}`;
}

/**
 * @param {string} address what is asked for
 * @returns {string | null} the proxy to ask, as `scheme://host:port`; null for a direct connection
 */
export function proxyFor(address) {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (!/^(https?|wss?):$/.test(url.protocol) || isOwnMachine(url.hostname)) return null;
  const { servers, bypass, suffixes = false, reversed = false } = currentSettings();
  const scheme = url.protocol.slice(0, -1);
  const server = servers[scheme] ?? servers[''];
  if (!server || bypass.some((rule) => matches(rule, url, suffixes)) !== reversed) return null;
  return server;
}

/** What Chromium never asks a proxy for, unless it is told `<-loopback>`, which nothing here does. */
function isOwnMachine(hostname) {
  return /(^|\.)localhost$|^127\.|^\[::1\]$|^169\.254\.|^\[fe[89ab]/.test(hostname);
}

/**
 * @param {string} rule `[scheme://]host[:port]` with `*` in the host, or `<local>`
 * @param {URL} url
 * @param {boolean} suffixes
 */
function matches(rule, url, suffixes) {
  if (rule === '<local>') return !url.hostname.includes('.') && !isIP(url.hostname);
  if (/\/\d+$/.test(rule)) throw notEmulated(`the proxy bypass rule ${rule}`);
  const [, scheme, host = '', port] = /^(?:(\w+):\/\/)?(\[.*?\]|[^:]*)(?::(\d+))?$/.exec(rule) ?? [];
  if (scheme && `${scheme}:` !== url.protocol) return false;
  if (port && port !== (url.port || (/^(https|wss):$/.test(url.protocol) ? '443' : '80'))) return false;
  const isName = !isIP(host) && !host.startsWith('[');
  const any = host.startsWith('.') || (suffixes && isName && !host.startsWith('*')) ? `*${host}` : host;
  const pattern = any.replace(/[^*]+/g, RegExp.escape).replaceAll('*', '.*');
  return new RegExp(`^${pattern}$`, 'i').test(url.hostname);
}
