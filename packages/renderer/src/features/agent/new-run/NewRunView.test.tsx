// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../../stores/app.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { useProviders } from '../../../stores/providers.ts';
import { useSettings } from '../../../stores/settings.ts';
import { preset } from '../../../testing/fake-agent.ts';
import type { FakeApi } from '../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { forgetDraft } from './draft.ts';
import NewRunView from './NewRunView.tsx';

let fake: FakeApi;
const user = userEvent.setup();
const goal = () => screen.getByTestId<HTMLTextAreaElement>('goal-input');
const folder = () => screen.getByTestId<HTMLInputElement>('workspace-input');
const started = () => fake.calls.filter(([call]) => call === 'agent.start').map(([, input]) => input);

async function show(workspaces = ['/home/ada/tea', '/home/ada/notes']) {
  localStorage.clear();
  forgetDraft();
  fake = await setUp({ workspaces });
  fake.state.presets.push(preset('wild', { name: 'Wild', mode: 'bypass' }));
  await Promise.all([
    useSettings.getState().load(),
    useProviders.getState().load(),
    useConversations.getState().load(),
  ]);
  useApp.setState({ view: { name: 'new-run', from: 'before' } });
  renderInApp(<NewRunView />);
  await screen.findByTestId('goal-input');
}

describe('a new run', () => {
  it('begins with the goal focused, in the folder used last, as the first agent', async () => {
    await show();
    expect(document.activeElement).toBe(goal());
    await waitFor(() => expect(folder().value).toBe('/home/ada/tea'));
    expect(screen.getByRole('radio', { name: /Assistant/ }).getAttribute('aria-checked')).toBe('true');
  });

  it('starts on Enter with what was chosen, and is shown', async () => {
    await show();
    await user.click(screen.getByRole('radio', { name: /Coder/ }));
    await user.click(screen.getByRole('radio', { name: 'Accept edits' }));
    await user.type(goal(), 'Fix the tests{Shift>}{Enter}{/Shift}and run them{Enter}');
    await waitFor(() => expect(started()).toHaveLength(1));
    expect(started()[0]).toEqual({
      presetId: 'coder',
      workspace: '/home/ada/tea',
      goal: 'Fix the tests\nand run them',
      model: { providerId: 'demo', modelId: 'demo' },
      mode: 'accept-edits',
    });
    await waitFor(() => expect(useApp.getState().view).toEqual({ name: 'chat' }));
    expect(useConversations.getState().selectedId).toMatch(/^run-/);
  });

  it('starts with the modifier where Enter is for new lines', async () => {
    await show();
    await useSettings.getState().set({ sendWithModifier: true });
    fireEvent.change(goal(), { target: { value: 'Tidy up' } });
    fireEvent.keyDown(goal(), { key: 'Enter' });
    expect(started()).toEqual([]);
    fireEvent.keyDown(goal(), { key: 'Enter', ctrlKey: true });
    await waitFor(() => expect(started()).toHaveLength(1));
  });

  it('says at their fields what is missing', async () => {
    await show([]);
    await user.click(screen.getByTestId('start-run'));
    expect(screen.getByText('Say what is to be done.')).toBeTruthy();
    expect(screen.getByText('Choose the folder that it works in.')).toBeTruthy();
    expect(started()).toEqual([]);
    expect(goal().getAttribute('aria-invalid')).toBe('true');
  });

  it('takes a folder from the dialog, and one that was used before', async () => {
    await show();
    fake.on('agent.chooseWorkspace', () => '/home/ada/chosen');
    await user.click(screen.getByTestId('choose-workspace'));
    await waitFor(() => expect(folder().value).toBe('/home/ada/chosen'));
    await user.click(screen.getByRole('button', { name: 'Recent' }));
    await user.click(await screen.findByRole('menuitem', { name: '/home/ada/notes' }));
    expect(folder().value).toBe('/home/ada/notes');
  });

  it('marks a folder that is not there, until it is another', async () => {
    await show();
    fake.on('agent.start', () => {
      throw { code: 'workspace-missing', message: 'No such folder.' };
    });
    await user.type(goal(), 'Go{Enter}');
    expect(await screen.findByText('There is no such folder. Choose another.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(folder()));
    await user.type(folder(), '2');
    expect(screen.queryByText('There is no such folder. Choose another.')).toBeNull();
  });

  it('shows any other refusal and keeps what was entered', async () => {
    await show();
    fake.on('agent.start', () => {
      throw { code: 'store-failed', message: 'The disk is full.' };
    });
    await user.type(goal(), 'Go{Enter}');
    expect(await screen.findByText('The disk is full.')).toBeTruthy();
    expect(goal().value).toBe('Go');
  });

  it('asks each time before it works without asking', async () => {
    await show();
    await user.click(screen.getByRole('radio', { name: /Wild/ }));
    await user.type(goal(), 'Go{Enter}');
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog.textContent).toContain('/home/ada/tea');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(started()).toEqual([]);
    await user.click(screen.getByTestId('start-run'));
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Start without asking' }),
    );
    await waitFor(() => expect(started()[0]).toMatchObject({ mode: 'bypass' }));
  });

  it('goes back to what was shown before on Esc', async () => {
    await show();
    await user.keyboard('{Escape}');
    expect(useApp.getState().view).toEqual({ name: 'chat' });
    expect(useConversations.getState().selectedId).toBe('before');
  });
});

it('says that the agents could not be loaded, and tries again', async () => {
  forgetDraft();
  fake = await setUp();
  fake.on('agent.presets', () => {
    throw { code: 'store-failed', message: 'The agents could not be read.' };
  });
  renderInApp(<NewRunView />);
  await screen.findByText('The agents could not be read.');
  fake.on('agent.presets', () => fake.state.presets);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByTestId('goal-input')).toBeTruthy();
});
