// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../stores/app.ts';
import { useServers } from '../../stores/servers.ts';
import { useSettings } from '../../stores/settings.ts';
import type { FakeApi } from '../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../testing/set-up.tsx';
import SettingsView from './SettingsView.tsx';
import { statusOf, stdioServer } from './servers/test-support.ts';
import { forgetAllKept } from './shared/kept-state.ts';

let fake: FakeApi;
const user = userEvent.setup();
const open = (section: 'servers' | 'general' | 'about') => {
  useApp.setState({ view: { name: 'settings', section } });
  return renderInApp(<SettingsView />);
};

beforeEach(async () => {
  forgetAllKept();
  fake = await setUp();
  await useSettings.getState().load();
  useServers.setState({ servers: [statusOf(stdioServer(), { status: 'ready', toolCount: 3 })] });
});

describe('Esc', () => {
  it('closes the innermost: dialog, page, settings', async () => {
    open('servers');
    await user.click(screen.getByRole('button', { name: /3 tools/ }));
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    await screen.findByRole('alertdialog');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(screen.getByRole('heading', { name: 'one' })).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.getByRole('heading', { name: 'Tool servers' })).toBeTruthy();
    // Back at the row that one came from.
    expect(document.activeElement?.textContent).toBe('one');
    await user.keyboard('{Escape}');
    expect(useApp.getState().view).toEqual({ name: 'chat' });
  });
});

describe('a section that is opened again', () => {
  it('begins at its first page, unless something was being entered', async () => {
    const first = open('servers');
    await user.click(screen.getByTestId('add-server'));
    first.unmount();
    const second = open('servers');
    await user.click(screen.getByTestId('add-server'));
    await user.type(screen.getByLabelText('Name'), 'half a na');
    second.unmount();
    open('servers');
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('half a na');
    await user.click(screen.getByTestId('settings-servers'));
    expect(screen.getByTestId('server-row')).toBeTruthy();
  });
});

describe('General', () => {
  it('changes a setting at once, and takes it back when main refuses', async () => {
    open('general');
    await user.click(screen.getByRole('radio', { name: 'Dark' }));
    expect(fake.calls).toContainEqual(['settings.set', { theme: 'dark' }]);
    fake.on('settings.set', () => {
      throw { code: 'store-failed', message: 'The disk is full.' };
    });
    const follow = screen.getByRole('switch', { name: 'Follow the answer' });
    await user.click(follow);
    await waitFor(() => expect(follow.getAttribute('aria-checked')).toBe('true'));
  });

  it('lists the tools that run without asking, and takes that back', async () => {
    let allowed = [{ serverId: 's', serverName: 'files', toolName: 'read' }];
    fake.on('settings.listAlwaysAllowed', () => allowed);
    fake.on('settings.revokeAlwaysAllowed', () => {
      allowed = [];
    });
    open('general');
    await user.click(await screen.findByRole('button', { name: 'Ask again for read of files' }));
    expect(await screen.findByText(/^None\./)).toBeTruthy();
    expect(fake.calls).toContainEqual(['settings.revokeAlwaysAllowed', { serverId: 's', toolName: 'read' }]);
  });
});

describe('About', () => {
  it('opens the folders', async () => {
    open('about');
    for (const [label, folder] of [
      ['Data', 'data'],
      ['Logs', 'logs'],
      ['Sample folder', 'sample'],
    ]) {
      await user.click(await screen.findByRole('button', { name: `Open folder: ${label}` }));
      expect(fake.calls).toContainEqual(['app.openFolder', { folder }]);
    }
  });

  it('offers the choice for secrets only where the system is weak', async () => {
    const strong = open('about');
    expect(await screen.findByText(/this system’s own keyring/)).toBeTruthy();
    expect(screen.queryByRole('radiogroup')).toBeNull();
    strong.unmount();
    fake.on('app.info', () => ({
      version: '1',
      platform: 'linux',
      dataPath: '/d',
      logsPath: '/l',
      samplePath: '/s',
      secretStorage: 'weak',
    }));
    open('about');
    const choice = await screen.findByRole('radiogroup', { name: 'What to do with them' });
    await user.click(within(choice).getByRole('radio', { name: 'Store with weak protection' }));
    expect(fake.calls).toContainEqual(['app.chooseWeakSecrets', { choice: 'store' }]);
    act(() => useSettings.setState({ settings: { ...useSettings.getState().settings!, weakSecrets: 'store' } }));
    expect(screen.getByText(/another program that runs under your name could read them/)).toBeTruthy();
  });
});
