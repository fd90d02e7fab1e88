const OPENABLE = new Set(['http:', 'https:', 'mailto:']);

/** The address as the system's browser or mail program may get it; null for anything that is no http, https or mailto. */
export function openableUrl(href: string | undefined): string | null {
  if (!href) return null;
  const url = URL.parse(href);
  return url && OPENABLE.has(url.protocol) ? url.href : null;
}

/** The address of a picture that may be loaded after a click, or at once for data: of a kind that holds no script. */
export function pictureUrl(src: string | undefined): { url: string; remote: boolean } | null {
  if (!src) return null;
  const url = URL.parse(src);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return { url: url.href, remote: true };
  return /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[A-Za-z0-9+/=]+$/.test(src)
    ? { url: src, remote: false }
    : null;
}
