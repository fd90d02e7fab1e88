import type { Notice } from '@shared/contracts/app.contract.ts';
import { create } from 'zustand';
import { api } from '../bridge/api.ts';
import { unwrap } from '../bridge/errors.ts';

export type SettingsSection = 'providers' | 'servers' | 'agents' | 'general' | 'about';

/**
 * `intent` says what a section should begin with, such as its form for a new entry. `from` is the conversation that was
 * shown before, to go back to.
 */
export type View =
  | { name: 'chat' }
  | { name: 'new-run'; from: string | null }
  | { name: 'settings'; section: SettingsSection; intent?: 'add' };

interface AppState {
  view: View;
  /** Where the settings lead back to. */
  home: Exclude<View, { name: 'settings' }>;
  /** The sidebar as a drawer, in narrow windows. */
  drawerOpen: boolean;
  notices: Notice[];
  /** What screen readers say next; `assertive` for what waits for the person. */
  announcement: { text: string; assertive: boolean };
  go(view: View): void;
  setDrawer(open: boolean): void;
  loadNotices(): Promise<void>;
  addNotice(notice: Notice): void;
  dismissNotice(id: string): Promise<void>;
  announce(text: string, assertive?: boolean): void;
}

export const useApp = create<AppState>()((set) => ({
  view: { name: 'chat' },
  home: { name: 'chat' },
  drawerOpen: false,
  notices: [],
  announcement: { text: '', assertive: false },
  go(view) {
    set({ view, drawerOpen: false, ...(view.name === 'settings' ? {} : { home: view }) });
  },
  setDrawer(drawerOpen) {
    set({ drawerOpen });
  },
  async loadNotices() {
    set({ notices: await unwrap(api().app.notices()) });
  },
  addNotice(notice) {
    set(({ notices }) => ({ notices: [...notices.filter(({ id }) => id !== notice.id), notice] }));
  },
  async dismissNotice(id) {
    set(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));
    await unwrap(api().app.dismissNotice({ id }));
  },
  announce(text, assertive = false) {
    set({ announcement: { text, assertive } });
  },
}));
