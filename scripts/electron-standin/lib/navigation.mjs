import { note } from './log.mjs';
import { applyPermissions } from './permissions.mjs';
import { respond } from './protocol.mjs';
import { runtime } from './runtime.mjs';
import { BLANK_ORIGIN, knownSchemes, toAppUrl } from './scheme-urls.mjs';
import { webContentsOfFrame } from './web-contents.mjs';
import { changeResponseHeaders, needsResponseHeaders } from './web-request.mjs';

/** Decides every navigation and answers every request to a scheme of the app's own, before anything is sent. */
export async function interceptRequests() {
  const { connection } = runtime.chromium;
  connection.on('Fetch.requestPaused', (paused) => {
    handle(paused).catch((error) => note(`a request could not be handled: ${error.message}`));
  });
  await updateInterception();
}

/** Has Chromium stop at what must be decided here; to be called again when that changes. */
export async function updateInterception() {
  const patterns = [
    { urlPattern: '*', resourceType: 'Document' },
    ...knownSchemes().map((scheme) => ({ urlPattern: `http://*.${scheme}.localhost*` })),
  ];
  if (needsResponseHeaders()) patterns.push(/** @type {any} */ ({ urlPattern: '*', requestStage: 'Response' }));
  await runtime.chromium.connection.send('Fetch.enable', { patterns });
}

/** @param {any} paused */
async function handle(paused) {
  const { connection } = runtime.chromium;
  const { requestId, request, frameId, resourceType } = paused;
  // The request may be cancelled while it is being decided.
  const answer = (method, params = {}) => connection.send(method, { requestId, ...params }).catch(() => {});

  if (request.url.startsWith(BLANK_ORIGIN)) return;
  const contents = frameId ? webContentsOfFrame(frameId) : null;
  if (paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined) {
    await continueResponse(paused, contents, answer);
    return;
  }
  if (resourceType === 'Document' && contents) {
    if (!mayNavigate(contents, paused)) {
      await answer('Fetch.failRequest', { errorReason: 'Aborted' });
      return;
    }
    await applyPermissions(contents, toAppUrl(request.url));
  }
  const response = await respond(request, contents);
  if (response === null) await answer('Fetch.continueRequest');
  else if (response.error) await answer('Fetch.failRequest', { errorReason: 'Failed' });
  else await answer('Fetch.fulfillRequest', response);
}

/**
 * @param {any} paused at the response stage
 * @param {any} contents
 * @param {(method: string, params?: object) => Promise<unknown>} answer
 */
async function continueResponse(paused, contents, answer) {
  const responseHeaders = changeResponseHeaders(paused, contents);
  if (responseHeaders === null) {
    await answer('Fetch.continueResponse');
    return;
  }
  // Chromium takes a changed policy into account only when the whole response is given anew.
  const { connection } = runtime.chromium;
  const { requestId, responseStatusCode } = paused;
  const { body, base64Encoded } = await connection.send('Fetch.getResponseBody', { requestId });
  await answer('Fetch.fulfillRequest', {
    responseCode: responseStatusCode,
    responseHeaders,
    body: base64Encoded ? body : Buffer.from(body).toString('base64'),
  });
}

/**
 * Asks the app about a navigation that the page wants.
 *
 * @param {import('./web-contents.mjs').WebContents} contents
 * @param {any} paused
 * @returns {boolean}
 */
function mayNavigate(contents, { request, frameId, redirectedRequestId }) {
  const frames = contents.standin.frames;
  const isMainFrame = frameId === frames.mainFrameId;
  const record = frames.record(frameId);
  const url = toAppUrl(request.url + (request.urlFragment ?? ''));
  const details = {
    url,
    isSameDocument: false,
    isMainFrame,
    frame: record?.document ?? null,
    initiator: record?.document ?? null,
  };
  if (redirectedRequestId) return contents.standin.ask('will-redirect', details);
  // What the page itself asks for is reported before its request; everything else is the app's own doing.
  const wanted = record?.requestedUrl;
  if (record) record.requestedUrl = null;
  if (wanted === null || wanted === undefined) return true;
  if (!contents.standin.ask('will-frame-navigate', details)) return false;
  return !isMainFrame || contents.standin.ask('will-navigate', details);
}

/**
 * Notes what a page asks for. What Chromium would hand to another program never becomes a request, so the app is asked
 * here; the program isn't started in any case.
 *
 * @param {import('./web-contents.mjs').WebContents} contents
 * @param {{ frameId: string, url: string, disposition: string }} requested
 */
export function navigationRequested(contents, { frameId, url, disposition }) {
  if (disposition !== 'currentTab') return;
  const record = contents.standin.frames.record(frameId);
  if (!record) return;
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase();
  if (['http', 'https', 'file', 'data', 'blob'].includes(scheme)) {
    if (url.split('#')[0] !== record.url.split('#')[0] || !url.includes('#')) record.requestedUrl = url;
    return;
  }
  if (scheme === 'javascript') return;
  const isMainFrame = frameId === contents.standin.frames.mainFrameId;
  const details = { url, isSameDocument: false, isMainFrame, frame: record.document, initiator: record.document };
  const allowed = contents.standin.ask('will-frame-navigate', details) && isMainFrame;
  if (allowed && contents.standin.ask('will-navigate', details) && knownSchemes().includes(scheme)) {
    void contents.loadURL(url).catch(() => {});
  }
}
