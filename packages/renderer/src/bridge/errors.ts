import type { Envelope, ErrorInfo } from '@shared/contracts/contract.ts';
import { text } from '../i18n/index.ts';

/** A call that main refused or could not do. `message` says what happened, `hint` what to do; both are for people. */
export class ApiError extends Error {
  readonly code: string;
  readonly hint?: string;
  readonly details?: string;

  constructor(info: ErrorInfo) {
    super(info.message);
    this.name = 'ApiError';
    this.code = info.code;
    this.hint = info.hint;
    this.details = info.details;
  }
}

/** The value of an answer. Throws {@link ApiError} for a refusal and when main can't be reached at all. */
export async function unwrap<Value>(answer: Promise<Envelope<Value>>): Promise<Value> {
  let envelope: Envelope<Value>;
  try {
    envelope = await answer;
  } catch (thrown) {
    throw toApiError(thrown);
  }
  if (envelope.ok) return envelope.value;
  throw new ApiError(envelope.error);
}

/** Whatever was thrown, as something that can be shown. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError({
    code: 'internal',
    message: text('common:error.internal'),
    hint: text('common:error.internalHint'),
    details: thrown instanceof Error ? thrown.message : String(thrown),
  });
}
