// @vitest-environment happy-dom

import { DEFAULT_SETTINGS } from '@shared/contracts/settings.contract.ts';
import { act, createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useChat } from '../../../stores/chat.ts';
import { connectStores } from '../../../stores/connect.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { useProviders } from '../../../stores/providers.ts';
import { useSettings } from '../../../stores/settings.ts';
import { demoProvider, type FakeApi, type FakeState } from '../../../testing/fake-api.ts';
import { CONVERSATION, conversation, started } from '../../../testing/messages.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { Composer } from './Composer.tsx';

let fake: FakeApi;
const onSent = vi.fn();

async function show(initial: Partial<FakeState> = {}) {
  fake = await setUp({ conversations: [conversation(), conversation({ id: 'other' })], ...initial });
  connectStores(() => undefined);
  await waitFor(() => expect(useProviders.getState().providers).not.toBeNull());
  await waitFor(() => expect(useSettings.getState().settings).not.toBeNull());
  await waitFor(() => expect(useConversations.getState().conversations).not.toBeNull());
  await select(CONVERSATION);
  renderInApp(<Composer onSent={onSent} />);
}

async function select(id: string | null) {
  await act(async () => {
    useConversations.getState().select(id);
    await useChat.getState().open(id);
  });
}

const input = () => screen.getByTestId<HTMLTextAreaElement>('composer-input');
const type = (text: string) => fireEvent.change(input(), { target: { value: text } });
/** Presses a key and answers whether the browser would go on with it, such as by breaking the line. */
const press = (key: string, init: KeyboardEventInit = {}) => fireEvent.keyDown(input(), { key, ...init });
const sent = () => fake.calls.filter(([call]) => call === 'completion.chatInSession').map(([, value]) => value);
const message = (text: string, conversationId = CONVERSATION) => ({
  conversationId,
  text,
  model: { providerId: 'demo', modelId: 'demo' },
});

