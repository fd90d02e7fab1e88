import { call, expect, test } from './fixtures/agent.ts';

test('a preset is copied, changed and used, and its limit of rounds asks whether to go on', async ({
  app,
  begin,
  scripted,
}) => {
  const { page } = app;
  await page.getByTestId('nav-settings').click();
  await page.getByTestId('settings-agents').click();
  await page.getByRole('button', { name: 'Copy “Coder”' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Careful');
  // The page scrolls, not the window: nothing in it that only readers of the screen get may make the document longer.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
  await page.getByLabel('Instructions').fill('You look twice.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const row = page.getByTestId('preset-row').filter({ hasText: 'Careful' });
  await row.getByRole('button', { name: 'Careful', exact: true }).click();
  await page.getByLabel('Rounds').fill('2');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(row).toBeVisible();
  await app.openChat();

  const run = await begin(
    { goal: 'Look around', agent: 'Careful' },
    [call('Read', { path: 'README.md' })],
    [call('ListDir', { path: '.' })],
  );
  await expect(run.notice('round-limit')).toContainText('2 times in a row');
  await run.ended();
  scripted.will([{ text: 'Seen it all.' }]);
  await run.notice('round-limit').getByRole('button', { name: 'Go on' }).click();
  await expect(app.lastAnswer).toContainText('Seen it all.');
  expect(scripted.requests[0]).toContain('You look twice.');
});
