import type { PermissionMode } from '@shared/contracts/agent-types.ts';
import type { ModelRef } from '@shared/contracts/message-types.ts';
import { create } from 'zustand';

interface Draft {
  goal: string;
  /** Null until one was chosen or typed: the one used last. */
  workspace: string | null;
  /** Null: the one used last. */
  presetId: string | null;
  /** Null: that of the preset. */
  model: ModelRef | null;
  mode: PermissionMode | null;
}

const NOTHING: Draft = { goal: '', workspace: null, presetId: null, model: null, mode: null };

/** What was entered for a new run, so that a look elsewhere doesn't lose it. Lives as long as the window. */
export const useRunDraft = create<Draft>()(() => NOTHING);

/** What stays for the next run: where and as what people work changes less than what they want done. */
export const forgetGoal = (): void => useRunDraft.setState({ goal: '', model: null, mode: null });

/** For tests. */
export const forgetDraft = (): void => useRunDraft.setState(NOTHING, true);

const STORAGE_KEY = 'agent-preset';

/** The preset that the last run was begun with; null where none is known. */
export function lastPresetId(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

export function rememberPresetId(presetId: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, presetId);
  } catch {
    // Without storage a new run begins with the first preset.
  }
}
