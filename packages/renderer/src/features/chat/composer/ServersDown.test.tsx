// @vitest-environment happy-dom

import type { McpServerState } from '@shared/contracts/mcp-types.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../../stores/app.ts';
import { useServers } from '../../../stores/servers.ts';
import type { FakeApi } from '../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { statusOf, stdioServer } from '../../settings/servers/test-support.ts';
import { ServersDown } from './ServersDown.tsx';

let fake: FakeApi;
const user = userEvent.setup();

const failed: McpServerState = {
  status: 'failed',
  error: { code: 'connect-failed', message: 'It ended.', hint: 'Check its command.' },
};
const ready: McpServerState = { status: 'ready', toolCount: 1 };
const become = (states: Record<string, McpServerState>) =>
  act(() =>
    useServers.setState({
      servers: Object.entries(states).map(([id, state]) => statusOf({ ...stdioServer(), id, name: id }, state)),
    }),
  );
const sign = () => screen.queryByTestId('servers-down');
const panel = () => within(screen.getByTestId('servers-down-panel'));

beforeEach(async () => {
  fake = await setUp();
  renderInApp(<ServersDown />);
});

describe('the sign of servers that are not running', () => {
  it('is not there while all run, are off, or are on their way', () => {
    become({
      one: ready,
      two: { status: 'off' },
      three: { status: 'connecting', since: 0 },
      four: { status: 'waiting-to-retry', retryAt: 0, error: failed.error },
    });
    expect(sign()).toBeNull();
  });

  it('counts them', () => {
    become({ one: failed, two: ready });
    expect(sign()!.textContent).toBe('1 server isn’t running');
    become({ one: failed, two: { status: 'needs-sign-in', error: failed.error } });
    expect(sign()!.textContent).toBe('2 servers aren’t running');
    become({ one: ready, two: ready });
    expect(sign()).toBeNull();
  });

  it('opens by keyboard to each with its reason, and leads to Settings', async () => {
    become({ Mail: failed, Notes: ready });
    await user.tab();
    await user.keyboard('{Enter}');
    expect(panel().getAllByRole('listitem')).toHaveLength(1);
    expect(panel().getByRole('listitem').textContent).toContain('It ended. Check its command.');
    await user.click(panel().getByRole('button', { name: 'Server settings' }));
    expect(useApp.getState().view).toEqual({ name: 'settings', section: 'servers' });
  });

  it('tries again, and stays open to say what became of it', async () => {
    become({ Mail: failed });
    await user.click(sign()!);
    await user.click(panel().getByRole('button', { name: 'Try again' }));
    expect(fake.calls).toContainEqual(['mcp.restart', { serverId: 'Mail' }]);
    become({ Mail: { status: 'connecting', since: Date.now() } });
    expect(sign()!.textContent).toBe('Starting…');
    become({ Mail: ready });
    expect(panel().getByRole('listitem').textContent).toContain('Ready');
    expect(sign()!.textContent).toBe('All servers are running');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(sign()).toBeNull());
  });

  it('says why it could not be tried again', async () => {
    fake.on('mcp.restart', () => {
      throw { code: 'store-failed', message: 'The disk is full.' };
    });
    become({ Mail: failed });
    await user.click(sign()!);
    await user.click(panel().getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(panel().getByRole('listitem').textContent).toContain('The disk is full.'));
  });
});
