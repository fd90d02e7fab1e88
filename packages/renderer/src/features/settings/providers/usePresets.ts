import type { ProviderPreset } from '@shared/contracts/providers.contract.ts';
import { useEffect, useState } from 'react';
import { api } from '../../../bridge/api.ts';
import { type ApiError, toApiError, unwrap } from '../../../bridge/errors.ts';

/** The kinds of providers that the app knows; null until main has answered. */
export function usePresets(): { presets: readonly ProviderPreset[] | null; error: ApiError | null } {
  const [presets, setPresets] = useState<readonly ProviderPreset[] | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    let gone = false;
    unwrap(api().providers.presets()).then(
      (list) => !gone && setPresets(list),
      (thrown) => !gone && setError(toApiError(thrown)),
    );
    return () => {
      gone = true;
    };
  }, []);
  return { presets, error };
}
