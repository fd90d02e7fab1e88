// @vitest-environment happy-dom

import type { AttachmentRequest } from '@shared/contracts/mcp-content-types.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useChat } from '../../../../stores/chat.ts';
import { connectStores } from '../../../../stores/connect.ts';
import { useContent } from '../../../../stores/content.ts';
import { useConversations } from '../../../../stores/conversations.ts';
import { attachmentsOf, useDrafts } from '../../../../stores/drafts.ts';
import { useProviders } from '../../../../stores/providers.ts';
import { useServers } from '../../../../stores/servers.ts';
import type { FakeApi } from '../../../../testing/fake-api.ts';
import { CONVERSATION, conversation } from '../../../../testing/messages.ts';
import { renderInApp, setUp } from '../../../../testing/set-up.tsx';
import { statusOf, stdioServer } from '../../../settings/servers/test-support.ts';
import { Composer } from '../Composer.tsx';

let fake: FakeApi;

const resource = (uri: string): AttachmentRequest => ({
  kind: 'resource',
  serverId: 'docs',
  serverName: 'Docs',
  uri,
  name: uri,
});
const LISTING = {
  supported: true,
  resources: [
    { uri: 'docs://alpha', name: 'alpha' },
    { uri: 'docs://beta', name: 'beta', description: 'The second one' },
  ],
  templates: [{ uriTemplate: 'docs://{id}', name: 'any', arguments: ['id'] }],
  rejected: [],
};

beforeEach(async () => {
  const ready = statusOf({ ...stdioServer(), id: 'docs', name: 'Docs' }, { status: 'ready', toolCount: 0 });
  fake = await setUp({ conversations: [conversation(), conversation({ id: 'other' })], servers: [ready] });
  fake.on('mcpContent.resources', () => LISTING);
  connectStores(() => undefined);
  await waitFor(() => expect(useProviders.getState().providers).not.toBeNull());
  await waitFor(() => expect(useServers.getState().servers).not.toBeNull());
  await waitFor(() => expect(useConversations.getState().conversations).not.toBeNull());
  await select(CONVERSATION);
  renderInApp(<Composer onSent={() => undefined} />);
});

async function select(id: string) {
  await act(async () => {
    useConversations.getState().select(id);
    await useChat.getState().open(id);
  });
}

const input = () => screen.getByTestId<HTMLTextAreaElement>('composer-input');
/** Types one character at the end, as a keyboard does. */
function typeInto(text: string, data: string) {
  fireEvent.input(input(), { target: { value: text, selectionStart: text.length, selectionEnd: text.length }, data });
}
const search = (text: string) => fireEvent.change(screen.getByTestId('content-search'), { target: { value: text } });
const chips = () => screen.queryAllByTestId('attachment-chip').map(({ textContent }) => textContent);
const option = (name: RegExp) => screen.findByRole('option', { name }, { timeout: 10_000 });

