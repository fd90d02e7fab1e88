import type { Settings } from '@shared/contracts/settings.contract.ts';
import { create } from 'zustand';
import { api } from '../bridge/api.ts';
import { unwrap } from '../bridge/errors.ts';

interface SettingsState {
  /** Null until main has answered. */
  settings: Settings | null;
  load(): Promise<void>;
  /** Shows the change at once and takes it back should main refuse it. */
  set(change: Partial<Omit<Settings, 'weakSecrets'>>): Promise<void>;
  replace(settings: Settings): void;
}

export const useSettings = create<SettingsState>()((set, get) => ({
  settings: null,
  async load() {
    set({ settings: await unwrap(api().settings.get()) });
  },
  async set(change) {
    const before = get().settings;
    if (before) set({ settings: { ...before, ...change } });
    try {
      set({ settings: await unwrap(api().settings.set(change)) });
    } catch (thrown) {
      set({ settings: before });
      throw thrown;
    }
  },
  replace(settings) {
    set({ settings });
  },
}));
