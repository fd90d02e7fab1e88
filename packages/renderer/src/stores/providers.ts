import type { ModelRef } from '@shared/contracts/message-types.ts';
import type { ModelInfo, ProviderView } from '@shared/contracts/providers.contract.ts';
import { create } from 'zustand';
import { api } from '../bridge/api.ts';
import { unwrap } from '../bridge/errors.ts';
import { text } from '../i18n/index.ts';

interface ProvidersState {
  /** Null until main has answered. */
  providers: ProviderView[] | null;
  load(): Promise<void>;
  replace(providers: ProviderView[]): void;
}

export const useProviders = create<ProvidersState>()((set) => ({
  providers: null,
  async load() {
    set({ providers: await unwrap(api().providers.list()) });
  },
  replace(providers) {
    set({ providers });
  },
}));

/** Why a model can't be used, or that it can. */
export type ModelState =
  | { kind: 'none' }
  | { kind: 'gone' }
  | { kind: 'off' | 'no-key' | 'key-unreadable' | 'ready'; provider: ProviderView; model: ModelInfo };

/** Where `ref` stands among the providers. A model that is no longer listed still counts: a person may have typed it in. */
export function modelState(ref: ModelRef | null, providers: readonly ProviderView[]): ModelState {
  if (!ref) return { kind: 'none' };
  const provider = providers.find(({ id }) => id === ref.providerId);
  if (!provider) return { kind: 'gone' };
  const model = provider.models.find(({ id }) => id === ref.modelId) ?? { id: ref.modelId };
  if (!provider.enabled) return { kind: 'off', provider, model };
  if (provider.keyState === 'not-set') return { kind: 'no-key', provider, model };
  if (provider.keyState === 'unreadable') return { kind: 'key-unreadable', provider, model };
  return { kind: 'ready', provider, model };
}

/** The model a new conversation starts with: the last one used while it works, else the first that does. */
export function defaultModel(last: ModelRef | null, providers: readonly ProviderView[]): ModelRef | null {
  if (last && modelState(last, providers).kind === 'ready') return last;
  for (const provider of providers) {
    const first = provider.models[0];
    if (!first) continue;
    const ref = { providerId: provider.id, modelId: first.id };
    if (modelState(ref, providers).kind === 'ready') return ref;
  }
  return null;
}

/** What to call a model. The demo gets a plain name: beside it stands a badge that says what it is not. */
export const modelName = ({ format }: ProviderView, model: ModelInfo): string =>
  format === 'demo' ? text('chat:model.demo') : (model.name ?? model.id);

/** As {@link modelName}, for where no badge can stand: of the demo the name itself says what it is not. */
export const markedModelName = (provider: ProviderView, model: ModelInfo): string =>
  provider.format === 'demo'
    ? `${modelName(provider, model)} (${text('chat:model.notAi')})`
    : modelName(provider, model);
