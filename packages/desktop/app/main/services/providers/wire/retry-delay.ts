import type { ErrorSigns } from './error-signs.ts';
import { googleDetails } from './google-details.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DURATION = String.raw`(?:[\d.]+\s*(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\s*)+`;
const SAID = new RegExp(`(?:try again|retry) (?:in|after) (${DURATION})(?![a-z])`, 'i');
const WHOLE = new RegExp(`^${DURATION}$`, 'i');

/** How long to wait before the next request, by the response's headers or its body; in milliseconds. */
export const retryDelayOf = (signs: ErrorSigns): number | undefined =>
  headerDelay(signs.headers) ?? retryInfo(signs.body) ?? durationOf(SAID.exec(signs.message)?.[1]);

/** `retry-after-ms`, or `retry-after` in seconds, as a duration or as a date; in milliseconds. */
export function headerDelay(headers: Headers | undefined): number | undefined {
  const ms = secondsOf(headers?.get('retry-after-ms'));
  if (ms !== undefined) return ms;
  const after = headers?.get('retry-after');
  if (!after) return undefined;
  const seconds = secondsOf(after);
  if (seconds !== undefined) return seconds * 1000;
  if (WHOLE.test(after.trim())) return durationOf(after);
  // Both by the server's clock, so that ours need not be right.
  const now = Date.parse(headers?.get('date') ?? '') || Date.now();
  // Date.parse takes almost anything for a date; one of HTTP names its month.
  const at = /[a-z]{3}|^\d{4}-\d\d-\d\dT/i.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** A number; the first one of a header that was sent twice. */
function secondsOf(text: string | null | undefined): number | undefined {
  const first = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*(?:,|$)/.exec(text ?? '')?.[1];
  return first === undefined ? undefined : Number(first);
}

/** `1m26.4s`, `20ms`, `26 seconds`. */
function durationOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  let sum = 0;
  for (const [, count, unit = ''] of text.matchAll(/([\d.]+)\s*([a-z]+)/gi)) {
    const name = /^(?:ms|milli)/i.test(unit) ? 'ms' : unit.charAt(0).toLowerCase();
    sum += Number(count) * (UNITS[name] ?? Number.NaN);
  }
  return Number.isFinite(sum) ? Math.ceil(sum) : undefined;
}

/** Google's word for it, which its OpenAI-compatible endpoint has as well. */
function retryInfo(body: unknown): number | undefined {
  const delay = googleDetails(body).find((detail) => String(detail['@type']).endsWith('RetryInfo'))?.retryDelay;
  return typeof delay === 'string' && WHOLE.test(delay) ? durationOf(delay) : undefined;
}
