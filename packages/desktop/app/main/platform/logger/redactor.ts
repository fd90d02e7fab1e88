/** Takes secrets out of whatever is logged, exported or shown as the details of an error. */
export interface Redactor {
  /**
   * Makes a value known as secret from now on, in its usual encodings too. Values shorter than 4 characters are not taken:
   * they would blank out half of every text.
   */
  add(value: string): void;
  text(text: string): string;
  /**
   * A copy of any value that is safe to turn into JSON: redacted, without cycles, errors as plain objects, bytes as their
   * number, cut beyond 8 levels, 200 entries and 20,000 characters.
   */
  data(value: unknown): unknown;
}

export const REDACTED = '[redacted]';

const MIN_LENGTH = 4;
const MAX_DEPTH = 8;
const MAX_ENTRIES = 200;
const MAX_TEXT = 20_000;
/** Longer than a secret is: so much more is looked at than is kept, or half of one could stand at the end. */
const MARGIN = 8192;

/** What a name ends in when its value is a secret. */
const SECRET_NAME =
  '(?:api[-_ ]?keys?|(?:access|private|secret|signing|encryption)[-_ ]?keys?|token|secrets?|passw(?:or)?ds?|passphrases?|pwd|credentials?|authorization|cookies?|client[-_ ]?assertion)';
const SECRET_KEY = new RegExp(`${SECRET_NAME}$`, 'i');
const SECRET_FLAG = new RegExp(`^--?[\\w-]{0,60}?(?:${SECRET_NAME}|key|auth)$`, 'i');
/** What stands before a token in a header. */
const SCHEME = /^(?:bearer|basic|token|api-?key) +/i;
/** Objects of which every value may be a secret, whatever its name. */
const SECRET_BAG = /^(?:env|headers|environment)$/i;

