const ALLOWED_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/**
 * A link as it may be handed to the system, in its normal form: nothing in it but one address, whatever surrounded it. Undefined
 * unless it is http, https or mailto.
 */
export function allowedExternal(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed !== null && ALLOWED_PROTOCOLS.has(parsed.protocol) ? parsed.href : undefined;
}
