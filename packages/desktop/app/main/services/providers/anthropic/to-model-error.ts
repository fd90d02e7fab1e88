import type { ModelError } from '../../ports/errors.ts';
import type { Nicety } from '../recipe.ts';
import { type ErrorContext, type ErrorDialect, modelErrorFrom } from '../wire/model-errors.ts';

const dialect: ErrorDialect = {
  code({ words, message }) {
    // Sent as an invalid request.
    if (/credit balance/i.test(message)) return 'quota';
    if (/billing_error/.test(words)) return 'quota';
    if (/permission_error/.test(words)) return 'key-refused';
    return undefined;
  },
};

export const toModelError = (thrown: unknown, context: ErrorContext): ModelError =>
  modelErrorFrom(thrown, context, dialect);

/** Which nicety a refusal is about. */
export function refusedNicety(error: ModelError): Nicety | undefined {
  if (error.code !== 'refused-request') return undefined;
  const said = error.details ?? '';
  if (/signature|thinking.* cannot be modified/i.test(said)) return 'signatures';
  if (
    /adaptive|thinking\.(?:type|display)|thinking is not supported|does not support thinking|\bthinking: /i.test(said)
  )
    return 'thinking';
  return /image|vision/i.test(said) ? 'images' : undefined;
}
