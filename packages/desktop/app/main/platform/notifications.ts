import { Notification } from 'electron';

/** Electron forgets a notification that nobody holds, and its click with it. */
const shown = new Set<Notification>();

/** Shows a notification of the system; undefined where there are none. */
export function showNotification(options: {
  title: string;
  body: string;
  onClick: () => void;
}): { close(): void } | undefined {
  if (!Notification.isSupported()) return undefined;
  const notification = new Notification({ title: options.title, body: options.body });
  const forget = () => shown.delete(notification);
  shown.add(notification);
  notification.on('click', () => {
    forget();
    options.onClick();
  });
  notification.on('close', forget);
  notification.on('failed', forget);
  notification.show();
  return {
    close: () => {
      forget();
      notification.close();
    },
  };
}
