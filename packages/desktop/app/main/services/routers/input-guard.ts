export type GuardVerdict = { ok: true } | { ok: false; code: 'too-large' | 'invalid-input'; reason: string };

const MAX_DEPTH = 64;

/**
 * Looks at an input before any schema does: its size, counted as the bytes of its JSON and given up as soon as the limit is
 * passed, and what no schema of ours ever takes: keys that reach a prototype, cycles, and objects that are not plain data.
 */
export function guardInput(input: unknown, maxBytes: number): GuardVerdict {
  let left = maxBytes;

  const visit = (value: unknown, depth: number): GuardVerdict | undefined => {
    if (depth > MAX_DEPTH) return invalid('It is nested too deeply.');
    left -= ownBytes(value, left);
    if (left < 0) return tooLarge(maxBytes);
    if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function')
      return invalid(NOT_PLAIN);
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) return first(value, (item) => visit(item, depth + 1));
    if (!isPlain(value)) return invalid(NOT_PLAIN);
    return first(Object.entries(value), ([key, item]) => {
      if (key === '__proto__') return invalid('The key "__proto__" is not allowed.');
      left -= textBytes(key, left) + 2;
      return visit(item, depth + 1);
    });
  };
  return visit(input, 0) ?? { ok: true };
}

const NOT_PLAIN = 'It holds something other than plain data.';
const invalid = (reason: string): GuardVerdict => ({ ok: false, code: 'invalid-input', reason });
const tooLarge = (maxBytes: number): GuardVerdict => ({
  ok: false,
  code: 'too-large',
  reason: `It is larger than ${Math.round(maxBytes / 1024)} KiB.`,
});

/** Bytes in JSON without what it contains; of a text that has more than are left, maybe fewer. */
function ownBytes(value: unknown, left: number): number {
  if (typeof value === 'string') return textBytes(value, left);
  if (Array.isArray(value)) return value.length + 2;
  return typeof value === 'object' && value !== null ? 2 : String(value).length;
}

/** An escaped character takes up to six bytes; a text that is too long without any isn't written out to find that. */
function textBytes(text: string, left: number): number {
  const plain = Buffer.byteLength(text) + 2;
  return plain > left ? plain : Buffer.byteLength(JSON.stringify(text));
}

function first<T>(items: T[], verdictOf: (item: T) => GuardVerdict | undefined): GuardVerdict | undefined {
  for (const item of items) {
    const verdict = verdictOf(item);
    if (verdict) return verdict;
  }
  return undefined;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
