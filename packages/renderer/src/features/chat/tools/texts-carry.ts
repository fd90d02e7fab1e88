/**
 * Whether the texts of a result say all that its structured content says: one of them, or all together, is the same JSON
 * however spaced and ordered, or the only value that an object wraps. Models are spared the repetition by the same rule.
 */
export function textsCarry(texts: readonly string[], structured: unknown): boolean {
  const wrapped = onlyValue(structured);
  const wanted = [structured, wrapped].filter((value) => value !== undefined).map(canonical);
  const candidates = texts.length > 1 ? [...texts, texts.join('\n')] : texts;
  return candidates.some((text) => {
    const trimmed = text.trim();
    if (trimmed === '') return false;
    if (typeof wrapped === 'string' && wrapped.trim() === trimmed) return true;
    try {
      return wanted.includes(canonical(JSON.parse(trimmed)));
    } catch {
      return false;
    }
  });
}

function onlyValue(structured: unknown): unknown {
  if (typeof structured !== 'object' || structured === null || Array.isArray(structured)) return undefined;
  const values = Object.values(structured);
  return values.length === 1 ? values[0] : undefined;
}

/** The same text for equal values, whatever the order of their keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
