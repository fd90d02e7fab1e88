/** What stands in the place of a secret. */
const HIDDEN = '•••';
/** Shorter values (`1`, `true`, `prod`) are no secrets, and hiding them would make a log unreadable. */
const SHORTEST_SECRET = 6;

/** Hides the given values, bearer tokens, and passwords and keys in URLs. */
export function redactor(secrets: Iterable<string>): (text: string) => string {
  const known = [...new Set([...secrets].flatMap((secret) => [secret, secret.replace(/^\w+ /, '')]))]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // The longest first: one secret may contain another.
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let redacted = text;
    for (const secret of known) redacted = redacted.replaceAll(secret, HIDDEN);
    return redacted
      .replace(/\b(bearer|basic)\s+[\w+/=.~-]{8,}/gi, `$1 ${HIDDEN}`)
      .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+:[^\s/@]+@/gi, `$1${HIDDEN}@`)
      .replace(/([?&](?:[\w-]*(?:key|token|secret|password|sig|signature))=)[^&\s"']+/gi, `$1${HIDDEN}`);
  };
}
