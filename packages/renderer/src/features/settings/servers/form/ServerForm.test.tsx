// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useServers } from '../../../../stores/servers.ts';
import type { FakeApi } from '../../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../../testing/set-up.tsx';
import { forgetAllKept } from '../../shared/kept-state.ts';
import { SecretChoiceDialog } from '../../shared/SecretChoiceDialog.tsx';
import { statusOf, stdioServer } from '../test-support.ts';
import { ServerForm } from './ServerForm.tsx';

const refusal = { code: 'connect-failed', message: 'It ended with exit code 3.', hint: 'Check its command.' };
let fake: FakeApi;
const user = userEvent.setup();
const sent = (call: string) => fake.calls.filter(([name]) => name === call).map(([, input]) => input);

beforeEach(async () => {
  forgetAllKept();
  fake = await setUp();
  fake.on('mcp.update', () => stdioServer());
  fake.on('mcp.add', () => stdioServer());
});

describe('a new server', () => {
  it('is added with what was typed', async () => {
    const done = vi.fn();
    renderInApp(<ServerForm onDone={done} />);
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
    await user.type(screen.getByLabelText('Name'), 'files');
    await user.type(screen.getByLabelText('Command'), 'npx');
    await user.type(screen.getByLabelText('Arguments'), '-y{Enter}my server');
    await user.click(screen.getByRole('button', { name: 'New variable' }));
    await user.type(screen.getByLabelText('Variable 1'), 'API_KEY');
    await user.type(screen.getByLabelText('Value 1'), 'secret');
    expect(screen.getByLabelText('Value 1').getAttribute('type')).toBe('password');
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(done).toHaveBeenCalledWith('one'));
    expect(sent('mcp.add')).toEqual([
      {
        name: 'files',
        type: 'stdio',
        config: { command: 'npx', args: ['-y', 'my server'], cwd: undefined, env: { API_KEY: 'secret' } },
        limits: undefined,
      },
    ]);
  });

  it('can be left without a question when only its type was chosen', async () => {
    const done = vi.fn();
    renderInApp(<ServerForm onDone={done} />);
    await user.click(screen.getByRole('radio', { name: /HTTP/ }));
    await user.click(screen.getByRole('button', { name: 'Tool servers' }));
    expect(done).toHaveBeenCalled();
  });

  it('is not sent while something is wrong, and the first wrong field gets the focus', async () => {
    renderInApp(<ServerForm onDone={() => undefined} />);
    await user.type(screen.getByLabelText('Name'), 'files');
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Command')));
    expect(screen.getByLabelText('Command').getAttribute('aria-invalid')).toBe('true');
    expect(sent('mcp.add')).toEqual([]);
  });

  it('marks a folder that a test did not find, until it is another', async () => {
    fake.on('mcp.test', () => {
      throw { code: 'folder-missing', message: 'The working folder “/nowhere” does not exist.' };
    });
    renderInApp(<ServerForm onDone={() => undefined} />);
    const folder = screen.getByLabelText(/^Folder/);
    await user.type(screen.getByLabelText('Command'), 'sh');
    await user.type(folder, '/nowhere');
    await user.click(screen.getByRole('button', { name: 'Test' }));
    await waitFor(() => expect(document.activeElement).toBe(folder));
    expect(folder.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('There is no such folder. Choose another.')).toBeTruthy();
    await user.type(folder, '2');
    expect(screen.queryByText('There is no such folder. Choose another.')).toBeNull();
  });

  it('keeps everything that was typed when a test fails, and when saving fails', async () => {
    fake.on('mcp.test', () => {
      throw refusal;
    });
    fake.on('mcp.add', () => {
      throw { code: 'store-failed', message: 'The disk is full.' };
    });
    renderInApp(<ServerForm onDone={() => undefined} />);
    await user.type(screen.getByLabelText('Command'), 'sh');
    await user.click(screen.getByRole('button', { name: 'Test' }));
    expect(await screen.findByText(refusal.message)).toBeTruthy();
    await user.type(screen.getByLabelText('Name'), 'files');
    await user.click(screen.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('The disk is full.')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Command').value).toBe('sh');
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('files');
  });

  it('can be stopped while it is tested, and is when one leaves', async () => {
    let stopped: (() => void) | undefined;
    fake.on('mcp.test', () => {
      return new Promise((_resolve, reject) => {
        stopped = () => reject({ code: 'cancelled', message: 'The test was stopped.' });
      });
    });
    fake.on('mcp.stopTest', () => stopped?.());
    const { unmount } = renderInApp(<ServerForm onDone={() => undefined} />);
    await user.type(screen.getByLabelText('Command'), 'sh');
    await user.click(screen.getByRole('button', { name: 'Test' }));
    await user.click(await screen.findByRole('button', { name: 'Stop' }));
    expect(await screen.findByText('Stopped.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Test' }));
    expect(screen.queryByRole('alert')).toBeNull();

    await user.keyboard('{Enter}');
    await screen.findByRole('button', { name: 'Stop' });
    unmount();
    const ids = sent('mcp.test').map((input) => ({ testId: (input as { testId: string }).testId }));
    expect(sent('mcp.stopTest')).toEqual(ids);
    expect(ids[0]).not.toEqual(ids[1]);
  });

  it('is still there after a look at the chat', async () => {
    const { unmount } = renderInApp(<ServerForm onDone={() => undefined} />);
    await user.type(screen.getByLabelText('Command'), 'npx');
    unmount();
    renderInApp(<ServerForm onDone={() => undefined} />);
    expect(screen.getByLabelText<HTMLInputElement>('Command').value).toBe('npx');
  });

  it('asks before Esc loses what was typed', async () => {
    const done = vi.fn();
    renderInApp(<ServerForm onDone={done} />);
    await user.keyboard('{Escape}');
    expect(done).toHaveBeenCalledTimes(1);
    await user.type(screen.getByLabelText('Name'), 'x');
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('alertdialog')).toBeTruthy();
    expect(done).toHaveBeenCalledTimes(1);
  });
});

