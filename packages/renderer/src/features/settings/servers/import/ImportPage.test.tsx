// @vitest-environment happy-dom
import type { FoundMcpServer, McpImportSource } from '@shared/contracts/mcp-import.contract.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { useServers } from '../../../../stores/servers.ts';
import { useToasts } from '../../../../stores/toasts.ts';
import type { FakeApi } from '../../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../../testing/set-up.tsx';
import { statusOf, stdioServer } from '../test-support.ts';
import { ImportPage } from './ImportPage.tsx';

const found = (key: string, more: Partial<FoundMcpServer> = {}): FoundMcpServer => ({
  key,
  name: key,
  type: 'stdio',
  config: { command: 'npx', args: ['-y', `${key}-package`], envNames: [], headerNames: [] },
  status: 'new',
  changes: [],
  inputs: [],
  notes: [],
  unknownPlaceholders: [],
  ...more,
});
const source = (id: string, servers: FoundMcpServer[], more: Partial<McpImportSource> = {}): McpImportSource => ({
  id,
  program: 'Claude Desktop',
  path: `/home/ada/${id}.json`,
  servers,
  problems: [],
  ...more,
});

let fake: FakeApi;
const add = vi.fn();
const user = userEvent.setup();
const applied = () => fake.calls.filter(([name]) => name === 'mcpImport.apply').map(([, input]) => input);
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });

function show(...sources: McpImportSource[]) {
  fake.on('mcpImport.scan', () => ({ scanId: 's1', sources, programs: ['Claude Desktop'] }));
  const done = vi.fn();
  renderInApp(<ImportPage onDone={done} onAdd={add} />);
  return done;
}

beforeEach(async () => {
  fake = await setUp();
  fake.on('mcpImport.apply', ({ picks }: { picks: { key: string }[] }) => ({
    outcomes: picks.map(({ key }) => ({ key, name: key, outcome: 'added' })),
    undoId: 'u1',
  }));
  fake.on('mcpImport.undo', () => ({ undone: 1, kept: 0 }));
});

it('says where it looked when there is nothing, and offers to add a server by hand', async () => {
  show();
  expect(await screen.findByText(/Claude Desktop/)).toBeTruthy();
  await user.click(await button('Add a tool server'));
  expect(add).toHaveBeenCalled();
});

it('shows everything with hidden characters, ticks nothing by itself, and imports only what is ticked', async () => {
  const hidden = found('evil', {
    config: { command: 'sh', args: ['-c', 'touch\u202Eowned'], envNames: ['API_KEY'], headerNames: [] },
    notes: ['approvals'],
    unknownPlaceholders: [`\${command:x}`],
  });
  const done = show(source('a', [found('one'), hidden]), source('b', [], { error: 'It is not valid JSON.' }));
  await screen.findByText('one');
  const page = screen.getByTestId('import-page');
  for (const text of ['one-package', 'API_KEY', 'U+202E', 'not valid JSON', 'not taken over', 'command:x']) {
    expect(page.textContent).toContain(text);
  }
  expect((await button('Import')).disabled).toBe(true);
  await user.click(screen.getAllByRole('checkbox')[0]!);
  await user.click(await button('Import 1 server'));
  await waitFor(() => expect(done).toHaveBeenCalled());
  expect(applied()).toEqual([{ scanId: 's1', picks: [{ key: 'one', replace: false, inputs: {} }] }]);

  const [toast] = useToasts.getState().toasts;
  toast?.action?.run();
  await waitFor(() => expect(fake.calls).toContainEqual(['mcpImport.undo', { undoId: 'u1' }]));
});

it('says what changed and asks before it replaces', async () => {
  const changed = found('mine', {
    status: 'changed',
    existing: { id: 'x', name: 'mine' },
    changes: ['args', 'env:KEY'],
  });
  const same = found('old', { status: 'same', existing: { id: 'y', name: 'other' } });
  show(source('a', [changed, same]));
  expect(await screen.findByText(/variable KEY/)).toBeTruthy();
  const [box, sameBox] = screen.getAllByRole<HTMLButtonElement>('checkbox');
  expect(sameBox?.disabled).toBe(true);
  await user.click(box!);
  await user.click(await button('Import 1 server'));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('mine');
  expect(applied()).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Replace' }));
  await waitFor(() => expect(applied()).toMatchObject([{ picks: [{ key: 'mine', replace: true }] }]));
});

it('adds beside what is here without asking', async () => {
  show(source('a', [found('mine', { status: 'changed', existing: { id: 'x', name: 'mine' }, changes: ['args'] })]));
  await user.click(await screen.findByRole('checkbox'));
  await user.click(screen.getByRole('radio', { name: 'Add it as well' }));
  await user.click(await button('Import 1 server'));
  await waitFor(() => expect(applied()).toMatchObject([{ picks: [{ replace: false }] }]));
});

it('asks for what a server leaves open, masked', async () => {
  show(source('a', [found('open', { inputs: [{ id: 'key', description: 'The key', secret: true }] })]));
  await user.click(await screen.findByRole('checkbox'));
  await user.click(await button('Import 1 server'));
  expect(await screen.findByText('Enter a value.')).toBeTruthy();
  expect(applied()).toEqual([]);
  const field = screen.getByLabelText<HTMLInputElement>('The key');
  expect(field.type).toBe('password');
  await user.type(field, 'sk-1');
  await user.click(await button('Import 1 server'));
  await waitFor(() => expect(applied()).toMatchObject([{ picks: [{ inputs: { key: 'sk-1' } }] }]));
});

it('stays with what failed, and offers only that again', async () => {
  fake.on('mcpImport.apply', ({ picks }: { picks: { key: string }[] }) => ({
    outcomes: picks.map(({ key }) =>
      key === 'bad'
        ? { key, name: key, outcome: 'failed', error: { code: 'store-failed', message: 'The disk is full.' } }
        : { key, name: key, outcome: 'added' },
    ),
    undoId: 'u1',
  }));
  const done = show(source('a', [found('good'), found('bad')]));
  await user.click(await button('Tick 2 new'));
  await user.click(await button('Import 2 servers'));
  expect(await screen.findByText('The disk is full.')).toBeTruthy();
  expect(done).not.toHaveBeenCalled();
  await user.click(await button('Import 1 server'));
  await waitFor(() => expect(applied()[1]).toMatchObject({ picks: [{ key: 'bad' }] }));
});

it('takes at most 200 at once, and shows a long list in parts', async () => {
  show(
    source(
      'a',
      Array.from({ length: 1000 }, (_, n) => found(`s${n}`)),
    ),
  );
  await user.click(await button('Tick 1000 new'));
  expect(await screen.findByText(/At most 200/)).toBeTruthy();
  expect((await button('Import 1000 servers')).disabled).toBe(true);
  expect(screen.getAllByRole('checkbox').length).toBe(20);
});

it('shows what is here beside what differs from it', async () => {
  useServers.setState({ servers: [statusOf(stdioServer({ args: ['-y', 'old-package'] }))] });
  const existing = { id: 'one', name: 'files' };
  show(source('a', [found('files', { status: 'changed', existing, changes: ['args'] })]));
  const server = await screen.findByTestId('found-server');
  expect(server.textContent).toContain('Differs in: arguments');
  expect(server.textContent).not.toContain('old-package');
  await user.click(within(server).getByRole('button', { name: 'Yours now' }));
  expect(server.textContent).toContain('old-package');
});
