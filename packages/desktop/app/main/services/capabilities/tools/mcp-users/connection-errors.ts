import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { AppError } from '../../../ports/errors.ts';
import { NotThisRevision, StartFailure } from './start-failure.ts';
import { AnswerCutOff, ConnectionLost, Flooded, NoAnswer, RequestTimeout, RpcError } from './transports/errors.ts';

/** The HTTP status that an error carries, from whichever transport; undefined for other errors. */
export function httpStatus(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  if (error instanceof UnauthorizedError) return 401;
  if (error instanceof SseError) return error.code;
  // The SSE transport tells the status of a refused POST only in its text.
  const inText = error instanceof Error ? /\(HTTP (\d{3})\)/.exec(error.message)?.[1] : undefined;
  return inText === undefined ? undefined : Number(inText);
}

/** The server wants to know who we are, or won't have us. */
export const isRefused = (error: unknown): boolean => [401, 403].includes(httpStatus(error) ?? 0);

/** The server has a problem of its own, or too much to do: another time it may be different. */
export function isBusy(error: unknown): boolean {
  const status = httpStatus(error) ?? 0;
  return status >= 500 || status === 408 || status === 429;
}

export const isSseFailure = (error: unknown): boolean => error instanceof SseError;

/** Answers to the first POST that mean a server from before streamable HTTP. Everything else is an error to be shown. */
export function meansOldServer(error: unknown): boolean {
  const status = httpStatus(error);
  return status !== undefined && [400, 404, 405, 406, 410, 415].includes(status);
}

const METHOD_NOT_FOUND = -32601;

/** The JSON-RPC error that a server answered with; some servers send it with HTTP 400, 404 or 500. Undefined for other errors. */
export function rpcErrorOf(error: unknown): { code?: unknown; message: string } | undefined {
  if (error instanceof RpcError || error instanceof ProtocolError) return error;
  const body = bodyOf(error);
  if (body === undefined || isRefused(error)) return undefined;
  try {
    const answer = JSON.parse(body);
    return answer?.jsonrpc === '2.0' && typeof answer.error?.message === 'string' ? answer.error : undefined;
  } catch {
    return undefined;
  }
}

/** The server doesn't know such a request: it doesn't offer that. */
export const isNotSupported = (error: unknown): boolean => rpcErrorOf(error)?.code === METHOD_NOT_FOUND;

/** A session that the server has forgotten: 404, or a 400 that says so. The request was refused, not run. */
export function meansLostSession(error: unknown): boolean {
  if (!(error instanceof SdkHttpError) || isNotSupported(error)) return false;
  if (error.status === 404) return true;
  const { text } = error.data as { text?: unknown };
  return error.status === 400 && typeof text === 'string' && /session/i.test(text);
}

/** No answer at all: refused, unknown host, cut off. */
export function isNetworkFailure(error: unknown): boolean {
  if (error instanceof SseError) return error.code === undefined;
  if (!(error instanceof Error) || error instanceof SdkError || error instanceof AppError) return false;
  // What fetch throws: a TypeError of Node's, an error that names Chromium's code of Electron's.
  return error instanceof TypeError || error.message.includes('net::ERR_') || error instanceof ConnectionLost;
}

/**
 * What a server sent where an answer to a request should have been, the beginning of its text, and what to do about it. Undefined
 * for other errors.
 */
export function sentInstead(error: unknown): { what: string; head: string; hint: string } | undefined {
  if (error instanceof AnswerCutOff) return { what: error.what, head: '', hint: 'Try again.' };
  if (!(error instanceof NoAnswer)) return undefined;
  const hint = 'Check its address: another server, or a page to sign in at, may stand there.';
  return { what: error.what, head: error.head, hint };
}

/** What to do after a failed attempt. */
export interface ConnectFailure {
  error: AppError;
  /** `final`: trying again can't help until something is changed. */
  next: 'retry' | 'final' | 'sign-in';
}

