const ALLOWED_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** Whether a link may be handed to the system: http, https and mailto only. */
export function isAllowedExternal(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && ALLOWED_PROTOCOLS.has(parsed.protocol);
}
