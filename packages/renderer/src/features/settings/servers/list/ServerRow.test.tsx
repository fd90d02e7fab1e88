// @vitest-environment happy-dom
import type { McpServerState, McpServerView } from '@shared/contracts/mcp-types.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FakeApi } from '../../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../../testing/set-up.tsx';
import { statusOf, stdioServer } from '../test-support.ts';
import { ServerRow } from './ServerRow.tsx';

let fake: FakeApi;
const user = userEvent.setup();
const enabling = () => fake.calls.filter(([name]) => name === 'mcp.setEnabled').map(([, input]) => input);
const show = (server: McpServerView, state?: McpServerState, go = vi.fn()) => {
  renderInApp(<ServerRow status={statusOf(server, state)} go={go} />);
  return go;
};

beforeEach(async () => {
  fake = await setUp();
});

describe('a server that nobody has agreed to', () => {
  const pasted = {
    ...stdioServer({ command: 'sh', args: ['-c', 'echo \u202e x', ''], envNames: ['API_KEY'] }),
    enabled: false,
    consented: false,
  };

  it('shows all that would be started, and the safe answer has the focus', async () => {
    show(pasted);
    await user.click(screen.getByRole('switch'));
    const dialog = await screen.findByTestId('consent-dialog');
    await waitFor(() =>
      expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Don’t start' })),
    );
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .slice(0, 3)
        .map((item) => item.textContent),
    ).toEqual(['1-c', '2echo U+202E x', '3empty']);
    expect(dialog.textContent).toContain('API_KEY');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByTestId('consent-dialog')).toBeNull());
    expect(enabling()).toEqual([]);
  });

  it('starts with the consent that was given', async () => {
    show(pasted);
    await user.click(screen.getByRole('switch'));
    await user.click(await screen.findByRole('button', { name: 'Start' }));
    await waitFor(() => expect(enabling()).toEqual([{ serverId: 'one', enabled: true, consent: true }]));
  });

  it('stays asked where starting fails, and says why', async () => {
    fake.on('mcp.setEnabled', () => {
      throw { code: 'store-failed', message: 'The disk is full.' };
    });
    show(pasted);
    await user.click(screen.getByRole('switch'));
    await user.click(await screen.findByRole('button', { name: 'Start' }));
    expect(await screen.findByText('The disk is full.')).toBeTruthy();
    expect(screen.getByTestId('consent-dialog')).toBeTruthy();
  });
});

it('asks when main finds that the consent is for something else', async () => {
  fake.on('mcp.setEnabled', () => {
    throw { code: 'no-consent', message: 'Nobody has agreed to that yet.' };
  });
  show({ ...stdioServer(), enabled: false });
  await user.click(screen.getByRole('switch'));
  expect(await screen.findByTestId('consent-dialog')).toBeTruthy();
});

it('says why it failed, with details folded and a way on', async () => {
  const error = { code: 'connect-failed', message: 'It ended.', hint: 'Check it.', details: 'exit code 3\nboom' };
  show(stdioServer(), { status: 'failed', error });
  expect(screen.getByTestId('server-row').dataset.status).toBe('failed');
  expect(screen.getByText('It ended.')).toBeTruthy();
  expect(screen.queryByText(/boom/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Details' }));
  expect(screen.getByText(/boom/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(fake.calls).toContainEqual(['mcp.restart', { serverId: 'one' }]);
});

it('of the app itself cannot be edited, and can be removed after a question', async () => {
  const go = show({ ...stdioServer(), builtin: 'files' }, { status: 'ready', toolCount: 2 });
  await user.click(screen.getByRole('button', { name: /^More for/ }));
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
    'Restart',
    'Log',
    'Remove',
  ]);
  await user.click(screen.getByRole('menuitem', { name: 'Remove' }));
  const question = await screen.findByRole('alertdialog');
  expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Cancel' }));
  await user.click(within(question).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(fake.calls).toContainEqual(['mcp.remove', { serverId: 'one' }]));
  expect(go).toHaveBeenCalledWith({ name: 'list', focus: 'add' });
});
