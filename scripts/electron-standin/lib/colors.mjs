/**
 * @param {string} color `#RGB`, `#RRGGBB` or Electron's `#AARRGGBB`; anything else counts as white
 * @returns {{ r: number, g: number, b: number, a: number }} as the protocol takes it
 */
export function parseColor(color) {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(color)?.[1];
  if (!digits) return { r: 255, g: 255, b: 255, a: 1 };
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const [r, g, b] = [...full.slice(-6).matchAll(/../g)].map(([pair]) => Number.parseInt(pair, 16));
  return { r, g, b, a: full.length === 8 ? Number.parseInt(full.slice(0, 2), 16) / 255 : 1 };
}
