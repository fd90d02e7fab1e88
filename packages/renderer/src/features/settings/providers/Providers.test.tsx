// @vitest-environment happy-dom
import type { ProviderPreset, ProviderView } from '@shared/contracts/providers.contract.ts';
import { DEFAULT_SETTINGS } from '@shared/contracts/settings.contract.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../../stores/app.ts';
import { useProviders } from '../../../stores/providers.ts';
import { useSettings } from '../../../stores/settings.ts';
import { demoProvider, type FakeApi } from '../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { forgetAllKept } from '../shared/kept-state.ts';
import { Providers } from './Providers.tsx';

const preset: ProviderPreset = {
  id: 'openai',
  name: 'OpenAI',
  format: 'openai-responses',
  baseUrl: 'https://api.openai.com/v1',
  needsKey: true,
  keyUrl: 'https://platform.openai.com/api-keys',
};
const openai: ProviderView = {
  id: 'p',
  preset: 'openai',
  name: 'OpenAI',
  format: 'openai-responses',
  baseUrl: null,
  models: [{ id: 'listed' }, { id: 'typed-in' }],
  enabled: true,
  keyState: 'set',
};

let fake: FakeApi;
const user = userEvent.setup();
const sent = (call: string) => fake.calls.filter(([name]) => name === call).map(([, input]) => input);

beforeEach(async () => {
  forgetAllKept();
  fake = await setUp();
  fake.on('providers.presets', () => [preset]);
  fake.on('providers.update', () => openai);
  useProviders.setState({ providers: [demoProvider, openai] });
});

it('shows the demo first, as what it is, with nothing to change about it', async () => {
  renderInApp(<Providers />);
  const [demo, other] = await screen.findAllByTestId('provider-row');
  expect(demo?.textContent).toContain('Not an AI model');
  expect(within(demo!).queryAllByRole('button')).toEqual([]);
  expect(within(demo!).queryByRole('switch')).toBeNull();
  expect(other?.textContent).toContain('Key set');
});

it('adds one, and tries it out', async () => {
  useProviders.setState({ providers: [demoProvider] });
  fake.on('providers.add', () => {
    useProviders.setState({ providers: [demoProvider, { ...openai, models: [] }] });
    return openai;
  });
  fake.on('providers.refreshModels', () => openai);
  renderInApp(<Providers />);
  await user.click(await screen.findByTestId('add-provider'));
  await user.click(screen.getByRole('button', { name: /OpenAI/ }));
  expect(document.activeElement).toBe(screen.getByLabelText('Key'));
  await user.type(screen.getByLabelText('Key'), 'sk-1');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('It works: 2 models.')).toBeTruthy();
  expect(sent('providers.add')).toEqual([
    { preset: 'openai', name: 'OpenAI', baseUrl: null, format: undefined, key: 'sk-1' },
  ]);
  expect(sent('providers.refreshModels')).toHaveLength(1);
});

it('opens with the choice of a new one when that was asked for', async () => {
  useApp.setState({ view: { name: 'settings', section: 'providers', intent: 'add' } });
  renderInApp(<Providers />);
  expect(await screen.findByRole('heading', { name: 'Add a provider' })).toBeTruthy();
});

