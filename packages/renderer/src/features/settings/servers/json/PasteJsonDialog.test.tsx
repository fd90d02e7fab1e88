// @vitest-environment happy-dom
import type { McpServerDraft } from '@shared/contracts/mcp.contract.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { FakeApi } from '../../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../../testing/set-up.tsx';
import { PasteJsonDialog } from './PasteJsonDialog.tsx';

const program: McpServerDraft = {
  name: 'program',
  type: 'stdio',
  config: { command: 'sh', args: ['-c', 'touch owned'], env: { API_KEY: 'sk-123' } },
};
const remote: McpServerDraft = { name: 'remote', type: 'http', config: { url: 'https://example.com/mcp' } };

let fake: FakeApi;
const user = userEvent.setup();
const imported = () => fake.calls.filter(([name]) => name === 'mcp.import').map(([, input]) => input);
const paste = (text = '{}') =>
  fireEvent.change(screen.getByRole('textbox', { name: 'JSON or command' }), { target: { value: text } });

beforeEach(async () => {
  fake = await setUp();
  fake.on('mcp.parseJson', () => ({ servers: [program, remote], problems: [{ name: 'bad', reason: 'No command.' }] }));
});

it('shows everything, adds only what is ticked, and starts nothing', async () => {
  const close = vi.fn();
  renderInApp(<PasteJsonDialog onClose={close} />);
  paste();
  const [first] = await screen.findAllByRole('checkbox');
  const dialog = screen.getByRole('dialog');
  for (const text of ['sh', 'touch owned', 'API_KEY', 'https://example.com/mcp', 'No command.']) {
    expect(dialog.textContent).toContain(text);
  }
  expect(dialog.textContent).not.toContain('sk-123');
  await user.click(within(dialog).getByRole('button', { name: 'Show values' }));
  expect(dialog.textContent).toContain('sk-123');
  expect(imported()).toEqual([]);

  await user.click(first!);
  await user.click(screen.getByRole('button', { name: 'Add 1 server' }));
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(imported()).toEqual([{ servers: [remote] }]);
  // Import is the one call that adds switched off and without consent.
  expect(fake.calls.map(([name]) => name)).not.toContain('mcp.add');
  expect(fake.calls.map(([name]) => name)).not.toContain('mcp.setEnabled');
});

it('keeps those that could not be added, with the reason, and adds none twice', async () => {
  const close = vi.fn();
  let full = true;
  fake.on('mcp.import', ({ servers }: { servers: McpServerDraft[] }) => {
    if (full && servers[0]?.name === 'program') throw { code: 'store-failed', message: 'The disk is full.' };
    return [];
  });
  renderInApp(<PasteJsonDialog onClose={close} />);
  paste();
  await user.click(await screen.findByRole('button', { name: 'Add 2 servers' }));
  expect(await screen.findByText('The disk is full.')).toBeTruthy();
  full = false;
  await user.click(screen.getByRole('button', { name: 'Add 1 server' }));
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(imported()).toEqual([{ servers: [program] }, { servers: [remote] }, { servers: [program] }]);
});

it('adds nothing that was read from an earlier text', async () => {
  renderInApp(<PasteJsonDialog onClose={() => undefined} />);
  paste();
  await screen.findByRole('button', { name: 'Add 2 servers' });
  fake.on('mcp.parseJson', () => ({ servers: [], problems: [{ name: 'JSON', reason: 'Not valid.' }] }));
  paste('{');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add' }).disabled).toBe(true);
  expect(await screen.findByText('Not valid.')).toBeTruthy();
});

it('asks for what a server leaves open, and sends it for main to put in', async () => {
  const open: McpServerDraft = { ...program, config: { command: 'sh', env: { API_KEY: `\${input:key}` } } };
  const inputs = [
    { id: 'key', description: 'The key', secret: true },
    { id: 'unused', secret: true },
  ];
  fake.on('mcp.parseJson', () => ({ servers: [open], problems: [], inputs }));
  fake.on('mcp.import', () => []);
  renderInApp(<PasteJsonDialog onClose={() => undefined} />);
  paste();
  await user.click(await screen.findByRole('button', { name: 'Add 1 server' }));
  expect(await screen.findByText('Enter a value.')).toBeTruthy();
  expect(screen.queryByLabelText('unused')).toBeNull();
  await user.type(screen.getByLabelText('The key'), 'sk-1');
  await user.click(screen.getByRole('button', { name: 'Add 1 server' }));
  await waitFor(() => expect(imported()).toEqual([{ servers: [open], inputs: { key: 'sk-1' } }]));
});
