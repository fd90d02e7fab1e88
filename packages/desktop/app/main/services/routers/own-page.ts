import type { SenderFrame } from './dispatcher.ts';

/** A check whether a frame shows the app's own page: the same scheme, host and port as `pageUrl`. */
export function showsPageOf(pageUrl: string): (frame: SenderFrame) => boolean {
  const own = placeOf(pageUrl);
  if (own === undefined) throw new TypeError(`${pageUrl} is the address of no page.`);
  return ({ url }) => placeOf(url) === own;
}

/** `origin` of a URL is of no use here: it is `null` for a scheme of our own, as for much that is foreign. */
function placeOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed?.host ? `${parsed.protocol}//${parsed.host}` : undefined;
}
