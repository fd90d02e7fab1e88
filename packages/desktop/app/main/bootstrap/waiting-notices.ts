import { app, BrowserWindow } from 'electron';
import { showNotification } from '../platform/notifications.ts';
import { WaitingNotices } from '../services/notices/WaitingNotices.ts';

export interface WaitingNoticesParts {
  /** undefined or empty for a conversation that has none yet. */
  titleOf: (conversationId: string) => string | undefined;
  showWindow: () => void;
}

/** System notifications of calls and questions of servers that wait for the person while another program is in front. */
export function createWaitingNotices({ titleOf, showWindow }: WaitingNoticesParts): WaitingNotices {
  const notices = new WaitingNotices({
    isFocused: () => BrowserWindow.getFocusedWindow() !== null,
    show: ({ conversationId, asker }) =>
      showNotification({
        title: (conversationId && titleOf(conversationId)) || 'TinyElf',
        body: `${asker} waits for your answer.`,
        onClick: showWindow,
      }),
  });
  app.on('browser-window-focus', () => notices.focused());
  return notices;
}
