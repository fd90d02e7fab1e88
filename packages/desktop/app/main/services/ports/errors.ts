import type { ErrorInfo } from '@shared/contracts/contract.ts';

/**
 * An error that a person will read. `code` comes from the closed list of the domain that throws it; anything else that is
 * thrown reaches the renderer as `internal`.
 */
export class AppError extends Error {
  readonly code: string;
  /** What to do about it, in a sentence. */
  readonly hint?: string;
  /** For those who want more: exit code, last lines of stderr, HTTP status and body. Redacted by whoever fills it. */
  readonly details?: string;

  constructor(code: string, message: string, more: { hint?: string; details?: string; cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = more.hint;
    this.details = more.details;
  }

  toInfo(): ErrorInfo {
    return { code: this.code, message: this.message, hint: this.hint, details: this.details };
  }
}

/** What can go wrong with a model request. */
export type ModelErrorCode =
  | 'key-missing'
  | 'key-refused'
  | 'quota'
  | 'rate-limited'
  | 'overloaded'
  | 'context-too-long'
  | 'model-not-found'
  | 'refused-request'
  | 'unreachable'
  /** What answers is no model API, or has no list of models. */
  | 'not-supported'
  | 'broken-stream'
  | 'server-error';

/** A failed model request. `retryable` ones are tried again after `retryAfterMs`, or a growing delay where it is unknown. */
export class ModelError extends AppError {
  declare readonly code: ModelErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;

  constructor(
    code: ModelErrorCode,
    message: string,
    more: { hint?: string; details?: string; cause?: unknown; retryable?: boolean; retryAfterMs?: number } = {},
  ) {
    super(code, message, more);
    this.retryable = more.retryable ?? false;
    this.retryAfterMs = more.retryAfterMs;
  }
}

/** For whatever was thrown: an AppError as it is, anything else as `internal` with its message as details. */
export function toErrorInfo(thrown: unknown): ErrorInfo {
  if (thrown instanceof AppError) return thrown.toInfo();
  return {
    code: 'internal',
    message: 'Something went wrong inside the app.',
    hint: 'Try again. If it keeps happening, the log says more.',
    details: thrown instanceof Error ? thrown.message : String(thrown),
  };
}
