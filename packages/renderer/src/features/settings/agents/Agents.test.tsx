// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { useProviders } from '../../../stores/providers.ts';
import { preset } from '../../../testing/fake-agent.ts';
import type { FakeApi } from '../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { forgetAllKept } from '../shared/kept-state.ts';
import { Agents } from './Agents.tsx';

let fake: FakeApi;
const user = userEvent.setup();
const row = (id: string) => document.querySelector<HTMLElement>(`[data-preset-id="${id}"]`)!;
const saved = () => fake.calls.filter(([call]) => call === 'agent.savePreset').map(([, input]) => input);

beforeEach(async () => {
  forgetAllKept();
  fake = await setUp();
  fake.state.presets.push(preset('mine', { name: 'Mine' }));
  await useProviders.getState().load();
  renderInApp(<Agents />);
  await screen.findAllByTestId('preset-row');
});

it('lists those of the app, which can only be copied, and the own ones', () => {
  expect(screen.getAllByTestId('preset-row')).toHaveLength(4);
  expect(
    within(row('coder'))
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Copy']);
  expect(within(row('mine')).getByRole('button', { name: 'Mine' })).toBeTruthy();
});

it('copies one of the app under a name of its own', async () => {
  await user.click(screen.getByRole('button', { name: 'Copy “Coder”' }));
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Copy of Coder');
  await user.click(screen.getByRole('checkbox', { name: /WebFetch/ }));
  await user.click(screen.getByRole('checkbox', { name: /Bash.*changes something/ }));
  await user.click(screen.getByRole('switch', { name: 'Memory' }));
  await user.click(screen.getByRole('radio', { name: 'Strict' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved()).toHaveLength(1));
  expect(saved()[0]).toMatchObject({
    name: 'Copy of Coder',
    tools: ['Read', 'ListDir', 'Glob', 'Grep', 'Write', 'Edit', 'WebFetch', 'TodoWrite'],
    servers: ['memory'],
    guardian: 'strict',
    tokenBudget: 500_000,
  });
  expect(saved()[0]).not.toHaveProperty('id');
  await waitFor(() => expect(screen.getAllByTestId('preset-row')).toHaveLength(5));
});

describe('an own one', () => {
  beforeEach(() => user.click(within(row('mine')).getByRole('button', { name: 'Mine' })));

  it('is changed', async () => {
    await user.clear(screen.getByLabelText('Rounds'));
    await user.type(screen.getByLabelText('Rounds'), '200');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved()[0]).toMatchObject({ id: 'mine', maxRounds: 200 }));
  });

  it('says what is wrong at its field and saves nothing', async () => {
    await user.clear(screen.getByLabelText('Name'));
    await user.type(screen.getByLabelText('Name'), 'coder');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('Another agent has this name.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')));
    expect(saved()).toEqual([]);
  });

  it('marks a name that main knows to be taken', async () => {
    fake.on('agent.savePreset', () => {
      throw { code: 'name-taken', message: 'Taken.' };
    });
    await user.type(screen.getByLabelText('Name'), ' 2');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Another agent has this name.')).toBeTruthy();
  });

  it('is deleted once that was confirmed', async () => {
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(fake.calls.some(([call]) => call === 'agent.removePreset')).toBe(false);
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.getAllByTestId('preset-row')).toHaveLength(3));
  });
});
