/** How far into a page its own word about its charset is looked for, as browsers do. */
const META_BYTES = 1024;

/**
 * Text of a body: by its byte order mark, the charset that the header names, or (HTML) that the page names; otherwise UTF-8.
 * What is not text in that charset is replaced by U+FFFD.
 */
export function decodeText(body: Uint8Array, headerCharset: string | undefined, isHtml: boolean): string {
  const charset =
    byteOrderMark(body) ?? known(headerCharset) ?? (isHtml ? known(metaCharset(body)) : undefined) ?? 'utf-8';
  return new TextDecoder(charset).decode(body);
}

function byteOrderMark([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb ? 'utf-8' : undefined;
}

function metaCharset(body: Uint8Array): string | undefined {
  const beginning = new TextDecoder('latin1').decode(body.subarray(0, META_BYTES));
  const named = /<meta[^>]+charset\s*=\s*["']?\s*([\w:-]+)/i.exec(beginning)?.[1];
  // A page whose own ASCII can be read is not in UTF-16, whatever it says.
  return named && /^utf-?16/i.test(named) ? 'utf-8' : named;
}

/** Servers make names up. */
function known(charset: string | undefined): string | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return undefined;
  }
}
