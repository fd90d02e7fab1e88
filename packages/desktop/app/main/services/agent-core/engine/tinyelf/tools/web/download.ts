import { type Agent, fetch, type Response } from 'undici';
import { checkLiteral, guardedAgent, RefusedHost, type ResolveHost } from './guarded-connections.ts';
import { MAX_BYTES, NotFetched } from './not-fetched.ts';

const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const ACCEPT =
  'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1';

export interface Downloaded {
  /** Where the redirects have led. */
  url: URL;
  status: number;
  /** In lower case, without parameters; empty when the server names none. */
  type: string;
  /** As the header names it. */
  charset: string | undefined;
  body: Uint8Array;
  /** There was more than {@link MAX_BYTES}; `body` is its beginning. */
  cut: boolean;
}

export interface DownloadOptions {
  allowedHosts: ReadonlySet<string>;
  resolve?: ResolveHost;
  /** Whether there is use in a body of this type; if not it is not read. */
  wants: (type: string) => boolean;
  signal: AbortSignal;
  connectMs: number;
}

/**
 * Gets what is at a URL by http or https, without cookies, straight from the server. Every redirect is followed by hand, as if
 * it had been asked for. Throws NotFetched, and whatever `signal` aborts with.
 */
export async function download(given: string, options: DownloadOptions): Promise<Downloaded> {
  const agent = guardedAgent(options);
  try {
    let url = checkedUrl(given, options.allowedHosts);
    for (let redirects = 0; ; redirects++) {
      const response = await request(url, agent, options.signal);
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return await read(response, url, options);
      if (redirects === MAX_REDIRECTS)
        throw new NotFetched(`There were more than ${MAX_REDIRECTS} redirects, the last to ${location}.`);
      await response.body?.cancel();
      url = checkedUrl(location, options.allowedHosts, url);
    }
  } catch (error) {
    options.signal.throwIfAborted();
    throw error instanceof NotFetched ? error : new NotFetched(reasonOf(error), { cause: error });
  } finally {
    // What was not read to its end is not worth an error.
    await agent.destroy().catch(() => {});
  }
}

function checkedUrl(text: string, allowedHosts: ReadonlySet<string>, base?: URL): URL {
  const url = URL.parse(text, base);
  const from = base ? `${base.href} redirects to ` : '';
  if (!url) throw new NotFetched(`${from}“${text}”, which is not a URL.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new NotFetched(`${from}${url.protocol} URLs are not fetched, only http: and https:.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new NotFetched(`${from}A URL with a user or a password is not fetched.`);
  }
  try {
    checkLiteral(url.hostname, allowedHosts);
  } catch (error) {
    throw new NotFetched(`${from}${error instanceof Error ? error.message : error}`, { cause: error });
  }
  return url;
}

const request = (url: URL, dispatcher: Agent, signal: AbortSignal): Promise<Response> =>
  fetch(url, {
    dispatcher,
    signal,
    redirect: 'manual',
    credentials: 'omit',
    headers: { accept: ACCEPT, 'user-agent': 'Mozilla/5.0 (compatible; TinyElf)' },
  });

async function read(response: Response, url: URL, { wants }: DownloadOptions): Promise<Downloaded> {
  const [type = '', ...more] = (response.headers.get('content-type') ?? '').split(';').map((part) => part.trim());
  const charset = more.map((part) => /^charset="?([^"]*)"?$/i.exec(part)?.[1]).find(Boolean);
  const found = { url, status: response.status, type: type.toLowerCase(), charset };
  if (!response.body || !wants(found.type)) {
    await response.body?.cancel();
    return { ...found, body: new Uint8Array(), cut: false };
  }
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // Counted after unpacking: a few packed bytes can stand for any number.
  for await (const piece of response.body) {
    pieces.push(piece.subarray(0, MAX_BYTES - bytes));
    bytes += piece.length;
    // Leaving the loop cancels the rest.
    if (bytes > MAX_BYTES) break;
  }
  return { ...found, body: Buffer.concat(pieces), cut: bytes > MAX_BYTES };
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  const causes = [error];
  for (let at = error; at instanceof Error && at.cause !== undefined; at = at.cause) causes.push(at.cause);
  const refused = causes.find((cause) => cause instanceof RefusedHost);
  if (refused) return refused.message;
  const last = causes.at(-1);
  if (!(last instanceof Error)) return String(last);
  const code = (last as NodeJS.ErrnoException).code;
  if (code === 'ENOTFOUND') return 'There is no such host. A proxy is not used for fetching pages, nor for its names.';
  return last.message || code || 'The connection failed.';
}