/** Says what a failed start or handshake means for the person, and whether another try makes sense. */
export function explainConnectFailure(
  error: unknown,
  serverName: string,
  redact: (text: string) => string,
): ConnectFailure {
  if (error instanceof AppError) return { error, next: 'final' };
  const failed = (message: string, hint: string, details?: string) =>
    new AppError('connect-failed', redact(message), { hint, details: details && redact(details), cause: error });

  if (error instanceof StartFailure) {
    const slow = error.cause instanceof RequestTimeout;
    const message = slow
      ? `The server “${serverName}” did not answer in time.`
      : `The server “${serverName}” ended before it was ready. ${error.reason}`;
    const details = [error.reason, error.stderr].filter(Boolean).join('\n');
    return { error: failed(message, 'Check its command, its arguments and its log.', details), next: 'retry' };
  }
  if (error instanceof NotThisRevision) {
    const message = `The server “${serverName}” does not speak revision ${error.revision} of the protocol.`;
    const hint = 'Choose “Automatic” for the protocol in its settings.';
    return { error: failed(message, hint, error.answer), next: 'final' };
  }
  if (isStartError(error)) {
    return {
      error: failed(error.message, START_HINTS[error.code] ?? 'Check the command.', error.details),
      next: 'final',
    };
  }
  const status = httpStatus(error);
  if (status === 401 || status === 403) {
    const message = `The server “${serverName}” refused access (HTTP ${status}).`;
    const hint = 'Sign in, or check its key or token in the headers.';
    return { error: failed(message, hint, bodyOf(error)), next: 'sign-in' };
  }
  if (error instanceof InsufficientScopeError) {
    const message = `The server “${serverName}” wants more rights than it was given.`;
    return { error: failed(message, 'Sign in again and agree to them.', error.requiredScope), next: 'sign-in' };
  }
  if (status !== undefined) {
    const busy = isBusy(error);
    const hint = busy ? 'The server has a problem of its own. Try again later.' : 'Check its address.';
    return {
      error: failed(`The server “${serverName}” answered with HTTP ${status}.`, hint, bodyOf(error) ?? chain(error)),
      next: busy ? 'retry' : 'final',
    };
  }
  if (error instanceof RequestTimeout || (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)) {
    return {
      error: failed(`The server “${serverName}” did not answer in time.`, 'Check that it is running.'),
      next: 'retry',
    };
  }
  const sent = sentInstead(error);
  if (sent) {
    const message = `The server “${serverName}” sent ${sent.what} instead of an answer.`;
    return { error: failed(message, sent.hint, sent.head || undefined), next: 'retry' };
  }
  if (error instanceof Flooded) {
    const message = `The server “${serverName}” sends more than it reads, and was disconnected.`;
    return { error: failed(message, 'Its log may say more.', error.message), next: 'retry' };
  }
  if (isNetworkFailure(error)) {
    return {
      error: failed(
        `The server “${serverName}” could not be reached.`,
        'Check its address and the network.',
        chain(error),
      ),
      next: 'retry',
    };
  }
  return {
    error: failed(`The connection to the server “${serverName}” failed.`, 'Its log may say more.', chain(error)),
    next: 'retry',
  };
}

/** Says what it means that a connection that stood is gone. @param end how the server's process ended, if it did */
export function explainLoss(
  error: unknown,
  end: { reason: string; details: string | undefined } | undefined,
  serverName: string,
  redact: (text: string) => string,
): AppError {
  if (!end) {
    const { message, hint, details } = explainConnectFailure(error, serverName, redact).error;
    return new AppError('connect-failed', message, { hint, details });
  }
  const details = end.details && redact(end.details);
  const hint = 'Its log may say why.';
  return new AppError('connect-failed', `The server “${serverName}” stopped. ${end.reason}`, { hint, details });
}

const START_HINTS: Record<string, string> = {
  'command-missing': 'Install the program, or give its full path.',
  'folder-missing': 'Choose a folder that exists.',
  'not-executable': 'Make the file executable, or choose another one.',
};

const isStartError = (error: unknown): error is Error & { code: string; details?: string } =>
  error instanceof Error && error.name === 'StartError';

/** Whether the folder in which a program was to be started is none. */
export const isFolderMissing = (error: unknown): boolean => isStartError(error) && error.code === 'folder-missing';

/** The text that came with a refusal. */
export const bodyOf = (error: unknown): string | undefined => {
  const text = error instanceof SdkHttpError ? (error.data as { text?: unknown } | undefined)?.text : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

/** The messages of an error and its causes: fetch says what was wrong only in the cause. */
function chain(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error && messages.length < 5; at = at.cause) {
    const code = (at as { code?: unknown }).code;
    messages.push(at.message || (typeof code === 'string' ? code : at.name));
  }
  return messages.join(': ') || String(error);
}
