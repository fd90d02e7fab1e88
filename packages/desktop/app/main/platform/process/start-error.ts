export type StartErrorCode = 'folder-missing' | 'command-missing' | 'not-executable' | 'failed';

/** A process could not be started. The message names what is missing; `details` may add where it was looked for. */
export class StartError extends Error {
  readonly code: StartErrorCode;
  readonly details?: string;

  constructor(code: StartErrorCode, message: string, more: { details?: string; cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.name = 'StartError';
    this.code = code;
    this.details = more.details;
  }
}
