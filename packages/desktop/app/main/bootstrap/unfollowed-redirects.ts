import type { ClientRequest, ClientRequestConstructorOptions } from 'electron';
import type { Fetch } from '../services/ports/infrastructure.ts';

/** How Electron says that it met a redirect which it may neither follow nor show. */
const REFUSED = 'Redirect was cancelled';

/**
 * A fetch that answers `redirect: 'manual'` as Node's does, with the redirect itself. Electron's `net.fetch` fails there; so
 * the request is sent once more, in a way that tells where it leads. What is sent twice was not run: it was redirected.
 * @param request Electron's `net.request`
 */
export function withUnfollowedRedirects(
  fetch: Fetch,
  request: (options: ClientRequestConstructorOptions) => ClientRequest,
): Fetch {
  return async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error) {
      const isRefused = error instanceof Error && error.message.includes(REFUSED);
      if (init?.redirect !== 'manual' || input instanceof Request || !isRefused) throw error;
      return readRedirect(request, String(input), init);
    }
  };
}

function readRedirect(
  request: (options: ClientRequestConstructorOptions) => ClientRequest,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const { method = 'GET', headers, body, signal } = init;
  return new Promise((resolve, reject) => {
    const sent = request({ method, url, redirect: 'manual', credentials: 'omit' });
    const abort = () => {
      sent.abort();
      reject(signal?.reason);
    };
    const settle = (then: () => void) => {
      signal?.removeEventListener('abort', abort);
      then();
    };
    sent.on('redirect', (status, _method, location) => {
      settle(() => resolve(new Response(null, { status, headers: { location } })));
      sent.abort();
    });
    sent.on('response', () => {
      settle(() => reject(new Error('The server redirected a request, and did not when it was repeated.')));
      sent.abort();
    });
    sent.on('error', (error) => settle(() => reject(error)));
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    for (const [name, value] of new Headers(headers)) sent.setHeader(name, value);
    if (typeof body === 'string') sent.write(body);
    sent.end();
  });
}
