// @vitest-environment happy-dom
import type { MCPTool, McpLogEntry, McpServerView } from '@shared/contracts/mcp-types.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useServers } from '../../../../stores/servers.ts';
import { useSignIns } from '../../../../stores/sign-ins.ts';
import type { FakeApi } from '../../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../../testing/set-up.tsx';
import { httpServer, statusOf, stdioServer } from '../test-support.ts';
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

// Nothing has a size here, so nothing would be in sight.
vi.mock('virtua', () => ({ Virtualizer: ({ children }: { children: ReactNode }) => children }));

let fake: FakeApi;
const user = userEvent.setup();
const open = (tab: 'tools' | 'log', toolCount = 2) =>
  renderInApp(<ServerPage status={statusOf(stdioServer(), { status: 'ready', toolCount })} tab={tab} go={vi.fn()} />);

beforeEach(async () => {
  fake = await setUp();
});

it('offers the sign-in that a server wants, without an error that says the same', () => {
  useSignIns.setState({ byServer: { one: { serverId: 'one', signedIn: false, needs: 'sign-in' } } });
  const error = { code: 'connect-failed' as const, message: 'Refused access (HTTP 401).' };
  const status = statusOf(httpServer(), { status: 'needs-sign-in', error });
  const { rerender } = renderInApp(<ServerPage status={status} tab="tools" go={vi.fn()} />);
  expect(screen.getByTestId('sign-in')).toBeTruthy();
  expect(screen.queryByText(error.message)).toBeNull();
  act(() => useSignIns.setState({ byServer: {} }));
  rerender(<ServerPage status={status} tab="tools" go={vi.fn()} />);
  expect(screen.getByText(error.message)).toBeTruthy();
});

describe('the tools', () => {
  it('of a server that failed offer to try again', async () => {
    const error = { code: 'connect-failed' as const, message: 'It ended.' };
    fake.on('mcp.tools', () => ({ tools: [], rejected: [] }));
    renderInApp(<ServerPage status={statusOf(stdioServer(), { status: 'failed', error })} tab="tools" go={vi.fn()} />);
    const tools = screen.getByRole('region', { name: 'Tools' });
    await user.click(await within(tools).findByRole('button', { name: 'Try again' }));
    expect(fake.calls).toContainEqual(['mcp.restart', { serverId: 'one' }]);
  });

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
    await user.click(screen.getByRole('button', { name: '1 tool can’t be used' }));
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
  /** Main, as a reader sees it: answers once there is something after what was read. */
  function serveLog() {
    const entries: McpLogEntry[] = [];
    let tell = () => {};
    fake.on('mcpLog.read', async ({ after }: { after?: number }) => {
      while (after !== undefined && entries.length <= after) {
        await new Promise<void>((resolve) => {
          tell = resolve;
        });
      }
      return { entries: entries.slice(after ?? 0), latest: entries.length, recording: false };
    });
    return (values: Partial<McpLogEntry> & { text: string }) => {
      entries.push({ number: entries.length + 1, at: 2, source: 'stderr', level: 'info', ...values });
      act(() => tell());
    };
  }
  const lines = () => screen.getAllByTestId('log-entry').map((line) => line.lastElementChild?.textContent);

  it('shows what there is and follows it', async () => {
    const add = serveLog();
    add({ text: 'old' });
    open('log');
    await screen.findByText('old');
    add({ text: 'new' });
    await screen.findByText('new');
    expect(lines()).toEqual(['old', 'new']);
  });

  it('stands still when it is paused, counts what comes, and goes on', async () => {
    const add = serveLog();
    add({ text: 'before' });
    open('log');
    await screen.findByText('before');
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    add({ text: 'meanwhile' });
    const goOn = await screen.findByRole('button', { name: 'Go on (1 new)' });
    expect(screen.queryByText('meanwhile')).toBeNull();
    await user.click(goOn);
    await screen.findByText('meanwhile');
  });

  it('can be searched, copied as it is shown, and cleared', async () => {
    const add = serveLog();
    add({ text: 'from stderr' });
    add({ text: 'an event', source: 'lifecycle' });
    open('log');
    await screen.findByText('from stderr');
    fireEvent.change(screen.getByLabelText('Find in the log'), { target: { value: 'EVENT' } });
    expect(screen.queryByText('from stderr')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Copy what is shown' }));
    await waitFor(() =>
      expect(fake.calls).toContainEqual(['app.copyText', { text: '1970-01-01T00:00:00.002Z lifecycle info an event' }]),
    );
    await user.click(screen.getByRole('button', { name: 'Clear the log' }));
    await screen.findByText('Nothing here yet.');
    expect(fake.calls).toContainEqual(['mcpLog.clear', { serverId: 'one' }]);
  });

  it('shows messages in one line, with their content folded', async () => {
    const add = serveLog();
    const message = {
      direction: 'in' as const,
      kind: 'response' as const,
      method: 'tools/call',
      id: '7',
      bytes: 1500,
      ms: 12,
    };
    add({ text: '{"result":"<b>bold</b>"}', source: 'message', level: 'debug', message });
    open('log');
    const row = await screen.findByRole('button', { name: /Received: tools\/call answer #7 1\.5 kB 12 ms/ });
    expect(screen.queryByText(/bold/)).toBeNull();
    await user.click(row);
    expect(screen.getByText(/"result": "<b>bold<\/b>"/)).toBeTruthy();
  });

  it('records messages in the background when that is switched on', async () => {
    serveLog();
    open('log');
    await user.click(await screen.findByRole('switch', { name: 'Record messages in the background' }));
    expect(fake.calls).toContainEqual(['mcpLog.setRecording', { serverId: 'one', recording: true }]);
  });
});

describe('a server of files', () => {
  const server: McpServerView = {
    ...stdioServer(),
    name: 'mine',
    builtin: 'folders',
    builtinOptions: { folders: ['/home/ann/a'] },
  };

  it('gets other folders', async () => {
    fake.on('mcpBuiltin.chooseFolders', () => ['/home/ann/b', '/home/ann/a']);
    fake.on('mcpBuiltin.edit', () => server);
    renderInApp(<ServerPage status={statusOf(server)} tab="tools" go={vi.fn()} />);
    await user.click(await screen.findByRole('button', { name: 'Change folders' }));
    const dialog = await screen.findByTestId('folders-dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Choose more' }));
    await user.click(await within(dialog).findByRole('button', { name: 'Leave out /home/ann/a' }));
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByTestId('folders-dialog')).toBeNull());
    expect(fake.calls).toContainEqual([
      'mcpBuiltin.edit',
      { serverId: server.id, name: 'mine', options: { folders: ['/home/ann/b'] } },
    ]);
  });
});
