import { ModelError, type ModelErrorCode } from '../../ports/errors.ts';
import { type ErrorSigns, readSigns } from './error-signs.ts';
import {
  BrokenStreamFailure,
  findWireFailure,
  HttpFailure,
  NetworkFailure,
  NotAnApiFailure,
  StreamedFailure,
} from './failures.ts';
import { redactKey } from './redact.ts';
import { retryDelayOf } from './retry-delay.ts';
import { unreachable } from './unreachable.ts';

/** What one provider says in its own way. */
export interface ErrorDialect {
  /** Overrides the common reading. */
  code?(signs: ErrorSigns): ModelErrorCode | undefined;
}

export interface ErrorContext {
  host: string;
  /** What the person calls the provider; absent where that is not known. */
  name?: string;
  apiKey: string | undefined;
  /** Absent where no model was asked: a listing. */
  modelId?: string;
}

const DETAILS_CHARS = 2000;

/** Every failure of a request as a ModelError: whatever an SDK threw, read in the provider's dialect. The key is in none. */
export function modelErrorFrom(thrown: unknown, context: ErrorContext, dialect: ErrorDialect): ModelError {
  if (thrown instanceof ModelError) return thrown;
  const failure = findWireFailure(thrown);
  if (failure instanceof NetworkFailure) return unreachable(failure.host, failure.source, context.apiKey);
  if (failure instanceof NotAnApiFailure) return notAnApi(failure);
  if (failure instanceof HttpFailure) {
    return fromSigns(
      readSigns(failure.body, failure.status, failure.headers),
      { ...context, host: failure.host },
      dialect,
    );
  }
  if (failure instanceof StreamedFailure) {
    return fromSigns(readSigns(failure.body), { ...context, host: failure.host }, dialect);
  }
  if (failure instanceof BrokenStreamFailure) return brokenStream(context.host, failure.source, context.apiKey);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (/timed? ?out/i.test(message)) return unreachable(context.host, new Error('TIMEOUT'), context.apiKey);
  if (thrown instanceof SyntaxError) return brokenStream(context.host, thrown, context.apiKey);
  return new ModelError('refused-request', 'The request could not be made.', {
    hint: 'Change the model or the tools and try again.',
    details: redactKey(message, context.apiKey),
  });
}

/** A response that ended before it was complete. */
export function brokenStream(host: string, source?: unknown, apiKey?: string): ModelError {
  return new ModelError('broken-stream', `The answer of ${host} broke off.`, {
    hint: 'Try again. What had arrived is kept.',
    details: source instanceof Error ? redactKey(source.message, apiKey) : undefined,
    retryable: true,
  });
}

/**
 * An answer that the server itself says it could not finish.
 * @param reason in the server's words
 */
export function unfinished(code: ModelErrorCode, host: string, reason: string): ModelError {
  return new ModelError(code, `The model at ${host} could not finish its answer.`, {
    hint: 'Try again. What had arrived is kept.',
    details: reason.slice(0, DETAILS_CHARS),
    retryable: true,
  });
}

function notAnApi(failure: NotAnApiFailure): ModelError {
  return new ModelError('not-supported', `What answers at ${failure.host} is no model API.`, {
    hint: 'Check the base URL. For most servers it ends in /v1.',
    details: `The response is: ${failure.contentType || 'of unknown type'}`,
  });
}

