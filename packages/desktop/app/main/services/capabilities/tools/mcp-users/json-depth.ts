/**
 * Deeper values are of no use to anyone, and too deep for what they have to go through: turning them into JSON, copying them to
 * another process. Parsing has no such limit.
 */
export const MAX_JSON_DEPTH = 200;

/** Whether a JSON value is nested deeper than `limit` levels. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit === 0 || Object.values(value).some((inner) => isDeeperThan(inner, limit - 1));
}

/** The value itself, or a copy without what is nested too deep. */
export function withoutDepths(value: unknown): unknown {
  return isDeeperThan(value, MAX_JSON_DEPTH) ? cut(value, MAX_JSON_DEPTH) : value;
}

function cut(value: unknown, limit: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (limit === 0) return `(nested deeper than ${MAX_JSON_DEPTH} levels)`;
  if (Array.isArray(value)) return value.map((inner) => cut(inner, limit - 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner, limit - 1)]));
}
