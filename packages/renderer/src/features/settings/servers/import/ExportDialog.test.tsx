// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { FakeApi } from '../../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../../testing/set-up.tsx';
import { ExportDialog } from './ExportDialog.tsx';

let fake: FakeApi;
let path: string | null | undefined;
const user = userEvent.setup();
const exported = () => fake.calls.filter(([name]) => name === 'mcpImport.exportServers').map(([, input]) => input);

beforeEach(async () => {
  fake = await setUp();
  path = null;
  fake.on('mcpImport.exportServers', () => ({ count: 1, path }));
});

it('exports without values unless told otherwise', async () => {
  const close = vi.fn();
  renderInApp(<ExportDialog onClose={close} />);
  // Not the button that closes it, with its tooltip.
  expect(document.activeElement).toBe(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(exported()).toEqual([{ secrets: false, to: 'clipboard' }]);
});

it('exports values only after a second yes', async () => {
  path = '/home/ada/servers.json';
  renderInApp(<ExportDialog onClose={() => undefined} />);
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Save as a file' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(exported()).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Export with keys' }));
  await waitFor(() => expect(exported()).toEqual([{ secrets: true, to: 'file' }]));
});

it('stays open when no file was chosen', async () => {
  path = undefined;
  const close = vi.fn();
  renderInApp(<ExportDialog onClose={close} />);
  await user.click(screen.getByRole('button', { name: 'Save as a file' }));
  await waitFor(() => expect(exported().length).toBe(1));
  expect(close).not.toHaveBeenCalled();
});
