import { note } from './log.mjs';
import { notEmulated, refuseMissing } from './not-emulated.mjs';
import { runtime } from './runtime.mjs';
import { addScheme, toAppUrl, toChromiumPolicy, toChromiumUrl } from './scheme-urls.mjs';
import { changeHeaders } from './web-request.mjs';

/** @type {Map<string, (request: Request) => Response | Promise<Response>>} */
const handlers = new Map();
/** @type {Set<string>} */
const privileged = new Set();
/** Told when a scheme is handled for the first time. */
let notify = async () => {};

/** @param {() => Promise<void>} listener */
export function onProtocolChange(listener) {
  notify = listener;
}

/** Headers in which an address of ours may stand. */
const ADDRESS_HEADERS = ['referer', 'origin'];

/**
 * @param {any} request as DevTools describes it
 * @returns {Request} as the app's handler expects it
 */
function toRequest(request) {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    headers.append(name, ADDRESS_HEADERS.includes(name.toLowerCase()) ? toAppUrl(String(value)) : String(value));
  }
  const parts = (request.postDataEntries ?? []).map(({ bytes }) => Buffer.from(bytes ?? '', 'base64'));
  const body = parts.length > 0 ? Buffer.concat(parts) : undefined;
  return new Request(toAppUrl(request.url), { method: request.method, headers, body });
}

/**
 * @param {Response} response
 * @returns {{ name: string, value: string }[]}
 */
function toHeaderEntries(response) {
  return [...response.headers].map(([name, value]) => {
    if (name.startsWith('content-security-policy')) return { name, value: toChromiumPolicy(value) };
    if (name === 'location' || name === 'access-control-allow-origin') return { name, value: toChromiumUrl(value) };
    return { name, value };
  });
}

/** Electron's `protocol`. */
export const protocol = refuseMissing('protocol', {
  /** @param {{ scheme: string, privileges?: { standard?: boolean, secure?: boolean } }[]} schemes */
  registerSchemesAsPrivileged(schemes) {
    if (runtime.ready) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    for (const { scheme, privileges = {} } of schemes) {
      if (!privileges.standard || !privileges.secure) {
        throw notEmulated(`protocol.registerSchemesAsPrivileged without standard and secure (${scheme})`);
      }
      privileged.add(scheme);
    }
  },

  /**
   * @param {string} scheme
   * @param {(request: Request) => Response | Promise<Response>} handler
   */
  handle(scheme, handler) {
    if (!runtime.ready) throw new Error('protocol.handle can only be called when app is ready');
    if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    // A scheme without privileges has no origin of its own, and a built-in one would need to be wrapped.
    if (!privileged.has(scheme)) throw notEmulated(`protocol.handle for the unprivileged scheme ${scheme}`);
    handlers.set(scheme, handler);
    addScheme(scheme);
    void notify();
  },

  /** @param {string} scheme */
  unhandle(scheme) {
    handlers.delete(scheme);
  },

  /** @param {string} scheme */
  isProtocolHandled: (scheme) => handlers.has(scheme),
});

/**
 * @param {Request} request to a handled scheme
 * @returns {Promise<Response>}
 */
export async function askProtocolHandler(request) {
  const handler = handlers.get(new URL(request.url).protocol.slice(0, -1));
  if (!handler) throw new Error('net::ERR_UNKNOWN_URL_SCHEME');
  const response = await handler(request);
  if (!(response instanceof Response)) throw new Error('net::ERR_UNEXPECTED');
  return response;
}

/**
 * Answers a request of Chromium's to a scheme of the app.
 *
 * @param {any} request as DevTools describes it
 * @param {any} contents the WebContents that asks, if known
 * @returns {Promise<any>} parameters for Fetch.fulfillRequest, `{ error: true }`, or null for somebody else's request
 */
export async function respond(request, contents) {
  const url = toAppUrl(request.url);
  if (url === request.url) return null;
  try {
    const response = await askProtocolHandler(toRequest(request));
    if (response.type === 'error') return { error: true };
    const { status } = response;
    const received = { url: request.url, method: request.method, resourceType: 'Other', status };
    // The protocol takes a body only as a whole.
    const body = Buffer.from(await response.arrayBuffer()).toString('base64');
    const headers = changeHeaders({ ...received, headers: toHeaderEntries(response) }, contents);
    return { responseCode: status, responseHeaders: headers, body };
  } catch (error) {
    note(`the handler of ${url} failed: ${error instanceof Error ? error.message : error}`);
    return { error: true };
  }
}