/** Said by many servers in many words when the history no longer fits. */
const TOO_LONG =
  /context[_ ](?:length|window|size|limit)|maximum (?:context|prompt) length|prompt is too long|input is too long|too many (?:input )?tokens|token count.*exceeds|exceeds? (?:the )?(?:maximum|max|limit).{0,40}tokens|context the overflows|reduce the length|request_too_large|range of input length|token length too long|exceeded model token limit|prompt exceeds max length|`?inputs`? tokens \+ `?max_new_tokens|input tokens exceed/i;
const NO_MONEY =
  /insufficient[_ ](?:quota|balance|credits?|funds)|credit balance|billing|exceeded your current quota|out of credits/i;
const BAD_KEY = /api[ _-]?key|authenti|unauthori[sz]ed|credential|token.{0,20}(?:invalid|expired)/i;

function commonCode({ status, words, message }: ErrorSigns): ModelErrorCode {
  const all = `${words} ${message}`;
  if (status !== 429 && TOO_LONG.test(all)) return 'context-too-long';
  if (status === 402 || NO_MONEY.test(all)) return 'quota';
  if (status === 401 || /authentication_error|invalid_api_key|unauthenticated/.test(words)) return 'key-refused';
  if (status === 403) return BAD_KEY.test(all) || /permission/.test(words) ? 'key-refused' : 'refused-request';
  if (status === 429 || /rate_?limit|too_many_requests|resource_exhausted|throttl/.test(words)) return 'rate-limited';
  if (status === 503 || status === 529 || /overloaded|unavailable/.test(words)) return 'overloaded';
  if (/model_not_found|not_found_error/.test(words)) return 'model-not-found';
  if (status === 404) return /model|engine|endpoints/i.test(message) ? 'model-not-found' : 'not-supported';
  if (status === 405 || status === 501) return 'not-supported';
  if (status === 413) return 'context-too-long';
  if (status === 407) return 'unreachable';
  if (status !== undefined && status < 500 && status !== 408) return 'refused-request';
  if (/invalid_request|invalid_argument|invalid_prompt|failed_precondition/.test(words)) return 'refused-request';
  return 'server-error';
}

const RETRYABLE: ReadonlySet<ModelErrorCode> = new Set(['rate-limited', 'overloaded', 'server-error']);

function fromSigns(signs: ErrorSigns, context: ErrorContext, dialect: ErrorDialect): ModelError {
  const code = dialect.code?.(signs) ?? commonCode(signs);
  const { message, hint } = words(code, context);
  const said = signs.message.trim();
  const details = [signs.status === undefined ? '' : `HTTP ${signs.status}`, said || bodyText(signs.body)];
  const retryable = RETRYABLE.has(code);
  // What a server says about a request is what helps most with it; about everything else our own words do.
  const shown = code === 'refused-request' && said ? `${message} ${firstSentence(said)}` : message;
  return new ModelError(code, redactKey(shown, context.apiKey), {
    hint,
    details: redactKey(details.filter(Boolean).join(': ').slice(0, DETAILS_CHARS), context.apiKey),
    retryable,
    retryAfterMs: retryable ? retryDelayOf(signs) : undefined,
  });
}

const firstSentence = (text: string): string => {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
};

const bodyText = (body: unknown): string => (typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));

function words(
  code: ModelErrorCode,
  { host, name = host, modelId, apiKey }: ErrorContext,
): { message: string; hint?: string } {
  switch (code === 'key-refused' && !apiKey ? 'key-missing' : code) {
    case 'key-missing':
      return { message: `${host} needs an API key.`, hint: 'Enter one in the settings.' };
    case 'key-refused':
      return {
        message: `${host} refused the API key.`,
        hint: 'Check the key in the settings, and what it may be used for.',
      };
    case 'quota':
      return {
        message: `The account at ${host} has no quota left.`,
        hint: 'Check its plan and billing, or choose another model.',
      };
    case 'rate-limited':
      return { message: `${host} takes no more requests for the moment.`, hint: 'Wait a little, then try again.' };
    case 'overloaded':
      return { message: `${host} is overloaded.`, hint: 'Wait a little, then try again.' };
    case 'context-too-long':
      return {
        message: 'The conversation is too long for this model.',
        hint: 'Start a new chat, switch tools off, or choose a model with a larger context.',
      };
    case 'model-not-found':
      return {
        message: modelId ? `${host} has no model “${modelId}” for this key.` : `${host} does not know the model.`,
        hint: 'Refresh the list of models in the settings and choose another.',
      };
    case 'not-supported':
      return { message: `${host} does not offer this.`, hint: 'Check the base URL. For most servers it ends in /v1.' };
    case 'unreachable':
      return { message: `The proxy did not let the request to ${host} through.`, hint: 'Check the proxy settings.' };
    case 'refused-request':
      return { message: `${host} refused the request.` };
    case 'broken-stream':
      return { message: `The answer of ${host} broke off.`, hint: 'Try again.' };
    case 'server-error':
      return { message: `${name} had an internal error.`, hint: 'Try again in a moment.' };
  }
}
