import { providersContract } from '@shared/contracts/providers.contract.ts';
import type { ProviderService } from '../providers/ProviderService.ts';
import { defineRouter } from './router.ts';

export const createProvidersRouter = (providers: ProviderService) =>
  defineRouter(providersContract, {
    list: () => providers.list(),
    presets: () => providers.presets(),
    add: (input) => providers.add(input),
    update: (input) => providers.update(input),
    remove: (input) => providers.remove(input),
    refreshModels: (input) => providers.refreshModels(input),
    stopRefresh: (input) => providers.stopRefresh(input),
  });
