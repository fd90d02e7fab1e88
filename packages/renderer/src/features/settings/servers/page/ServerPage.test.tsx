// @vitest-environment happy-dom
import type { MCPTool, McpLogEntry } from '@shared/contracts/mcp-types.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { publishServerLog } from '../../../../stores/server-log.ts';
import { useServers } from '../../../../stores/servers.ts';
import type { FakeApi } from '../../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../../testing/set-up.tsx';
import { statusOf, stdioServer } from '../test-support.ts';
import { ServerPage } from './ServerPage.tsx';

const tool = (name: string, values: Partial<MCPTool> = {}): MCPTool => ({
  id: `mcp__one__${name}`,
  serverId: 'one',
  serverName: 'one',
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  ...values,
});
const entry = (text: string, at = 1): McpLogEntry => ({ serverId: 'one', at, source: 'stderr', level: 'info', text });

let fake: FakeApi;
const user = userEvent.setup();
const open = (tab: 'tools' | 'log', toolCount = 2) =>
  renderInApp(<ServerPage status={statusOf(stdioServer(), { status: 'ready', toolCount })} tab={tab} go={vi.fn()} />);

beforeEach(async () => {
  fake = await setUp();
});

describe('the tools', () => {
  it('are listed with what the server says of them, and those that can not be used with the reason', async () => {
    const first = tool('write', { annotations: { destructiveHint: true, readOnlyHint: false } });
    fake.on('mcp.tools', () => ({
      tools: [first, tool('say', { description: 'Says <img src=x onerror=alert(1)> \u202e it.' })],
      rejected: [{ name: 'bad', reason: 'It has no schema.' }],
    }));
    open('tools');
    await user.click(await screen.findByRole('button', { name: /^write/ }));
    expect(screen.getAllByText('Destructive').length).toBeGreaterThan(0);
    expect(screen.getByText('Changes things')).toBeTruthy();
    expect(screen.getByText('required')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /^say/ }));
    expect(document.querySelector('main img, section img')).toBeNull();
    expect(screen.getByText('U+202E')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: "1 tool can't be used" }));
    expect(screen.getByText(/It has no schema/)).toBeTruthy();
  });

  it('are loaded again when the listing is dropped, and when asked for', async () => {
    let names = ['a'];
    fake.on('mcp.tools', () => ({ tools: names.map((name) => tool(name)), rejected: [] }));
    open('tools');
    await screen.findByText('a');
    names = ['b'];
    act(() => useServers.getState().forgetTools('one'));
    await screen.findByText('b');
    names = ['c'];
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    await screen.findByText('c');
    expect(fake.calls).toContainEqual(['mcp.tools', { serverId: 'one', refresh: true }]);
  });

  it('are shown a hundred at a time, and all of them can be found', async () => {
    fake.on('mcp.tools', () => ({ tools: Array.from({ length: 300 }, (_, i) => tool(`tool-${i}`)), rejected: [] }));
    open('tools', 300);
    const list = await screen.findByRole('list', { name: 'Tools' });
    expect(list.children).toHaveLength(100);
    await user.click(screen.getByRole('button', { name: 'Show more (200)' }));
    expect(list.children).toHaveLength(200);
    fireEvent.change(screen.getByLabelText('Find a tool'), { target: { value: 'tool-299' } });
    expect(list.children).toHaveLength(1);
  });
});

describe('the log', () => {
  it('shows what there is and follows it, each line once', async () => {
    let release = () => {};
    const loaded = new Promise<void>((resolve) => {
      release = resolve;
    });
    fake.on('mcp.log', async () => {
      await loaded;
      return [entry('old', 1), entry('both', 2)];
    });
    open('log');
    // One that is among the stored ones when they come, and one that isn't.
    publishServerLog(entry('both', 2));
    publishServerLog(entry('between', 3));
    release();
    await screen.findByText('between');
    publishServerLog(entry('new', 4));
    await screen.findByText('new');
    const lines = [...screen.getByRole('log').children].map((line) => line.lastElementChild?.textContent);
    expect(lines).toEqual(['old', 'both', 'between', 'new']);
  });

  it('can be narrowed and copied', async () => {
    fake.on('mcp.log', () => [entry('from stderr'), { ...entry('an event', 2), source: 'lifecycle' }]);
    open('log');
    await screen.findByText('from stderr');
    await user.click(screen.getByRole('radio', { name: 'Events' }));
    expect(screen.queryByText('from stderr')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Copy the log' }));
    await waitFor(() =>
      expect(fake.calls).toContainEqual(['app.copyText', { text: '1970-01-01T00:00:00.002Z lifecycle info an event' }]),
    );
  });
});