describe('sending', () => {
  beforeEach(() => show());

  it('sends by Enter, trimmed, and empties the draft', async () => {
    type('  Hello  ');
    expect(press('Enter')).toBe(false);
    await waitFor(() => expect(sent()).toEqual([message('Hello')]));
    await waitFor(() => expect(input().value).toBe(''));
    expect(onSent).toHaveBeenCalled();
  });

  it('breaks the line by Shift+Enter', () => {
    type('Hello');
    expect(press('Enter', { shiftKey: true })).toBe(true);
    expect(sent()).toEqual([]);
  });

  it("leaves an input method's Enter alone, however it is reported", () => {
    type('にほん');
    const composing = createEvent.keyDown(input(), { key: 'Enter' });
    Object.defineProperty(composing, 'isComposing', { value: true });
    expect(fireEvent(input(), composing)).toBe(true);
    expect(press('Enter', { keyCode: 229 } as KeyboardEventInit)).toBe(true);
    expect(sent()).toEqual([]);
  });

  it('sends nothing that is only space', () => {
    type(' \n ');
    press('Enter');
    expect(sent()).toEqual([]);
    expect(screen.getByTestId<HTMLButtonElement>('send-button').disabled).toBe(true);
  });

  it('sends once however often it is asked to', async () => {
    type('Hello');
    press('Enter');
    press('Enter');
    fireEvent.click(screen.getByTestId('send-button'));
    await waitFor(() => expect(input().value).toBe(''));
    expect(sent()).toHaveLength(1);
  });

  it('keeps what was written when it could not be sent, and says why', async () => {
    fake.on('completion.chatInSession', () => {
      throw { code: 'store-failed', message: 'The disk is full.', hint: 'Make room.' };
    });
    type('Precious');
    press('Enter');
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
    expect(input().value).toBe('Precious');
  });

  it('keeps what was written when the conversation began but the message could not be sent', async () => {
    fake.on('completion.chatInSession', () => {
      throw { code: 'no-model', message: 'The model is gone.' };
    });
    await select(null);
    type('Precious');
    press('Enter');
    expect((await screen.findByRole('alert')).textContent).toContain('The model is gone.');
    expect(useConversations.getState().selectedId).toBe('new-1');
    expect(input().value).toBe('Precious');
  });

  it('forgets the error in another conversation', async () => {
    fake.on('completion.chatInSession', () => {
      throw { code: 'internal', message: 'No.' };
    });
    type('Hello');
    press('Enter');
    await screen.findByRole('alert');
    await select('other');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('begins a conversation where none is shown', async () => {
    await select(null);
    type('First');
    press('Enter');
    await waitFor(() => expect(sent()).toEqual([message('First', 'new-1')]));
    expect(useConversations.getState().selectedId).toBe('new-1');
    await waitFor(() => expect(input().value).toBe(''));
  });

  it('keeps a draft for each conversation', async () => {
    type('For tea');
    await select('other');
    expect(input().value).toBe('');
    type('For other');
    await select(CONVERSATION);
    expect(input().value).toBe('For tea');
  });
});

describe('with Ctrl+Enter chosen for sending', () => {
  beforeEach(() => show({ settings: { ...DEFAULT_SETTINGS, sendWithModifier: true } }));

  it.each([{ ctrlKey: true }, { metaKey: true }])('%o sends, Enter breaks the line', async (modifier) => {
    type('Hello');
    expect(press('Enter')).toBe(true);
    expect(sent()).toEqual([]);
    press('Enter', modifier);
    await waitFor(() => expect(sent()).toHaveLength(1));
  });
});

describe('while an answer comes', () => {
  beforeEach(async () => {
    await show();
    act(() => fake.emit([started]));
  });

  it('offers to stop in place of to send, and keeps taking text', async () => {
    expect(screen.queryByTestId('send-button')).toBeNull();
    type('Next');
    press('Enter');
    expect(sent()).toEqual([]);
    expect(input().value).toBe('Next');
    fireEvent.click(screen.getByTestId('stop-button'));
    await waitFor(() => expect(fake.calls).toContainEqual(['completion.stop', { conversationId: CONVERSATION }]));
    expect(screen.getByTestId<HTMLButtonElement>('stop-button').disabled).toBe(true);
  });
});

describe('without a model that works', () => {
  it.each<[string, Partial<FakeState>, RegExp]>([
    ['none at all', { providers: [], conversations: [conversation({ model: null })] }, /no model to send to/],
    ['its provider gone', { providers: [{ ...demoProvider, id: 'else' }] }, /has been removed/],
    ['its provider off', { providers: [{ ...demoProvider, enabled: false }] }, /Demo is switched off/],
    ['no key', { providers: [{ ...demoProvider, keyState: 'not-set' }] }, /Demo needs a key/],
    ['a key that cannot be read', { providers: [{ ...demoProvider, keyState: 'unreadable' }] }, /Enter it again/],
  ])('with %s it says so, offers the way on and sends nothing', async (_what, initial, words) => {
    await show(initial);
    expect(screen.getByRole('status').textContent).toMatch(words);
    expect(screen.getByRole('button', { name: /^(Open settings|Choose a model)$/ })).toBeTruthy();
    type('Hello');
    press('Enter');
    expect(sent()).toEqual([]);
    expect(input().value).toBe('Hello');
  });
});

describe('before it is known which models there are', () => {
  const starting = async () => {
    fake = await setUp({ conversations: [conversation()] });
    const providers = Promise.withResolvers<unknown>();
    fake.on('providers.list', () => providers.promise);
    connectStores(() => undefined);
    await waitFor(() => expect(useConversations.getState().conversations).not.toBeNull());
    await select(CONVERSATION);
    renderInApp(<Composer onSent={onSent} />);
    return () => providers.resolve([demoProvider]);
  };

  it.each([
    ['Enter', () => press('Enter')],
    ['the button', () => fireEvent.click(screen.getByTestId('send-button'))],
  ])('a message sent by %s goes out as soon as it is', async (_name, send) => {
    const answer = await starting();
    type('Hello');
    send();
    expect(sent()).toEqual([]);
    expect(screen.getByRole('status').textContent).toMatch(/as soon as/);
    answer();
    await waitFor(() => expect(sent()).toEqual([message('Hello')]));
    await waitFor(() => expect(input().value).toBe(''));
  });

  it('a message that was only written stays', async () => {
    const answer = await starting();
    type('Hello');
    answer();
    await waitFor(() => expect(useProviders.getState().providers).not.toBeNull());
    expect(sent()).toEqual([]);
  });
});
