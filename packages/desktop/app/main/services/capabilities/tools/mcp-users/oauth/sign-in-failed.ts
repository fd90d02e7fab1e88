import { AppError } from '../../../../ports/errors.ts';

export const signInFailed = (message: string, more: { hint?: string; details?: string; cause?: unknown } = {}) =>
  new AppError('sign-in-failed', message, more);
