import { toAppUrl } from './scheme-urls.mjs';

/** @type {((details: any, callback: (response: any) => void) => void) | null} */
let headersListener = null;
/** @type {RegExp[]} */
let headersUrls = [];
/** Told when requests must be looked at differently. */
let notify = async () => {};

/** @param {() => Promise<void>} listener */
export function onWebRequestChange(listener) {
  notify = listener;
}

/** @param {string} pattern like `https://*.example.com/*` */
function toExpression(pattern) {
  if (pattern === '<all_urls>') return /^/;
  return new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*')}$`);
}

/**
 * Electron's `session.webRequest.onHeadersReceived`.
 *
 * @param {any} filterOrListener
 * @param {any} [listener]
 */
export function onHeadersReceived(filterOrListener, listener) {
  const filtered = typeof filterOrListener === 'object' && filterOrListener !== null;
  headersListener = filtered ? (listener ?? null) : filterOrListener;
  headersUrls = filtered ? filterOrListener.urls.map(toExpression) : [/^/];
  void notify();
}

export const needsResponseHeaders = () => headersListener !== null;

/**
 * Lets the app change the headers of a response.
 *
 * @param {{ url: string, method: string, resourceType: string, status: number,
 *   headers: { name: string, value: string }[] }} response
 * @param {any} contents
 * @returns {{ name: string, value: string }[]}
 */
export function changeHeaders({ url, method, resourceType, status, headers }, contents) {
  const appUrl = toAppUrl(url);
  if (!headersListener || !headersUrls.some((expression) => expression.test(appUrl))) return headers;
  /** @type {Record<string, string[]>} */
  const responseHeaders = {};
  for (const { name, value } of headers) responseHeaders[name] = [...(responseHeaders[name] ?? []), value];
  const details = {
    url: appUrl,
    method,
    resourceType: resourceType === 'Document' ? 'mainFrame' : resourceType.toLowerCase(),
    statusCode: status,
    statusLine: `HTTP/1.1 ${status}`,
    responseHeaders,
    webContents: contents ?? undefined,
    webContentsId: contents?.id,
  };
  let result = headers;
  headersListener(details, (answer) => {
    if (!answer?.responseHeaders) return;
    result = Object.entries(answer.responseHeaders).flatMap(([name, values]) =>
      [values].flat().map((value) => ({ name, value: String(value) })),
    );
  });
  return result;
}

/**
 * @param {any} paused a Fetch.requestPaused event of the response stage
 * @param {any} contents
 * @returns {{ name: string, value: string }[] | null} null when they stay as they are
 */
export function changeResponseHeaders({ request, resourceType, responseStatusCode, responseHeaders }, contents) {
  // A redirect has no body to give again.
  if (responseStatusCode === undefined || (responseStatusCode >= 300 && responseStatusCode < 400)) return null;
  const { url, method } = request;
  const headers = responseHeaders ?? [];
  const changed = changeHeaders({ url, method, resourceType, status: responseStatusCode, headers }, contents);
  return changed === headers ? null : changed;
}
