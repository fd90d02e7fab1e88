import { InsufficientScopeError } from '@modelcontextprotocol/client';
import type { MCPCallToolResponse } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../ports/errors.ts';
import { httpStatus, isRefused, rpcErrorOf, sentInstead } from './connection-errors.ts';
import { RequestTimeout } from './transports/errors.ts';

/** An error that the server itself answered with is an answer: the model gets to read it. */
export function callAnswerOf(error: unknown): MCPCallToolResponse | undefined {
  const refusal = rpcErrorOf(error);
  if (!refusal) return undefined;
  const text = typeof refusal.code === 'number' ? `${refusal.message} (error ${refusal.code})` : refusal.message;
  return { isError: true, content: [{ type: 'text', text }] };
}

/** Why there is no result: AppError `cancelled`, `call-timeout`, `call-lost` or `connect-failed`. */
export function explainCallFailure(
  error: unknown,
  call: {
    serverName: string;
    toolName: string;
    signal: AbortSignal;
    /** How the server's process ended, if it did. */
    end: { reason: string; details: string | undefined } | undefined;
    /** Somebody switched it off. */
    isOff: boolean;
    redact: (text: string) => string;
  },
): AppError {
  const { serverName, toolName, redact } = call;
  if (call.signal.aborted) return new AppError('cancelled', 'The call was cancelled.');
  if (error instanceof AppError) return error;
  if (error instanceof RequestTimeout) {
    const seconds = Math.round(error.limitMs / 100) / 10;
    const message =
      error.kind === 'idle'
        ? `The tool “${toolName}” of “${serverName}” gave no sign of life for ${seconds} s.`
        : `The tool “${toolName}” of “${serverName}” took longer than ${seconds} s.`;
    return new AppError('call-timeout', message, { hint: 'The limits can be raised in the settings of the server.' });
  }
  if (call.isOff) return new AppError('call-lost', `“${serverName}” was switched off before “${toolName}” was done.`);
  if (call.end) {
    const message = `The server “${serverName}” stopped before “${toolName}” was done. ${call.end.reason}`;
    const details = call.end.details && redact(call.end.details);
    return new AppError('call-lost', message, { hint: 'Its log may say why. It is being started again.', details });
  }
  const sent = sentInstead(error);
  if (sent) {
    const message = `The server “${serverName}” sent ${sent.what} instead of a result of “${toolName}”.`;
    const details = sent.head ? redact(sent.head) : undefined;
    return new AppError('call-lost', message, { hint: sent.hint, details, cause: error });
  }
  const details = error instanceof Error ? redact(error.message) : String(error);
  const status = httpStatus(error);
  if (isRefused(error)) {
    const message = `The server “${serverName}” refused access (HTTP ${status}).`;
    return new AppError('connect-failed', message, {
      hint: 'Sign in again, or check its key or token in the headers.',
      details,
      cause: error,
    });
  }
  if (error instanceof InsufficientScopeError) {
    const message = `The server “${serverName}” wants more rights for “${toolName}” than it was given.`;
    return new AppError('connect-failed', message, {
      hint: 'Sign in again and agree to them.',
      details: error.requiredScope,
      cause: error,
    });
  }
  const message =
    status === undefined
      ? `The connection to “${serverName}” was lost before “${toolName}” was done.`
      : `The server “${serverName}” answered with HTTP ${status} instead of a result.`;
  return new AppError('call-lost', message, { hint: 'Try again.', details, cause: error });
}
