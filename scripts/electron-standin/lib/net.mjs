import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { notEmulated, refuseMissing } from './not-emulated.mjs';
import { askProtocolHandler, protocol } from './protocol.mjs';
import { proxyFor } from './proxy.mjs';
import { requireReady } from './runtime.mjs';

const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

const MIME_TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain',
};

/** @type {{ direct: any, EnvHttpProxyAgent: any } | undefined} */
let dispatchers;

/** Node's own dispatcher, and the class of the one with proxies, which Node gives away in no other way. */
function nodeDispatchers() {
  if (dispatchers) return dispatchers;
  const restore = http.setGlobalProxyFromEnv({ HTTP_PROXY: 'http://127.0.0.1:1' });
  const { constructor: EnvHttpProxyAgent } = globalThis[GLOBAL_DISPATCHER];
  restore();
  dispatchers = { direct: globalThis[GLOBAL_DISPATCHER], EnvHttpProxyAgent };
  return dispatchers;
}

/** @type {Map<string, any>} */
const proxyAgents = new Map();

/** @param {string} proxy */
function agentOf(proxy) {
  if (!/^https?:/.test(proxy)) throw notEmulated(`a proxy at ${proxy}`);
  const { EnvHttpProxyAgent } = nodeDispatchers();
  // As Chromium does, a plain request is handed to the proxy, not tunnelled through it.
  const options = { httpProxy: proxy, httpsProxy: proxy, noProxy: '', proxyTunnel: false };
  if (!proxyAgents.has(proxy)) proxyAgents.set(proxy, new EnvHttpProxyAgent(options));
  return proxyAgents.get(proxy);
}

/**
 * Sends each request where Chromium's settings say, those after a redirect too. Node's own fetch doesn't, and must not
 * learn it, or an app that uses the wrong one would pass here.
 */
const dispatcher = {
  /** @param {{ origin: string | URL }} options */
  dispatch(options, handler) {
    const proxy = proxyFor(String(options.origin));
    return (proxy ? agentOf(proxy) : nodeDispatchers().direct).dispatch(options, handler);
  },
};

/**
 * @param {string | Request | URL} input
 * @param {RequestInit & { bypassCustomProtocolHandlers?: boolean }} [init]
 * @returns {Promise<Response>}
 */
export async function standinFetch(input, init = {}) {
  requireReady('Session');
  const { bypassCustomProtocolHandlers = false, ...options } = init;
  const request = new Request(input, options);
  const { protocol: scheme } = new URL(request.url);
  if (scheme === 'file:') return fetchFile(request.url);
  if (!bypassCustomProtocolHandlers && protocol.isProtocolHandled(scheme.slice(0, -1)))
    return askProtocolHandler(request);
  return fetch(request, /** @type {any} */ ({ dispatcher }));
}

/** @param {string} url */
async function fetchFile(url) {
  const file = fileURLToPath(url);
  const stat = await fs.promises.stat(file).catch(() => null);
  if (!stat?.isFile()) throw new Error('net::ERR_FILE_NOT_FOUND');
  const type = MIME_TYPES[/** @type {keyof typeof MIME_TYPES} */ (path.extname(file).toLowerCase())];
  const headers = { 'content-length': String(stat.size), ...(type ? { 'content-type': type } : {}) };
  return new Response(/** @type {any} */ (Readable.toWeb(fs.createReadStream(file))), { headers });
}

/** Electron's `net`. */
export const net = refuseMissing('net', {
  fetch: standinFetch,
  isOnline: () => true,
  online: true,
});
