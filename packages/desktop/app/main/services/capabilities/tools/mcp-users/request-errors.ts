import { AppError } from '../../../ports/errors.ts';
import { callAnswerOf } from './call-errors.ts';
import { httpStatus, isNotSupported, isRefused, sentInstead } from './connection-errors.ts';
import { RequestTimeout } from './transports/errors.ts';

/** A server's own words are shown as far as anyone reads them. */
const MAX_WORDS = 2000;

/**
 * Why a request other than a call had no result: AppError `cancelled`, `not-supported`, `refused`, `call-timeout`,
 * `call-lost` or `connect-failed`.
 */
export function explainRequestFailure(
  error: unknown,
  request: {
    serverName: string;
    /** What was asked for, as a person would name it. */
    what: string;
    signal: AbortSignal;
    /** How the server's process ended, if it did. */
    end: { reason: string; details: string | undefined } | undefined;
    redact: (text: string) => string;
  },
): AppError {
  const { serverName, what, redact } = request;
  const words = (text: string) => redact(text).slice(0, MAX_WORDS);
  if (request.signal.aborted) return new AppError('cancelled', 'It was cancelled.');
  if (error instanceof AppError) return error;
  if (isNotSupported(error)) return new AppError('not-supported', `The server “${serverName}” does not offer this.`);
  const answer = callAnswerOf(error)?.content[0];
  if (answer?.type === 'text') {
    return new AppError('refused', `The server “${serverName}” refused ${what}.`, { hint: words(answer.text) });
  }
  if (error instanceof RequestTimeout) {
    const message = `“${serverName}” did not answer within ${Math.round(error.limitMs / 1000)} s: ${what}.`;
    return new AppError('call-timeout', message, { hint: 'Try again, or connect the server again in the settings.' });
  }
  if (request.end) {
    const details = request.end.details && words(request.end.details);
    const message = `The server “${serverName}” stopped before it answered. ${request.end.reason}`;
    return new AppError('call-lost', message, { hint: 'Its log may say why. It is being started again.', details });
  }
  const sent = sentInstead(error);
  if (sent) {
    const message = `The server “${serverName}” sent ${sent.what} instead of an answer: ${what}.`;
    const details = sent.head ? words(sent.head) : undefined;
    return new AppError('call-lost', message, { hint: sent.hint, details, cause: error });
  }
  const details = words(error instanceof Error ? error.message : String(error));
  const status = httpStatus(error);
  if (isRefused(error)) {
    const message = `The server “${serverName}” refused access (HTTP ${status}).`;
    const hint = 'Sign in to it in the settings where it offers that, or check its key or token in the headers.';
    return new AppError('connect-failed', message, { hint, details });
  }
  const message =
    status === undefined
      ? `The connection to “${serverName}” was lost before it answered.`
      : `The server “${serverName}” answered with HTTP ${status} instead of a result.`;
  return new AppError('call-lost', message, { hint: 'Try again.', details, cause: error });
}