describe('where the system has no strong encryption', () => {
  const typeAll = async () => {
    await user.type(screen.getByLabelText('Name'), 'files');
    await user.type(screen.getByLabelText('Command'), 'npx');
  };
  const refuseUntilChosen = () => {
    let chosen = false;
    fake.on('app.chooseWeakSecrets', () => {
      chosen = true;
    });
    fake.on('mcp.add', () => {
      if (!chosen) throw { code: 'weak-secrets', message: 'No strong encryption.' };
      return stdioServer();
    });
  };

  it('asks how to keep secrets, and goes on with saving', async () => {
    refuseUntilChosen();
    const done = vi.fn();
    renderInApp(
      <>
        <ServerForm onDone={done} />
        <SecretChoiceDialog />
      </>,
    );
    await typeAll();
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await user.click(await screen.findByRole('button', { name: 'Store with weak protection' }));
    await waitFor(() => expect(done).toHaveBeenCalled());
    expect(sent('app.chooseWeakSecrets')).toEqual([{ choice: 'store' }]);
    expect(sent('mcp.add')).toHaveLength(2);
  });

  it('saves nothing and loses nothing without an answer', async () => {
    refuseUntilChosen();
    const done = vi.fn();
    renderInApp(
      <>
        <ServerForm onDone={done} />
        <SecretChoiceDialog />
      </>,
    );
    await typeAll();
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await screen.findByTestId('secret-choice-dialog');
    await user.keyboard('{Escape}');
    expect(await screen.findByText('No strong encryption.')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Command').value).toBe('npx');
    expect(sent('app.chooseWeakSecrets')).toEqual([]);
    expect(done).not.toHaveBeenCalled();
  });
});

describe('a stored server', () => {
  const server = stdioServer({ args: ['-y'], envNames: ['TOKEN', 'OTHER'] });
  const open = () => {
    useServers.setState({ servers: [statusOf(server)] });
    renderInApp(<ServerForm server={server} onDone={() => undefined} />);
  };

  it('keeps secrets by sending null, for saving and for testing', async () => {
    open();
    await user.click(screen.getByRole('button', { name: 'Replace value 2' }));
    await user.type(screen.getByLabelText('Value 2'), 'new');
    await user.click(screen.getByRole('button', { name: 'Test' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent('mcp.update')).toHaveLength(1));
    const config = { command: 'npx', args: ['-y'], cwd: undefined, env: { TOKEN: null, OTHER: 'new' } };
    expect(sent('mcp.update')[0]).toMatchObject({ serverId: 'one', config });
    expect(sent('mcp.test')[0]).toMatchObject({ serverId: 'one', config });
  });

  it('asks for the secrets again as soon as the command is another one, and does not save before', async () => {
    open();
    await user.type(screen.getByLabelText('Command'), '2');
    expect(screen.getAllByText(/^Enter this value again/)).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Replace value 1' })));
    expect(sent('mcp.update')).toEqual([]);
  });
});
