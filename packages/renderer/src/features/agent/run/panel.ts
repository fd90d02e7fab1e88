import { create } from 'zustand';

export const CHANGES_TOGGLE_ID = 'changes-toggle';

interface PanelState {
  /** Whether wide windows show the changes beside the run; lives as long as the window. */
  open: boolean;
  setOpen(open: boolean): void;
}

export const useChangesPanel = create<PanelState>()((set) => ({
  open: false,
  setOpen(open) {
    set({ open });
  },
}));
