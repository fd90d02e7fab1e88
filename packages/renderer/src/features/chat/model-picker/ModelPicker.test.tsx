// @vitest-environment happy-dom

import type { ProviderView } from '@shared/contracts/providers.contract.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../../stores/app.ts';
import { connectStores } from '../../../stores/connect.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { useProviders } from '../../../stores/providers.ts';
import { useSettings } from '../../../stores/settings.ts';
import { demoProvider, type FakeApi } from '../../../testing/fake-api.ts';
import { CONVERSATION, conversation } from '../../../testing/messages.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { ModelPicker } from './ModelPicker.tsx';

const provider = (values: Partial<ProviderView>): ProviderView => ({
  id: 'acme',
  preset: 'custom',
  name: 'Acme',
  format: 'openai',
  baseUrl: null,
  models: [{ id: 'acme-1', name: 'Acme One' }, { id: 'acme-2' }],
  enabled: true,
  keyState: 'set',
  ...values,
});

let fake: FakeApi;
beforeEach(async () => {
  fake = await setUp({
    conversations: [conversation()],
    providers: [
      demoProvider,
      provider({}),
      provider({ id: 'bare', name: 'Bare', keyState: 'not-set' }),
      provider({ id: 'off', name: 'Switched off', enabled: false }),
    ],
  });
  connectStores(() => undefined);
  await waitFor(() => expect(useProviders.getState().providers).not.toBeNull());
  await waitFor(() => expect(useSettings.getState().settings).not.toBeNull());
  await waitFor(() => expect(useConversations.getState().conversations).not.toBeNull());
  useConversations.getState().select(CONVERSATION);
  renderInApp(<ModelPicker />);
  fireEvent.click(screen.getByTestId('model-picker'));
  await screen.findByRole('option', { name: /Acme One/ }, { timeout: 10_000 });
});

describe('the model picker', () => {
  it('marks the demo as no AI, where it is chosen and where it can be', () => {
    expect(screen.getByTestId('model-picker').textContent).toContain('not an AI model');
    expect(screen.getByRole('group', { name: /not an AI model/ })).toBeTruthy();
  });

  it('lists the models of the providers that are on', () => {
    const options = screen.getAllByRole('option').map(({ textContent }) => textContent);
    expect(options).toEqual(['Demo model', 'Acme One', 'acme-2', 'Enter a key to use its models', 'Add a provider']);
  });

  it('chooses a model for this conversation and for those begun after it', async () => {
    const model = { providerId: 'acme', modelId: 'acme-2' };
    fireEvent.click(screen.getByRole('option', { name: 'acme-2' }));
    await waitFor(() => expect(screen.getByTestId('model-picker').textContent).toContain('acme-2'));
    expect(fake.calls).toContainEqual(['conversations.setModel', { conversationId: CONVERSATION, model }]);
    expect(fake.calls).toContainEqual(['settings.set', { lastModel: model }]);
    expect(screen.queryByRole('option')).toBeNull();
  });

  it('finds models by their own and their provider’s name', async () => {
    fireEvent.change(screen.getByPlaceholderText('Search models'), { target: { value: 'acme one' } });
    await waitFor(() =>
      expect(screen.getAllByRole('option').map(({ textContent }) => textContent)[0]).toBe('Acme One'),
    );
    expect(screen.queryByRole('option', { name: 'Demo model' })).toBeNull();
  });

  it.each([
    [/Enter a key/, undefined],
    [/Add a provider/, 'add'],
  ])('leads to the settings: %s', (name, intent) => {
    fireEvent.click(screen.getByRole('option', { name }));
    expect(useApp.getState().view).toEqual({ name: 'settings', section: 'providers', intent });
  });
});
