import type { CallInput } from '@shared/contracts/contract.ts';
import type {
  ApiFormat,
  ProviderPreset,
  ProvidersContract,
  ProviderView,
} from '@shared/contracts/providers.contract.ts';

export type WireFormat = Exclude<ApiFormat, 'demo'>;

/** A provider as it stands in the form. */
export interface ProviderDraft {
  name: string;
  baseUrl: string;
  /** Counts for a custom one only. */
  format: WireFormat;
  /** What was typed; the stored key is never known here. */
  key: string;
  /** What becomes of a stored key: it stays, is replaced by what is typed, or goes. */
  keyChange: 'keep' | 'replace' | 'forget';
}

export function newDraft(preset: ProviderPreset, takenNames: readonly string[]): ProviderDraft {
  return {
    name: preset.id === 'custom' ? '' : freeName(preset.name, takenNames),
    baseUrl: preset.baseUrl ?? '',
    format: preset.format as WireFormat,
    key: '',
    keyChange: 'replace',
  };
}

export const draftOf = (provider: ProviderView, preset: ProviderPreset | undefined): ProviderDraft => ({
  name: provider.name,
  baseUrl: provider.baseUrl ?? preset?.baseUrl ?? '',
  format: provider.format as WireFormat,
  key: '',
  keyChange: provider.keyState === 'set' ? 'keep' : 'replace',
});

const nameKey = (name: string): string => name.normalize('NFC').trim().toLowerCase();

function freeName(name: string, taken: readonly string[]): string {
  const keys = new Set(taken.map(nameKey));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    if (!keys.has(nameKey(candidate))) return candidate;
  }
}

/** The address as main takes it: null for the preset's own, so that it follows when a later version of the app moves it. */
function baseUrlOf(draft: ProviderDraft, preset: ProviderPreset | undefined): string | null {
  const url = draft.baseUrl.trim();
  return url === '' || url === preset?.baseUrl ? null : url;
}

export function toAddInput(draft: ProviderDraft, preset: ProviderPreset): CallInput<ProvidersContract, 'add'> {
  return {
    preset: preset.id,
    name: draft.name.trim(),
    baseUrl: baseUrlOf(draft, preset),
    format: preset.id === 'custom' ? draft.format : undefined,
    key: draft.key.trim() || undefined,
  };
}

export function toUpdateInput(
  draft: ProviderDraft,
  provider: ProviderView,
  preset: ProviderPreset | undefined,
): CallInput<ProvidersContract, 'update'> {
  const typed = draft.key.trim() || undefined;
  return {
    providerId: provider.id,
    name: draft.name.trim(),
    baseUrl: baseUrlOf(draft, preset),
    key: draft.keyChange === 'forget' ? null : draft.keyChange === 'replace' ? typed : undefined,
  };
}

const originOf = (url: string): string | undefined =>
  URL.canParse(url.trim()) ? new URL(url.trim()).origin : undefined;

/** The origin that a stored key was given for, where the draft would move away from it; undefined where it stays. */
export function movedFrom(
  draft: ProviderDraft,
  provider: ProviderView,
  preset: ProviderPreset | undefined,
): string | undefined {
  if (provider.keyState !== 'set') return undefined;
  const before = originOf(provider.baseUrl ?? preset?.baseUrl ?? '');
  const now = originOf(draft.baseUrl.trim() || preset?.baseUrl || '');
  return before !== undefined && now !== undefined && before !== now ? before : undefined;
}

export type Problem =
  | 'nameMissing'
  | 'nameTooLong'
  | 'nameTaken'
  | 'urlMissing'
  | 'urlInvalid'
  | 'urlCredentials'
  | 'tooLong';
export type Problems = Partial<Record<'name' | 'baseUrl' | 'key', Problem>>;

/** Everything that main would refuse. @param otherNames names of all the other providers */
export function validateProvider(
  draft: ProviderDraft,
  preset: ProviderPreset | undefined,
  otherNames: readonly string[],
): Problems {
  const problems: Problems = {};
  const name = draft.name.trim();
  if (name === '') problems.name = 'nameMissing';
  else if (name.length > 128) problems.name = 'nameTooLong';
  else if (otherNames.some((other) => nameKey(other) === nameKey(name))) problems.name = 'nameTaken';
  const url = urlProblem(draft.baseUrl.trim(), preset?.baseUrl != null);
  if (url) problems.baseUrl = url;
  if (draft.key.trim().length > 10_000) problems.key = 'tooLong';
  return problems;
}

function urlProblem(text: string, hasDefault: boolean): Problem | undefined {
  if (text === '') return hasDefault ? undefined : 'urlMissing';
  if (text.length > 2048) return 'tooLong';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'urlInvalid';
  return url.username || url.password ? 'urlCredentials' : undefined;
}

/** Whether a key would travel in the open: plain http to somewhere that isn't this computer. */
export function isInsecure(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl.trim())) return false;
  const { protocol, hostname } = new URL(baseUrl.trim());
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
