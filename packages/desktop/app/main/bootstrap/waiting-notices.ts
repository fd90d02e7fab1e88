import { app, BrowserWindow } from 'electron';
import { showNotification } from '../platform/notifications.ts';
import { fill, texts } from '../platform/texts.ts';
import { WaitingNotices } from '../services/notices/WaitingNotices.ts';

export interface WaitingNoticesParts {
  /** undefined or empty for a conversation that has none yet. */
  titleOf: (conversationId: string) => string | undefined;
  /** Brings the app to the front, with the conversation where there is one. */
  show: (conversationId: string | undefined) => void;
}

/** System notifications of calls and questions of servers that wait for the person while another program is in front. */
export function createWaitingNotices({ titleOf, show }: WaitingNoticesParts): WaitingNotices {
  const notices = new WaitingNotices({
    isFocused: () => BrowserWindow.getFocusedWindow() !== null,
    show: ({ conversationId, asker }) =>
      showNotification({
        title: (conversationId && titleOf(conversationId)) || texts.appName,
        body: fill(texts.notification.waits, { asker }),
        onClick: () => show(conversationId),
      }),
  });
  app.on('browser-window-focus', () => notices.focused());
  return notices;
}