/** Patterns with what they are replaced by. Every repetition that could be tried from many places is bounded. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, REDACTED],
  // Name and password in a URL.
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>]{1,2000}@/gi, `$1${REDACTED}@`],
  // Authorization: Basic …, "authorization":"Bearer …", cookie: a=b; c=d
  [
    /\b((?:proxy-)?authorization|(?:set-)?cookie)(\\?["']?\s{0,5}[:=]\s{0,5}\\?["']?)(?!\[redacted\])[^\r\n"'\\]+/gi,
    `$1$2${REDACTED}`,
  ],
  [/\b(bearer|basic)(\s{1,5})[\w.~+/=-]{6,}/gi, `$1$2${REDACTED}`],
  // --token value, --api-key=value, "--token","value"
  [
    new RegExp(
      `(?<![\\w-])(--?[\\w-]{0,60}?(?:${SECRET_NAME}|key|auth))(\\s{1,5}|=|"\\s{0,5},\\s{0,5}"|',\\s{0,5}')("[^"]*"|'[^']*'|[^\\s"',\\]]+)`,
      'gi',
    ),
    `$1$2${REDACTED}`,
  ],
  // Queries of URLs: ?key=value
  [/([?&;#](?:key|sig|signature|code|auth|x-amz-signature|x-goog-signature)=)[^&\s"'#<>]+/gi, `$1${REDACTED}`],
  // api_key=value, "apiKey": "value", password: value
  [
    new RegExp(
      `(${SECRET_NAME}\\\\?["']?\\s{0,5}[:=]\\s{0,5}\\\\?["']?)(?!\\[redacted\\])[^\\s"'\\\\&,;<>{}()\\[\\]]+`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  // Keys with a prefix of their own.
  [
    /(?<![A-Za-z0-9])(?:sk-[\w-]{8,}|[rsp]k_(?:live|test)_\w{8,}|AIza[\w-]{20,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{8,}|xapp-[\w-]{8,}|hf_\w{16,}|gsk_\w{16,}|xai-\w{16,}|npm_\w{16,}|(?:AKIA|ASIA)[0-9A-Z]{12,}|ya29\.[\w-]{8,})/g,
    REDACTED,
  ],
  // JSON Web Tokens.
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g, REDACTED],
];

export function createRedactor(): Redactor {
  const values = new Set<string>();
  let known: RegExp | undefined;

  function text(input: string): string {
    let output = input;
    if (known) output = output.replace(known, REDACTED);
    for (const [pattern, replacement] of PATTERNS) output = output.replace(pattern, replacement);
    return output;
  }

  return {
    add(value) {
      const before = values.size;
      for (const form of formsOf(value)) values.add(form);
      if (values.size === before) return;
      // The longest first, so that no rest of it stays.
      const longestFirst = [...values].sort((a, b) => b.length - a.length);
      known = new RegExp(longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'g');
    },
    text,
    data: (value) => redactData(value, text, new Set(), 0),
  };
}

function formsOf(value: string): string[] {
  const wellFormed = value.toWellFormed();
  const forms = [
    value,
    value.trim(),
    value.trim().replace(SCHEME, ''),
    ...value.split(/\r?\n/).filter((line) => line.length >= 12),
  ];
  const encoded = [
    encodeURIComponent(wellFormed),
    new URLSearchParams({ v: wellFormed }).toString().slice(2),
    JSON.stringify(value).slice(1, -1),
  ];
  const long =
    value.length >= 8
      ? [Buffer.from(value).toString('base64').replace(/=+$/, ''), Buffer.from(value).toString('base64url')]
      : [];
  return [...forms, ...encoded, ...long].filter((form) => form.length >= MIN_LENGTH);
}

function redactData(value: unknown, text: (input: string) => string, parents: Set<object>, depth: number): unknown {
  if (typeof value === 'string') return cutAndRedact(value, text);
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return '[function]';
  if (typeof value !== 'object' || value === null) return value;
  if (parents.has(value)) return '[circular]';
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof URL) return text(value.href);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;

  parents.add(value);
  const inner = (item: unknown) => redactData(item, text, parents, depth + 1);
  try {
    if (Array.isArray(value)) return redactArray(value, inner);
    if (value instanceof Set) return redactArray([...value], inner);
    if (value instanceof Map)
      return redactEntries(
        [...value].map(([key, item]) => [String(key), item]),
        inner,
        text,
      );
    return redactEntries(entriesOf(value), inner, text);
  } finally {
    parents.delete(value);
  }
}

function redactArray(items: unknown[], inner: (item: unknown) => unknown): unknown[] {
  const shown = items.slice(0, MAX_ENTRIES).map((item, index) => {
    const before = items[index - 1];
    const isSecret = typeof item === 'string' && typeof before === 'string' && SECRET_FLAG.test(before);
    return isSecret ? REDACTED : inner(item);
  });
  return items.length > MAX_ENTRIES ? [...shown, `[${items.length - MAX_ENTRIES} more]`] : shown;
}

function redactEntries(
  entries: [string, unknown][],
  inner: (item: unknown) => unknown,
  text: (input: string) => string,
): Record<string, unknown> {
  const shown = entries.slice(0, MAX_ENTRIES).map(([key, item]): [string, unknown] => {
    const name = text(key);
    if (SECRET_KEY.test(key) && hidesText(item)) return [name, REDACTED];
    if (SECRET_BAG.test(key) && typeof item === 'object' && item !== null) return [name, namesOnly(item)];
    return [name, inner(item)];
  });
  return Object.fromEntries(shown);
}

/** Numbers (`inputTokens`) and switches are no secrets. */
const hidesText = (item: unknown): boolean =>
  (typeof item === 'string' && item !== '') || (typeof item === 'object' && item !== null);

function namesOnly(bag: object): unknown {
  const names = Array.isArray(bag)
    ? bag.map((pair) => (Array.isArray(pair) ? String(pair[0]) : REDACTED))
    : Object.keys(bag);
  return Object.fromEntries(names.slice(0, MAX_ENTRIES).map((name) => [name, REDACTED]));
}

function entriesOf(value: object): [string, unknown][] {
  if (!(value instanceof Error)) return Object.entries(value);
  const { name, message, stack, cause } = value;
  const own = Object.entries(value).filter(([key]) => !['name', 'message', 'stack', 'cause'].includes(key));
  return [
    ['name', name],
    ['message', message],
    ...own,
    ['stack', stack],
    ...(cause === undefined ? [] : [['cause', cause] as [string, unknown]]),
  ];
}

function cutAndRedact(value: string, text: (input: string) => string): string {
  const seen = MAX_TEXT + MARGIN;
  const redacted = text(value.slice(0, seen));
  if (value.length <= MAX_TEXT) return redacted;
  const kept = value.length <= seen ? redacted : redacted.slice(0, -MARGIN);
  return `${kept.slice(0, MAX_TEXT)} [${value.length - MAX_TEXT} more characters]`;
}
