import { useSettings } from '../../../stores/settings.ts';
import { useAppInfo } from './useAppInfo.ts';

/** What becomes of a secret that is saved now; `ask` while the person has yet to choose, null while it is not known. */
export type SecretKeeping = 'encrypted' | 'weak' | 'session' | 'ask';

export function useSecretKeeping(): SecretKeeping | null {
  const info = useAppInfo();
  const choice = useSettings((state) => state.settings?.weakSecrets ?? null);
  if (!info) return null;
  if (info.secretStorage === 'strong') return 'encrypted';
  if (choice === 'session-only') return 'session';
  return choice === 'store' && info.secretStorage === 'weak' ? 'weak' : 'ask';
}
