import { isRecord, parseJson } from './json.ts';

/** What an error body says, whichever of the usual shapes it has. */
export interface ErrorSigns {
  /** HTTP status, of the response or as named in the body; undefined when neither is known. */
  status: number | undefined;
  /** Every type, code and status word in it, lower case, separated by spaces. */
  words: string;
  message: string;
  headers: Headers | undefined;
  /** Parsed JSON, or text. */
  body: unknown;
}

const WORDS = ['type', '__type', 'code', 'status', 'status_code'];
const TEXTS = ['message', 'detail', 'error_description', 'msg', 'status_msg'];
/** Where the error is within what stands around it; an array counts by its first element. */
const WITHIN = ['error', 'errors', 'base_resp'];
const MAX_DEPTH = 6;

/** `raw`: a body as text, or what was parsed of it. */
export function readSigns(raw: unknown, status?: number, headers?: Headers): ErrorSigns {
  const body = typeof raw === 'string' ? (parseJson(raw) ?? raw) : raw;
  const words: string[] = [];
  const message = read(body, words, 0);
  const named = words.map(Number).find((code) => code >= 400 && code < 600);
  return { status: status ?? named, words: words.join(' '), message, headers, body };
}

/** The innermost message. */
function read(value: unknown, words: string[], depth: number): string {
  if (typeof value === 'string') return isPage(value) ? pageTitle(value) : value;
  if (Array.isArray(value)) return read(value[0], words, depth);
  if (!isRecord(value) || depth > MAX_DEPTH) return '';
  for (const key of WORDS) {
    const word = value[key];
    if (typeof word === 'string' || typeof word === 'number') words.push(String(word).toLowerCase());
  }
  let message = '';
  for (const key of TEXTS) {
    const text = value[key];
    if (text === undefined || text === null) continue;
    message = typeof text === 'string' ? text : JSON.stringify(text);
    break;
  }
  for (const key of WITHIN) {
    const inner = value[key];
    if (inner !== undefined && inner !== null) message = read(inner, words, depth + 1) || message;
  }
  return joined(message, upstream(value, words, depth));
}

/** OpenRouter has what its provider said, as text, beside words of its own that say nothing. */
function upstream({ metadata }: Record<string, unknown>, words: string[], depth: number): string {
  const raw = isRecord(metadata) ? metadata.raw : undefined;
  return read(typeof raw === 'string' ? (parseJson(raw) ?? raw) : raw, words, depth + 1);
}

const joined = (message: string, more: string): string =>
  message === '' || more === '' || message === more ? message || more : `${message}: ${more}`;

const isPage = (text: string): boolean => /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(text);

/** What a proxy's or a firewall's page is about. */
function pageTitle(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1] || /<h1[^>]*>([^<]*)/i.exec(html)?.[1];
  const said = title?.replaceAll(/\s+/g, ' ').trim();
  return said ? `a web page, “${said}”` : 'a web page';
}
