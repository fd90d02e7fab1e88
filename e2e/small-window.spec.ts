import { expect, test } from './fixtures/app.ts';

const SECTIONS = ['providers', 'servers', 'agents', 'general', 'about'];

test('at 800×600 everything that must be answered is in sight, and nothing scrolls sideways', async ({ app }) => {
  const { page } = app;
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setContentSize(800, 600));
  await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toEqual([800, 600]);
  const sideways = () =>
    page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('main, [data-testid="message-list"]')]
        .map((element) => element.scrollWidth - element.clientWidth)
        .filter((excess) => excess > 0),
    );

  await app.serversReady();
  await app.send('List the files in the sample folder');
  for (const name of ['Allow once', 'Allow for this chat', 'Always allow', 'Deny']) {
    await expect(app.approval.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  }
  await expect(app.composer).toBeInViewport({ ratio: 1 });
  expect(await sideways()).toEqual([]);
  await app.answerApproval('Allow once');
  await app.turnEnded();
  await expect(app.composer).toBeInViewport({ ratio: 1 });

  const chats = page.getByTestId('conversation-item');
  if (!(await chats.isVisible())) await page.getByRole('button', { name: 'Show the sidebar' }).click();
  await expect(chats).toBeInViewport({ ratio: 1 });
  expect(await sideways()).toEqual([]);

  await page.getByTestId('nav-settings').click();
  for (const section of SECTIONS) {
    await page.getByTestId(`settings-${section}`).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
    expect([section, await sideways()]).toEqual([section, []]);
  }
});
