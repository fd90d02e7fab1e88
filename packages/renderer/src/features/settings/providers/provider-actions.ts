import type { CallInput } from '@shared/contracts/contract.ts';
import type { ModelInfo, ProvidersContract, ProviderView } from '@shared/contracts/providers.contract.ts';
import { api } from '../../../bridge/api.ts';
import { unwrap } from '../../../bridge/errors.ts';
import { withSecretChoice } from '../shared/secret-choice.ts';

export const addProvider = (input: CallInput<ProvidersContract, 'add'>): Promise<ProviderView> =>
  withSecretChoice(() => unwrap(api().providers.add(input)));

export const updateProvider = (input: CallInput<ProvidersContract, 'update'>): Promise<ProviderView> =>
  withSecretChoice(() => unwrap(api().providers.update(input)));

export const removeProvider = (providerId: string): Promise<void> => unwrap(api().providers.remove({ providerId }));

/** What a test found: how many models, and those that were in the list before and are not listed now. */
export interface ProviderTest {
  count: number;
  gone: ModelInfo[];
}

/** Ends a test that is under way; the models stay as they were. */
export const stopTest = (providerId: string): Promise<void> => unwrap(api().providers.stopRefresh({ providerId }));

/** Asks the provider for its models, which main stores in the place of those before. */
export async function testProvider(provider: ProviderView): Promise<ProviderTest> {
  const { models } = await unwrap(api().providers.refreshModels({ providerId: provider.id }));
  const listed = new Set(models.map(({ id }) => id));
  return { count: models.length, gone: provider.models.filter(({ id }) => !listed.has(id)) };
}
