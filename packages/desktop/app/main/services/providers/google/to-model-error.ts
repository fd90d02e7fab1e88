import type { ModelError } from '../../ports/errors.ts';
import type { Nicety } from '../recipe.ts';
import { googleDetails, isUsedUp } from '../wire/google-details.ts';
import { type ErrorContext, type ErrorDialect, modelErrorFrom } from '../wire/model-errors.ts';

const dialect: ErrorDialect = {
  code(signs) {
    const details = googleDetails(signs.body);
    // A wrong key is an invalid argument here.
    if (/api key (?:not valid|expired|not found)/i.test(signs.message)) return 'key-refused';
    if (details.some(({ reason }) => /^API_KEY/.test(String(reason)))) return 'key-refused';
    if (signs.status === 404 && /model/i.test(signs.message)) return 'model-not-found';
    if (/resource_exhausted/.test(signs.words) || signs.status === 429) {
      return isUsedUp(signs.body) ? 'quota' : 'rate-limited';
    }
    return undefined;
  },
};

export const toModelError = (thrown: unknown, context: ErrorContext): ModelError =>
  modelErrorFrom(thrown, context, dialect);

/** Which nicety a refusal is about. */
export function refusedNicety(error: ModelError): Nicety | undefined {
  if (error.code !== 'refused-request') return undefined;
  const said = error.details ?? '';
  // The second is all that Gemini says of some tools whose limits add up to too much.
  if (/too many states|^HTTP 400: Request contains an invalid argument\.?$/i.test(said)) return 'schema-limits';
  if (/thought[_ ]?signature/i.test(said)) return 'signatures';
  if (/thinking|include_?thoughts/i.test(said)) return 'thinking';
  return /image|inline_?data|multimodal|mime ?type/i.test(said) ? 'images' : undefined;
}
