import type { ProviderRecord } from '@shared/contracts/providers.contract.ts';
import { AppError } from '../ports/errors.ts';
import { effectiveBaseUrl } from './presets.ts';

/** Empty when the record has no address. */
export function originOf(record: ProviderRecord): string {
  const baseUrl = effectiveBaseUrl(record);
  return baseUrl ? new URL(baseUrl).origin : '';
}

/** Throws AppError `invalid-input` when the record has no address. */
export function requireUrl(record: ProviderRecord): void {
  if (effectiveBaseUrl(record)) return;
  throw new AppError('invalid-input', 'A custom provider needs an address.', {
    hint: 'Enter its base URL, such as http://localhost:8080/v1.',
  });
}

/** The address as it may be stored. Throws AppError `invalid-input` when it holds a name or a password. */
export function cleanUrl(baseUrl: string | null): string | null {
  if (baseUrl === null) return null;
  const { username, password } = new URL(baseUrl);
  if (!username && !password) return baseUrl;
  throw new AppError('invalid-input', 'The address contains a name or a password.', {
    hint: 'Take it out of the address and enter the key in its own field, where it is encrypted.',
  });
}
