import type { ModelRef } from '@shared/contracts/message-types.ts';
import { useMemo } from 'react';
import { toApiError } from '../../bridge/errors.ts';
import { useConversations } from '../../stores/conversations.ts';
import { defaultModel, type ModelState, modelState, useProviders } from '../../stores/providers.ts';
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
  const providers = useProviders((state) => state.providers);
  const last = useSettings((state) => state.settings?.lastModel ?? null);
  const chosen = useConversations(
    (state) => state.conversations?.find(({ id }) => id === state.selectedId)?.model ?? null,
  );
  const settingsKnown = useSettings((state) => state.settings !== null);
  const chosenKnown = useConversations((state) => state.selectedId === null || state.conversations !== null);
  return useMemo(() => {
    const all = providers ?? [];
    const ref = chosen ?? defaultModel(last, all);
    return { ref, state: modelState(ref, all), known: providers !== null && settingsKnown && chosenKnown };
  }, [providers, last, chosen, settingsKnown, chosenKnown]);
}

/** Chooses the model of the shown conversation, and of the ones begun after it. */
export function chooseModel(ref: ModelRef): void {
  const { selectedId, setModel } = useConversations.getState();
  const saving = [useSettings.getState().set({ lastModel: ref })];
  if (selectedId) saving.push(setModel(selectedId, ref));
  Promise.all(saving).catch((thrown) => toastError(toApiError(thrown)));
}
