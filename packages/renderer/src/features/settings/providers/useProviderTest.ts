import type { ProviderView } from '@shared/contracts/providers.contract.ts';
import { useState } from 'react';
import { useAction } from '../../../ui/useAction.ts';
import { type ProviderTest, testProvider } from './provider-actions.ts';

/** A test of a provider: since when it runs, and what came of it. */
export function useProviderTest() {
  const [startedAt, setStartedAt] = useState<number | null>(null);
  const [result, setResult] = useState<ProviderTest | null>(null);
  const action = useAction(async (provider: ProviderView) => {
    setResult(null);
    setStartedAt(Date.now());
    try {
      setResult(await testProvider(provider));
    } finally {
      setStartedAt(null);
    }
  });
  return { run: action.run, busy: action.busy, error: action.error, startedAt, result };
}
export type ProviderTestState = ReturnType<typeof useProviderTest>;
