import { toApiError } from '../bridge/errors.ts';
import { useApp } from './app.ts';
import { useSettings } from './settings.ts';
import { toastError } from './toasts.ts';

/** Windows narrower than this show the sidebar as a drawer. The same width as the `narrow` variant of the style sheet. */
export const narrowWindow = () => matchMedia('(width < 900px)');

/** Shows or hides the sidebar, in whichever form the window has room for. */
export function toggleSidebar(): void {
  if (narrowWindow().matches) {
    useApp.getState().setDrawer(!useApp.getState().drawerOpen);
    return;
  }
  const { settings, set } = useSettings.getState();
  if (settings) set({ sidebarOpen: !settings.sidebarOpen }).catch((thrown) => toastError(toApiError(thrown)));
}
