const ALLOWED_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** What a letter may begin with. Some mail programs know more, and attach a file that the link names. */
const LETTER_FIELDS = new Set(['to', 'cc', 'bcc', 'subject', 'body', 'in-reply-to']);

/**
 * A link as it may be handed to the system, in its normal form: nothing in it but one address, whatever surrounded it. Undefined
 * unless it is http, https or mailto; of the last, what attaches something is left out.
 */
export function allowedExternal(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !ALLOWED_PROTOCOLS.has(parsed.protocol)) return undefined;
  if (parsed.protocol === 'mailto:') parsed.search = allowedFields(parsed.search);
  return parsed.href;
}

/** The fields as they are written: a mail program takes a plus sign for itself. */
const allowedFields = (query: string): string =>
  query
    .slice(1)
    .split('&')
    .filter((field) => LETTER_FIELDS.has(field.split('=', 1)[0]?.toLowerCase() ?? ''))
    .join('&');
