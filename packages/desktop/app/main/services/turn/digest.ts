import { createHash } from 'node:crypto';

/** SHA-256 (hex) of a JSON value; the order of keys makes no difference. */
export const digest = (value: unknown): string => createHash('sha256').update(stableJson(value)).digest('hex');

/** JSON text with the keys of every object in order. */
function stableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
    ) ?? 'null'
  );
}

/** An object that is no array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
