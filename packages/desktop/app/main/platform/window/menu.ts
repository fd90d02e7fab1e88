import type { AppEvent } from '@shared/contracts/index.ts';
import { Menu, type MenuItemConstructorOptions } from 'electron';

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
  const settings = command('Settings…', 'open-settings', 'CmdOrCtrl+,');
  const about = command('About TinyElf', 'open-about');

  const template: MenuItemConstructorOptions[] = [
    ...(isMac
      ? [
          {
            label: 'TinyElf',
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
      label: '&File',
      submenu: [
        command('New chat', 'new-conversation', 'CmdOrCtrl+N'),
        { type: 'separator' },
        ...(isMac
          ? [{ role: 'close' } satisfies MenuItemConstructorOptions]
          : [settings, { type: 'separator' } as const, { role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        command('Show or hide sidebar', 'toggle-sidebar', 'CmdOrCtrl+B'),
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
