import { isRecord } from './json.ts';

/** The `details` of an error of Google's, in its own format or in that of OpenAI. */
export function googleDetails(body: unknown): Record<string, unknown>[] {
  const outer = Array.isArray(body) ? body[0] : body;
  const error = isRecord(outer) && isRecord(outer.error) ? outer.error : {};
  return Array.isArray(error.details) ? error.details.filter(isRecord) : [];
}

/** A quota per day does not come back by waiting a minute. */
export const isUsedUp = (body: unknown): boolean =>
  googleDetails(body).some(
    ({ violations }) =>
      Array.isArray(violations) && violations.some((one) => isRecord(one) && /PerDay/.test(String(one.quotaId))),
  );