describe('@ in the composer', () => {
  it('lists what the servers have, and attaches what is chosen in place of the character', async () => {
    typeInto('Compare @', '@');
    fireEvent.click(await option(/beta/));
    await waitFor(() => expect(chips()).toEqual(['betaDocs']));
    expect(input().value).toBe('Compare ');
  });

  it('leaves an address of mail alone', async () => {
    typeInto('ann@', '@');
    expect(screen.queryByTestId('content-panel')).toBeNull();
  });

  it('finds by every word that is typed', async () => {
    fireEvent.click(screen.getByTestId('attach-button'));
    await option(/alpha/);
    search('second docs');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
    search('nothing like it');
    await screen.findByText('Nothing matches.');
  });

  it('asks each time it opens, since a server may have said how long its list holds', async () => {
    fireEvent.click(screen.getByTestId('attach-button'));
    await option(/alpha/);
    const second = { ...LISTING, resources: [{ uri: 'docs://gamma', name: 'gamma' }] };
    fake.on('mcpContent.resources', () => second);
    fireEvent.keyDown(screen.getByTestId('content-search'), { key: 'Escape' });
    await waitFor(() => expect(screen.queryByTestId('content-panel')).toBeNull());
    fireEvent.click(screen.getByTestId('attach-button'));
    await option(/gamma/);
  });

  it('says what went wrong, and tries again', async () => {
    act(() => useContent.setState({ resources: {} }));
    fake.on('mcpContent.resources', () => {
      throw { code: 'call-lost', message: 'It is gone.' };
    });
    typeInto('@', '@');
    const retry = await option(/It is gone\. Try again/);
    fake.on('mcpContent.resources', () => LISTING);
    fireEvent.click(retry);
    await option(/alpha/);
  });

  it('asks for the arguments of a template', async () => {
    fake.on('mcpContent.expand', ({ values }: { values: { id: string } }) => ({ uri: `docs://${values.id}` }));
    typeInto('@', '@');
    fireEvent.click(await option(/any/));
    const dialog = within(await screen.findByTestId('arguments-dialog'));
    fireEvent.click(dialog.getByRole('button', { name: 'Attach' }));
    await dialog.findByText('This is needed.');
    fireEvent.change(dialog.getByTestId('argument-id'), { target: { value: '7' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Attach' }));
    await waitFor(() => expect(chips()).toEqual(['docs://7Docs']));
    expect(input().value).toBe('');
  });
});

describe('what is typed for a list', () => {
  it('stays in the message where no server offers anything', async () => {
    fake.on('mcpContent.prompts', () => ({ supported: false, prompts: [], rejected: [] }));
    typeInto('/', '/');
    // The list isn't known yet: it closes once it is.
    await waitFor(() => expect(useContent.getState().prompts.docs?.listing).toBeDefined());
    await waitFor(() => expect(screen.queryByTestId('content-panel')).toBeNull());
    expect(input().value).toBe('/');
    expect(document.activeElement).toBe(input());
    typeInto('', '');
    typeInto('/', '/');
    expect(screen.queryByTestId('content-panel')).toBeNull();
    // Asked for by its button, the list says why it is empty.
    fireEvent.click(screen.getByTestId('prompt-button'));
    await screen.findByText('None of the connected servers offers prompts.');
  });

  it('stays in the message where no server is connected', () => {
    act(() => useServers.setState({ servers: [] }));
    typeInto('Ask @', '@');
    expect(screen.queryByTestId('content-panel')).toBeNull();
  });

  it('goes back into the message, where it was typed, when nothing matches', async () => {
    fireEvent.change(input(), { target: { value: 'Ask  about tea' } });
    fireEvent.input(input(), { target: { value: 'Ask @ about tea', selectionStart: 5, selectionEnd: 5 }, data: '@' });
    await option(/alpha/);
    search('al');
    expect(screen.getAllByRole('option')).toHaveLength(1);
    search('alx');
    expect(screen.queryByTestId('content-panel')).toBeNull();
    expect(input().value).toBe('Ask @alx about tea');
    expect(document.activeElement).toBe(input());
  });

  it('goes back into the message when Esc closes the list', async () => {
    typeInto('@', '@');
    await option(/alpha/);
    search('beta');
    fireEvent.keyDown(screen.getByTestId('content-search'), { key: 'Escape' });
    expect(screen.queryByTestId('content-panel')).toBeNull();
    expect(input().value).toBe('@beta');
    expect(useDrafts.getState().drafts[CONVERSATION]).toBe('@beta');
  });

  describe('while a list is still being fetched', () => {
    beforeEach(async () => {
      act(() => useContent.setState({ resources: {} }));
      fake.on('mcpContent.resources', () => new Promise(() => {}));
      fireEvent.change(input(), { target: { value: 'Ask  now' } });
      fireEvent.input(input(), { target: { value: 'Ask @ now', selectionStart: 5, selectionEnd: 5 }, data: '@' });
      await screen.findByTestId('content-search');
    });
    const isBack = (text: string) => {
      expect(screen.queryByTestId('content-panel')).toBeNull();
      expect(input().value).toBe(text);
      expect(document.activeElement).toBe(input());
    };

    it('waits for the list as long as it may be a search', () => {
      search('al');
      expect(screen.getByTestId('content-panel')).toBeTruthy();
      expect(input().value).toBe('Ask @ now');
    });

    it('goes back into the message with the blank that ends a word', () => {
      search('ann ');
      isBack('Ask @ann  now');
    });

    it('goes back with Enter, and isn’t sent', () => {
      search('ann');
      fireEvent.keyDown(screen.getByTestId('content-search'), { key: 'Enter' });
      isBack('Ask @ann now');
      expect(fake.calls.some(([call]) => call === 'completion.chatInSession')).toBe(false);
    });

    it('goes with what opened the list, by Backspace', () => {
      search('a');
      fireEvent.keyDown(screen.getByTestId('content-search'), { key: 'Backspace' });
      expect(screen.getByTestId('content-panel')).toBeTruthy();
      search('');
      fireEvent.keyDown(screen.getByTestId('content-search'), { key: 'Backspace' });
      isBack('Ask  now');
      expect(input().selectionStart).toBe(4);
      // The same again is a change again.
      fireEvent.input(input(), { target: { value: 'Ask @ now', selectionStart: 5, selectionEnd: 5 }, data: '@' });
      expect(screen.getByTestId('content-panel')).toBeTruthy();
      expect(useDrafts.getState().drafts[CONVERSATION]).toBe('Ask @ now');
    });
  });

  it('is left to an input method until its word is whole', async () => {
    typeInto('@', '@');
    await option(/alpha/);
    fireEvent.compositionStart(screen.getByTestId('content-search'));
    search('ｘ');
    await screen.findByText('Nothing matches.');
    fireEvent.compositionEnd(screen.getByTestId('content-search'));
    expect(screen.queryByTestId('content-panel')).toBeNull();
    expect(input().value).toBe('@ｘ');
  });
});

describe('what is attached', () => {
  it('belongs to the draft of its conversation, and can be taken away', async () => {
    act(() => useDrafts.getState().attach(CONVERSATION, [resource('docs://a'), resource('docs://b')]));
    expect(chips()).toHaveLength(2);
    await select('other');
    expect(chips()).toEqual([]);
    await select(CONVERSATION);
    fireEvent.click(screen.getByRole('button', { name: 'Remove docs://a' }));
    expect(chips()).toEqual(['docs://bDocs']);
  });

  it('is sent with the message, and gone only then', async () => {
    act(() => useDrafts.getState().attach(CONVERSATION, [resource('docs://a')]));
    fake.on('completion.chatInSession', () => {
      throw { code: 'refused', message: 'It can not be read.' };
    });
    fireEvent.change(input(), { target: { value: 'Read it' } });
    fireEvent.keyDown(input(), { key: 'Enter' });
    expect((await screen.findByRole('alert')).textContent).toContain('It can not be read.');
    expect(attachmentsOf(useDrafts.getState(), CONVERSATION)).toHaveLength(1);
    fake.on('completion.chatInSession', () => ({ messageId: 'sent' }));
    fireEvent.keyDown(input(), { key: 'Enter' });
    await waitFor(() => expect(chips()).toEqual([]));
    expect(fake.calls.filter(([call]) => call === 'completion.chatInSession').at(-1)?.[1]).toMatchObject({
      text: 'Read it',
      attachments: [resource('docs://a')],
    });
  });
});

describe('/ at the beginning', () => {
  it('fills a prompt in for editing, with what is attached to it', async () => {
    fake.on('mcpContent.prompts', () => ({
      supported: true,
      prompts: [{ name: 'praise', arguments: [] }],
      rejected: [],
    }));
    fake.on('mcpContent.prompt', () => ({ text: 'Praise the tea.', attachments: [resource('docs://tea')] }));
    typeInto('Please /', '/');
    expect(screen.queryByTestId('content-panel')).toBeNull();
    typeInto('/', '/');
    fireEvent.click(await option(/praise/));
    await waitFor(() => expect(input().value).toBe('Praise the tea.'));
    expect(chips()).toEqual(['docs://teaDocs']);
    expect(fake.calls.some(([call]) => call === 'completion.chatInSession')).toBe(false);
  });
});
