const KINDS = {
  image: /^image\/(?:png|jpeg|jpg|gif|webp|avif|bmp|svg\+xml)$/i,
  audio: /^audio\/[\w.+-]+$/i,
};

/**
 * A data: address for a picture or a sound of a tool. Null for kinds that aren't shown and for what is no base64: nothing of
 * the tool's reaches the address unchecked. SVG is safe in <img>, where it runs no script and loads nothing.
 */
export function mediaUrl(
  kind: keyof typeof KINDS,
  { data, mimeType }: { data: string; mimeType: string },
): string | null {
  const packed = data.replace(/\s+/g, '');
  if (!KINDS[kind].test(mimeType) || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(packed)) return null;
  return `data:${mimeType.toLowerCase()};base64,${packed.replaceAll('-', '+').replaceAll('_', '/')}`;
}

/** How many bytes a base64 text stands for, nearly. */
export const base64Bytes = (data: string): number => Math.floor((data.length * 3) / 4);
