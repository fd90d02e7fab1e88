import { useApp } from '../stores/app.ts';
import type { AppCommand } from '../stores/connect.ts';
import { useConversations } from '../stores/conversations.ts';
import { toggleSidebar } from '../stores/sidebar.ts';

/** Does what the application menu asks for. */
export function runCommand(command: AppCommand): void {
  const { go } = useApp.getState();
  switch (command) {
    case 'new-conversation':
      useConversations.getState().select(null);
      go({ name: 'chat' });
      break;
    case 'open-settings':
      go({ name: 'settings', section: 'providers' });
      break;
    case 'open-about':
      go({ name: 'settings', section: 'about' });
      break;
    case 'toggle-sidebar':
      toggleSidebar();
      break;
  }
}
