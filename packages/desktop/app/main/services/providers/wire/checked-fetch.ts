import type { Fetch } from '../../ports/infrastructure.ts';
import { HttpFailure, NetworkFailure, NotAnApiFailure } from './failures.ts';
import { normaliseSse } from './sse-normaliser.ts';

const MAX_ERROR_BODY_CHARS = 64 * 1024;

/**
 * The fetch that the SDKs are given. It hands back only what they can read: events in their plainest form for a POST (every
 * POST of ours asks for a stream), JSON for a GET. Everything else is thrown as a WireFailure, with the status, headers and
 * body that some SDKs would lose. An aborted request rejects as `fetch` itself does.
 */
export function checkedFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const host = url.host;
    let response: Response;
    try {
      // Followed, a POST would become a GET, and a key that is not in `Authorization` would go to another origin.
      response = await fetch(input, { ...init, redirect: 'error' });
    } catch (error) {
      if (init?.signal?.aborted) throw error;
      throw new NetworkFailure(host, error);
    }
    if (!response.ok) throw new HttpFailure(host, response.status, response.headers, await errorBody(response));
    const contentType = response.headers.get('content-type') ?? '';
    if (/\bhtml\b/i.test(contentType)) {
      void response.body?.cancel().catch(() => undefined);
      throw new NotAnApiFailure(host, contentType);
    }
    if (init?.method?.toUpperCase() === 'POST') {
      const headers = new Headers(response.headers);
      headers.set('content-type', 'text/event-stream');
      const body = response.body ?? new Blob([]).stream();
      // Not the status that came: with 204 there can be no body.
      return new Response(normaliseSse(body, host), { headers });
    }
    return await checkedJson(response, host, contentType);
  };
}

async function checkedJson(response: Response, host: string, contentType: string): Promise<Response> {
  const text = await response.text();
  try {
    JSON.parse(text);
  } catch {
    throw new NotAnApiFailure(host, contentType);
  }
  return new Response(text, { headers: { 'content-type': 'application/json' } });
}

async function errorBody(response: Response): Promise<string> {
  try {
    return (await response.text()).slice(0, MAX_ERROR_BODY_CHARS);
  } catch {
    return '';
  }
}
