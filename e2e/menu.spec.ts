import { expect, type RunningApp, test } from './fixtures/app.ts';

const choose = (app: RunningApp, id: string) =>
  app.electron.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()!.getMenuItemById(wanted)!.click(), id);

test('the menu has the platform’s roles and shortcuts', async ({ app }) => {
  const found = await app.electron.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()!.items.flatMap((item) => [item, ...(item.submenu?.items ?? [])]);
    return {
      roles: items.flatMap(({ role }) => role?.toLowerCase() ?? []),
      shortcuts: Object.fromEntries(
        items.flatMap(({ id, accelerator }) => (id && accelerator ? [[id, accelerator]] : [])),
      ),
    };
  });
  const roles = ['editmenu', 'windowmenu', 'quit', 'resetzoom', 'zoomin', 'zoomout', 'togglefullscreen'];
  expect(found.roles).toEqual(expect.arrayContaining(roles));
  expect(found.shortcuts).toMatchObject({
    'new-conversation': 'CmdOrCtrl+N',
    'open-settings': 'CmdOrCtrl+,',
    'toggle-sidebar': 'CmdOrCtrl+B',
  });
});

test('what is chosen in the menu happens in the window', async ({ app }) => {
  await app.send('hello');
  await app.turnEnded();
  await expect(app.page.getByTestId('message')).not.toHaveCount(0);
  await choose(app, 'open-settings');
  await expect(app.page.getByTestId('settings-servers')).toBeVisible();
  await choose(app, 'new-conversation');
  await expect(app.composer).toBeFocused();
  await expect(app.page.getByTestId('message')).toHaveCount(0);
  await choose(app, 'toggle-sidebar');
  await expect(app.page.getByTestId('conversation-item')).toBeHidden();
  await choose(app, 'open-about');
  await expect(app.page.getByRole('heading', { name: 'About' })).toBeVisible();
});

test('a click on the icon in the dock (macOS’s event, emitted here) shows the window again', async ({ app }) => {
  const isVisible = () => app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible());
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.hide());
  expect(await isVisible()).toBe(false);
  await app.electron.evaluate(({ app: electronApp }) => void electronApp.emit('activate'));
  await expect.poll(isVisible).toBe(true);
});
