import type { ModelRef } from '@shared/contracts/message-types.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../bridge/errors.ts';
import { useConversations } from '../../stores/conversations.ts';
import { defaultModel, type ModelState, modelName, modelState, useProviders } from '../../stores/providers.ts';
import { useSettings } from '../../stores/settings.ts';
import { toastError } from '../../stores/toasts.ts';

export interface ActiveModel {
  ref: ModelRef | null;
  state: ModelState;
  /** False until main has said which models there are, and which one was used last. */
  known: boolean;
}

/** The model that the shown conversation, or a new one, would be sent to. */
export function useActiveModel(): ActiveModel {
  const chosen = useConversations(
    (state) => state.conversations?.find(({ id }) => id === state.selectedId)?.model ?? null,
  );
  const chosenKnown = useConversations((state) => state.selectedId === null || state.conversations !== null);
  const model = useModelOf(chosen);
  return useMemo(() => ({ ...model, known: model.known && chosenKnown }), [model, chosenKnown]);
}

/** The model that is chosen for something new: `ref`, or else the one that was used last. */
export function useModelOf(ref: ModelRef | null): ActiveModel {
  const providers = useProviders((state) => state.providers);
  const last = useSettings((state) => state.settings?.lastModel ?? null);
  const settingsKnown = useSettings((state) => state.settings !== null);
  return useMemo(() => {
    const all = providers ?? [];
    const chosen = ref ?? defaultModel(last, all);
    return { ref: chosen, state: modelState(chosen, all), known: providers !== null && settingsKnown };
  }, [providers, last, ref, settingsKnown]);
}

/** Why nothing can be sent to a model, in words; undefined where it can. */
export function useModelProblem(state: ModelState): string | undefined {
  const { t } = useTranslation('chat');
  const sessionOnly = useSettings(({ settings }) => settings?.weakSecrets === 'session-only');
  if (state.kind === 'ready') return undefined;
  if (!('provider' in state)) return t(`problem.${state.kind}`);
  const values = { provider: state.provider.name, model: modelName(state.provider, state.model) };
  if (state.kind === 'key-unreadable' && sessionOnly) return t('problem.key-unreadable_session', values);
  return t(`problem.${state.kind}`, values);
}

/** Chooses the model of the shown conversation, and of the ones begun after it. */
export function chooseModel(ref: ModelRef): void {
  const { selectedId, setModel } = useConversations.getState();
  const saving = [useSettings.getState().set({ lastModel: ref })];
  if (selectedId) saving.push(setModel(selectedId, ref));
  Promise.all(saving).catch((thrown) => toastError(toApiError(thrown)));
}
