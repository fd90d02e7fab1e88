import { z } from 'zod';
import type { ITool } from '../ITool.ts';
import { parametersOf, readParameters } from '../parameters.ts';
import { decodeText } from './decode.ts';
import type { Downloaded } from './download.ts';
import type { ResolveHost } from './guarded-connections.ts';
import type { PageText } from './html-to-markdown.ts';
import { MAX_BYTES, NotFetched } from './not-fetched.ts';
import { readHtml } from './read-html.ts';

const LIMIT_MS = 30_000;
const CONNECT_MS = 10_000;
const DEFAULT_CHARS = 20_000;
const MAX_CHARS = 45_000;
/** Of a part in UTF-8, whatever its characters; the engine takes the middle out of what is over 50 KB. */
const MAX_PART_BYTES = 48 * 1024;
const MAX_TITLE = 300;

export interface WebToolsOptions {
  /** Hosts, as they are named in URLs, that may be on this machine or a local network. Read at every connection. Default: none. */
  allowedHosts?: ReadonlySet<string>;
  /** Default: the system's. */
  resolve?: ResolveHost;
  /** Time for the whole call, in milliseconds. Default: 30 s. */
  limitMs?: number;
}

const parameters = z.strictObject({
  url: z.string().trim().min(1).max(8192).describe('An http or https URL.'),
  start: z.number().int().min(0).default(0).describe('Character of the text to begin with, to read on.'),
  max_characters: z
    .number()
    .int()
    .min(1)
    .max(MAX_CHARS)
    .default(DEFAULT_CHARS)
    .describe('Characters to return at most.'),
});

/** WebFetch: the readable text at a URL. What isn't public is refused by the address that is really connected to. */
export function createWebTools({
  allowedHosts = new Set(),
  resolve,
  limitMs = LIMIT_MS,
}: WebToolsOptions = {}): ITool[] {
  return [
    {
      name: 'WebFetch',
      description:
        'Fetches a web page, JSON or another text from a public http or https URL. Of a page it returns what it says, as Markdown. Long texts come in parts: call it again with start.',
      parameters: parametersOf(parameters),
      risk: 'safe',
      access: ({ url }) => (typeof url === 'string' ? { url } : {}),
      async execute(params, { signal } = {}) {
        const read = readParameters(parameters, params);
        if (!read.ok) return read.problem;
        const { url, start, max_characters } = read.value;
        const late = AbortSignal.timeout(limitMs);
        const until = signal ? AbortSignal.any([signal, late]) : late;
        // With its HTTP client, which the app starts without.
        const { download } = await import('./download.ts');
        try {
          const found = await download(url, {
            allowedHosts,
            resolve,
            wants: isReadable,
            signal: until,
            connectMs: CONNECT_MS,
          });
          return await tell(found, start, max_characters, until);
        } catch (error) {
          signal?.throwIfAborted();
          if (late.aborted) return `Error: ${url} was not fetched within ${limitMs / 1000} s.`;
          if (error instanceof NotFetched) return `Error: ${url} was not fetched. ${error.message}`;
          throw error;
        }
      },
    },
  ];
}

const isHtml = (type: string) => type === 'text/html' || type === 'application/xhtml+xml';

/** What a server doesn't name is taken for text when it looks like it; see {@link tell}. */
const isReadable = (type: string) =>
  type === '' ||
  type.startsWith('text/') ||
  /^application\/(json|xml|xhtml\+xml|javascript|ecmascript|yaml|x-yaml|toml|x-sh|sql|graphql|x-ndjson|[\w.-]+\+(json|xml|yaml))$/.test(
    type,
  );

async function tell(found: Downloaded, start: number, max: number, signal: AbortSignal): Promise<string> {
  const { url, status, type, charset, body, cut } = found;
  const failure = status >= 400 ? `Error: The server answered ${status}.\n` : '';
  if (!isReadable(type) || (type === '' && body.includes(0))) {
    return `${failure || 'Error: '}${url.href} is ${type || 'no text'}, which can't be read as text.`;
  }
  const isPage = isHtml(type) || (type === '' && /^\s*</.test(new TextDecoder().decode(body.subarray(0, 100))));
  const text = decodeText(body, charset, isPage);
  const page: PageText = isPage ? await readPage(text, url, signal) : { title: '', text };
  const part = beginningOf(page.text.slice(start, start + max).toWellFormed());
  const end = start + part.length;
  const facts = [
    url.href,
    page.title && `Title: ${page.title.replace(/\s+/g, ' ').slice(0, MAX_TITLE).toWellFormed()}`,
    cut && `Only the first ${MAX_BYTES / 1024 / 1024} MB were fetched.`,
    end < page.text.length &&
      `Characters ${start} to ${end} of ${page.text.length}; to read on, call again with start ${end}.`,
    start > 0 && part === '' && `There is nothing at ${start}: it has ${page.text.length} characters.`,
  ];
  return `${failure}${facts.filter(Boolean).join('\n')}\n\n${part || '(no text)'}`;
}

function beginningOf(text: string): string {
  if (Buffer.byteLength(text) <= MAX_PART_BYTES) return text;
  // As a stream, whose last character may be incomplete and isn't given then.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, MAX_PART_BYTES), {
    stream: true,
  });
}

async function readPage(html: string, url: URL, signal: AbortSignal): Promise<PageText> {
  try {
    return await readHtml(html, url.href, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new NotFetched(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
