import type { ModelError } from '../../ports/errors.ts';
import type { Nicety } from '../recipe.ts';
import { isUsedUp } from '../wire/google-details.ts';
import { type ErrorContext, type ErrorDialect, modelErrorFrom } from '../wire/model-errors.ts';

const dialect: ErrorDialect = {
  code({ status, words, message, body }) {
    if (/context_length_exceeded|exceed_context_size/.test(words)) return 'context-too-long';
    if (/insufficient_quota/.test(words)) return 'quota';
    if (/unsupported_country|region/.test(words)) return 'refused-request';
    // Groq, of a call that its model wrote wrongly; the next time it may not.
    if (/tool_use_failed/.test(words)) return 'server-error';
    // So OpenAI and Groq call a request that is larger than a minute's allowance; waiting does not help with it.
    if (status === 413 || /request too large/i.test(message)) return 'context-too-long';
    // Google's compatible endpoint says of every limit that the quota is exceeded.
    if (/resource_exhausted/.test(words)) return isUsedUp(body) ? 'quota' : 'rate-limited';
    if (status === 400 && /incorrect api key|invalid api key/i.test(message)) return 'key-refused';
    return undefined;
  },
};

export const toModelError = (thrown: unknown, context: ErrorContext): ModelError =>
  modelErrorFrom(thrown, context, dialect);

const COMPLAINTS: [Nicety, RegExp][] = [
  ['signatures', /encrypted content.*(?:verified|decrypted|parsed)|without its required/i],
  ['usual-reasoning', /reasoning_content/i],
  ['long-descriptions', /description\b.*\b(?:too long|maximum length|max_length|at most \d+ char)/i],
  ['encrypted-reasoning', /encrypted[_ ]content|encrypted content/i],
  ['reasoning-summary', /reasoning\.summary|reasoning summar|'reasoning'|reasoning\.effort/i],
  ['images', /image|vision|multi-?modal/i],
];

/** Which nicety a refusal is about, among those that the recipe has. */
export function refusedNicety(error: ModelError, among: readonly Nicety[]): Nicety | undefined {
  if (!['refused-request', 'model-not-found', 'not-supported', 'server-error'].includes(error.code)) return undefined;
  const said = `${error.message} ${error.details ?? ''}`;
  return COMPLAINTS.find(([nicety, words]) => among.includes(nicety) && words.test(said))?.[0];
}
