import type { AppEvent } from '@shared/contracts/index.ts';
import { Menu, type MenuItemConstructorOptions } from 'electron';
import { texts } from '../texts.ts';

type Command = Extract<AppEvent, { type: 'app.command' }>['payload']['command'];

/** The application menu with the platform's roles; what the renderer does arrives there as `app.command`. */
export function installMenu(send: (command: Command) => void): void {
  const isMac = process.platform === 'darwin';
  const command = (label: string, name: Command, accelerator?: string): MenuItemConstructorOptions => ({
    id: name,
    label,
    accelerator,
    click: () => send(name),
  });
  const settings = command(texts.menu.settings, 'open-settings', 'CmdOrCtrl+,');
  const about = command(texts.menu.about, 'open-about');

  const template: MenuItemConstructorOptions[] = [
    ...(isMac
      ? [
          {
            label: texts.appName,
            submenu: [
              about,
              { type: 'separator' },
              settings,
              { type: 'separator' },
              { role: 'services' },
              { type: 'separator' },
              { role: 'hide' },
              { role: 'hideOthers' },
              { role: 'unhide' },
              { type: 'separator' },
              { role: 'quit' },
            ],
          } satisfies MenuItemConstructorOptions,
        ]
      : []),
    {
      label: texts.menu.file,
      submenu: [
        command(texts.menu.newChat, 'new-conversation', 'CmdOrCtrl+N'),
        { type: 'separator' },
        ...(isMac
          ? [{ role: 'close' } satisfies MenuItemConstructorOptions]
          : [settings, { type: 'separator' } as const, { role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
      label: texts.menu.view,
      submenu: [
        command(texts.menu.sidebar, 'toggle-sidebar', 'CmdOrCtrl+B'),
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        { type: 'separator' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
    ...(isMac ? [] : [{ role: 'help', submenu: [about] } satisfies MenuItemConstructorOptions]),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
