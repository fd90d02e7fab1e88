import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { refuseMissing } from './not-emulated.mjs';
import { askProtocolHandler, protocol } from './protocol.mjs';
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

/**
 * Chromium's network stack reads the proxies from the environment; Node's own fetch doesn't, and must not learn it, or
 * an app that uses the wrong one would pass here.
 */
function createProxyDispatcher() {
  const restore = http.setGlobalProxyFromEnv(process.env);
  const dispatcher = globalThis[GLOBAL_DISPATCHER];
  restore();
  // Without any proxy in the environment nothing has been set.
  if (dispatcher?.constructor.name !== 'EnvHttpProxyAgent') return dispatcher;
  // As Chromium does, a plain request is handed to the proxy, not tunnelled through it.
  return new dispatcher.constructor({ proxyTunnel: false });
}
/** @type {{ dispatcher: unknown } | null} */
let proxyOptions = null;

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
  proxyOptions ??= { dispatcher: createProxyDispatcher() };
  return fetch(request, /** @type {any} */ (proxyOptions));
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