describe('the page of a provider', () => {
  const open = async () => {
    renderInApp(<Providers />);
    await user.click(await screen.findByRole('button', { name: 'OpenAI' }));
  };

  it('says of a stored key only that it is set, and can forget it', async () => {
    await open();
    expect(screen.queryByLabelText('Key')).not.toBeInstanceOf(HTMLInputElement);
    await user.click(screen.getByRole('button', { name: 'Forget' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent('providers.update')).toHaveLength(1));
    expect(sent('providers.update')[0]).toMatchObject({ providerId: 'p', key: null });
  });

  it.each([
    ['strong', null, /^Stored encrypted/],
    ['weak', null, /^You are asked/],
    ['weak', 'store', /^Stored with weak protection/],
    ['weak', 'session-only', /^Kept only until the app closes/],
    ['none', 'store', /^You are asked/],
  ] as const)('says how a key is kept: %s, %s', async (secretStorage, weakSecrets, words) => {
    fake.on('app.info', () => ({ secretStorage }));
    useSettings.setState({ settings: { ...DEFAULT_SETTINGS, weakSecrets } });
    await open();
    await user.click(screen.getByRole('button', { name: 'Replace' }));
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it('tries a new key out as soon as it is saved', async () => {
    fake.on('providers.refreshModels', () => openai);
    await open();
    await user.click(screen.getByRole('button', { name: 'Replace' }));
    await user.type(screen.getByLabelText('Key'), 'sk-3{Enter}');
    expect(await screen.findByText('It works: 2 models.')).toBeTruthy();
    expect(sent('providers.update')[0]).toMatchObject({ key: 'sk-3' });
  });

  it('asks for the key again when the address goes elsewhere', async () => {
    await open();
    const url = screen.getByLabelText('Base URL');
    await user.clear(url);
    await user.type(url, 'https://proxy.example/v1');
    expect(screen.getByText(/The stored key was given for https:\/\/api\.openai\.com/)).toBeTruthy();
    await user.type(screen.getByLabelText('Key'), 'sk-2');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent('providers.update')).toHaveLength(1));
    expect(sent('providers.update')[0]).toMatchObject({ baseUrl: 'https://proxy.example/v1', key: 'sk-2' });
  });

  it('shows why a test failed, with what to do', async () => {
    fake.on('providers.refreshModels', () => {
      throw { code: 'key-refused', message: 'The key was refused.', hint: 'Enter another one.' };
    });
    await open();
    await user.click(screen.getByRole('button', { name: 'Test' }));
    expect(await screen.findByText('The key was refused.')).toBeTruthy();
    expect(screen.getByText(/^Check the key above/)).toBeTruthy();
    expect(screen.getByText('Key refused')).toBeTruthy();
    expect(screen.queryByText('Key set')).toBeNull();
  });

  it('stops a test', async () => {
    let stopped: (() => void) | undefined;
    fake.on('providers.refreshModels', () => {
      return new Promise((_resolve, reject) => {
        stopped = () => reject({ code: 'cancelled', message: 'It was stopped.' });
      });
    });
    fake.on('providers.stopRefresh', () => stopped?.());
    await open();
    await user.click(screen.getByRole('button', { name: 'Test' }));
    await user.click(await screen.findByRole('button', { name: 'Stop' }));
    expect(await screen.findByText('Stopped. The models stay as they were.')).toBeTruthy();
    expect(sent('providers.stopRefresh')).toEqual([{ providerId: 'p' }]);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Test' }));
  });

  it('offers to keep models that a test would have dropped', async () => {
    fake.on('providers.refreshModels', () => {
      const fresh = { ...openai, models: [{ id: 'listed' }] };
      useProviders.setState({ providers: [demoProvider, fresh] });
      return fresh;
    });
    await open();
    await user.click(screen.getByRole('button', { name: 'Test' }));
    expect(await screen.findByText(/not listed any more: typed-in/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Keep them' }));
    await waitFor(() =>
      expect(sent('providers.update')).toEqual([{ providerId: 'p', models: [{ id: 'listed' }, { id: 'typed-in' }] }]),
    );
  });

  it('adds and removes models by hand', async () => {
    await open();
    const field = screen.getByLabelText('Id of a model');
    await user.type(field, 'listed');
    expect(screen.getByText('This model is in the list already.')).toBeTruthy();
    await user.clear(field);
    await user.type(field, ' mine {Enter}');
    await user.click(screen.getByRole('button', { name: 'Remove listed' }));
    await waitFor(() => expect(sent('providers.update')).toHaveLength(2));
    expect(sent('providers.update')).toEqual([
      { providerId: 'p', models: [...openai.models, { id: 'mine' }] },
      { providerId: 'p', models: [{ id: 'typed-in' }] },
    ]);
  });
});
