// @vitest-environment happy-dom
import type { SignInStatus } from '@shared/contracts/oauth.contract.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { useSignIns } from '../../stores/sign-ins.ts';
import type { FakeApi } from '../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../testing/set-up.tsx';
import { SignedIn } from './SignedIn.tsx';
import { SignInNote } from './SignInNote.tsx';

let fake: FakeApi;
const user = userEvent.setup();
const said = (call: string) => fake.calls.filter(([name]) => name === `oauth.${call}`).map(([, input]) => input);
const become = (status: Partial<SignInStatus>) =>
  act(() => useSignIns.getState().replace({ serverId: 'one', signedIn: false, ...status }));
const show = () => renderInApp(<SignInNote serverId="one" serverName="Notes" />);

beforeEach(async () => {
  fake = await setUp();
  fake.on('oauth.prepare', () => ({ host: 'login.example:8443' }));
  useSignIns.setState({ byServer: {} });
});

describe('a server that wants a sign-in', () => {
  it('says nothing before it does', () => {
    show();
    expect(screen.queryByTestId('sign-in')).toBeNull();
    become({});
    expect(screen.queryByTestId('sign-in')).toBeNull();
  });

  it('names the host, and opens it only after that', async () => {
    show();
    become({ needs: 'sign-in' });
    await user.click(screen.getByTestId('sign-in'));
    expect((await screen.findByTestId('sign-in-host')).textContent).toBe('login.example:8443');
    expect(said('open')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Open browser' }));
    expect(said('open')).toEqual([{ serverId: 'one' }]);
    become({ needs: 'sign-in', attempt: { step: 'browser', host: 'login.example:8443' } });
    expect(screen.getByTestId('sign-in-dialog').textContent).toContain('Waiting until you have finished');
    become({ signedIn: true });
    await waitFor(() => expect(screen.queryByTestId('sign-in-dialog')).toBeNull());
    expect(said('cancel')).toEqual([]);
  });

  it('gives the sign-in up with the dialog', async () => {
    show();
    become({ needs: 'more-rights' });
    await user.click(screen.getByTestId('sign-in'));
    await screen.findByTestId('sign-in-host');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByTestId('sign-in-dialog')).toBeNull());
    expect(said('cancel')).toEqual([{ serverId: 'one' }]);
  });

  it('shows why it came to nothing, and begins again', async () => {
    show();
    become({ needs: 'sign-in' });
    await user.click(screen.getByTestId('sign-in'));
    await user.click(await screen.findByRole('button', { name: 'Open browser' }));
    become({ needs: 'sign-in', error: { code: 'sign-in-failed', message: 'Access was denied on the sign-in page.' } });
    expect(await screen.findByText('Access was denied on the sign-in page.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Begin again' }));
    await screen.findByRole('button', { name: 'Open browser' });
    expect(said('prepare').length).toBe(2);
  });

  it('asks for a client where the app can not register itself', async () => {
    let asked = 0;
    fake.on('oauth.prepare', () => {
      if (asked++ === 0) throw { code: 'client-needed', message: 'It does not let apps register themselves.' };
      return { host: 'login.example' };
    });
    show();
    become({ needs: 'sign-in' });
    await user.click(screen.getByTestId('sign-in'));
    const dialog = await screen.findByTestId('sign-in-dialog');
    await user.type(await within(dialog).findByLabelText('Client ID'), ' given ');
    await user.click(within(dialog).getByRole('button', { name: 'Continue' }));
    await screen.findByTestId('sign-in-host');
    expect(said('prepare').at(-1)).toEqual({ serverId: 'one', client: { id: 'given' } });
  });
});

it('offers to sign out while signed in', async () => {
  renderInApp(<SignedIn serverId="one" />);
  expect(screen.queryByRole('button')).toBeNull();
  become({ signedIn: true });
  await user.click(screen.getByRole('button', { name: 'Sign out' }));
  expect(said('signOut')).toEqual([{ serverId: 'one' }]);
});
