// @vitest-environment happy-dom
import type { AppEvent } from '@shared/contracts/index.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FakeApi } from '../testing/fake-api.ts';
import {
  CONVERSATION,
  conversation,
  delta,
  ended,
  message,
  started,
  textPart,
  toolEvent,
  toolPart,
} from '../testing/messages.ts';
import { setUp } from '../testing/set-up.tsx';
import { useApp } from './app.ts';
import { useChat } from './chat.ts';
import { connectStores } from './connect.ts';
import { useConversations } from './conversations.ts';
import { useDrafts } from './drafts.ts';
import { useServers } from './servers.ts';
import { useSettings } from './settings.ts';

let fake: FakeApi;
const onCommand = vi.fn();

beforeEach(async () => {
  fake = await setUp({
    conversations: [conversation({ updatedAt: 1 }), conversation({ id: 'newer', updatedAt: 2 })],
    notices: [{ id: 'n1', kind: 'weak-secrets', values: {} }],
  });
  useDrafts.setState({ drafts: { new: 'to begin with', newer: 'half a sentence', gone: 'of one that was removed' } });
  const end = connectStores(onCommand);
  await vi.waitFor(() => expect(useConversations.getState().conversations).not.toBeNull());
  return end;
});

const activity = () => useConversations.getState().activity[CONVERSATION];

describe('connectStores', () => {
  it('loads everything there is, most recent conversation first', async () => {
    expect(useConversations.getState().conversations?.map(({ id }) => id)).toEqual(['newer', CONVERSATION]);
    await vi.waitFor(() => expect(useSettings.getState().settings).not.toBeNull());
    await vi.waitFor(() => expect(useApp.getState().notices).toHaveLength(1));
  });

  it('keeps drafts of what is there', async () => {
    await vi.waitFor(() => expect(useDrafts.getState().drafts).not.toHaveProperty('gone'));
    expect(useDrafts.getState().drafts).toEqual({ new: 'to begin with', newer: 'half a sentence' });
  });

  it('loads everything again after a gap', async () => {
    await vi.waitFor(() => expect(useSettings.getState().settings).not.toBeNull());
    fake.emit([]);
    fake.state.conversations.push(conversation({ id: 'missed', updatedAt: 3 }));
    fake.emit([], 2);
    await vi.waitFor(() => expect(useConversations.getState().conversations?.[0]?.id).toBe('missed'));
  });

  it('keeps the list up to date', () => {
    fake.emit([
      { type: 'conversations.changed', payload: { conversation: conversation({ title: 'Coffee', updatedAt: 9 }) } },
    ]);
    expect(useConversations.getState().conversations?.[0]).toMatchObject({ id: CONVERSATION, title: 'Coffee' });
    fake.emit([{ type: 'conversations.removed', payload: { conversationId: CONVERSATION } }]);
    expect(useConversations.getState().conversations?.map(({ id }) => id)).toEqual(['newer']);
  });

  it('forgets the tools of a server whose tools changed', async () => {
    await useServers.getState().loadTools('files');
    expect(useServers.getState().tools).toHaveProperty('files');
    fake.emit([{ type: 'mcp.toolsChanged', payload: { serverId: 'files' } }]);
    expect(useServers.getState().tools).not.toHaveProperty('files');
  });

  it('shows the conversation that a notification was clicked for', () => {
    useApp.getState().go({ name: 'settings', section: 'about' });
    fake.emit([{ type: 'app.openConversation', payload: { conversationId: CONVERSATION } }]);
    expect(useConversations.getState().selectedId).toBe(CONVERSATION);
    expect(useApp.getState().view).toEqual({ name: 'chat' });
  });

  it('hands on what the menu asks for', () => {
    fake.emit([{ type: 'app.command', payload: { command: 'open-settings' } }]);
    expect(onCommand).toHaveBeenCalledWith('open-settings');
  });
});

describe('a window that was loaded again', () => {
  it('lets go of a conversation that is no longer there', async () => {
    useConversations.getState().select('deleted-since');
    connectStores(onCommand);
    await vi.waitFor(() => expect(useConversations.getState().selectedId).toBeNull());
  });
});

describe('marks in the list', () => {
  const listed = (values: object) => {
    fake.on('conversations.list', () => [{ ...conversation(), ...values }]);
    return connectStores(onCommand);
  };

  it('are there again in a window that was loaded again', async () => {
    listed({ running: true });
    await vi.waitFor(() => expect(activity()).toBe('running'));
    expect(useConversations.getState().conversations).toEqual([conversation()]);
  });

  it('say after a reload, too, that an answer is waited for until the last call has one', async () => {
    const end = listed({ running: true, waiting: ['one', 'two'] });
    await vi.waitFor(() => expect(activity()).toBe('approval'));
    end();
    fake.emit([toolEvent('a', 0, toolPart({ callId: 'one', state: 'running' }))]);
    expect(activity()).toBe('approval');
    fake.emit([toolEvent('a', 1, toolPart({ callId: 'two', state: 'denied' }))]);
    expect(activity()).toBe('running');
  });

  it('go where a turn ended during a gap', async () => {
    fake.emit([started]);
    listed({});
    await vi.waitFor(() => expect(activity()).toBeUndefined());
  });

  it('follow an event that is newer than the list', async () => {
    listed({ running: true });
    fake.emit([ended()]);
    await vi.waitFor(() => expect(useConversations.getState().conversations).toHaveLength(1));
    expect(activity()).toBe('unread');
  });

  it('follow a turn that is not shown: running, then unread, until it is looked at', () => {
    fake.emit([started]);
    expect(activity()).toBe('running');
    fake.emit([ended()]);
    expect(activity()).toBe('unread');
    useConversations.getState().select(CONVERSATION);
    expect(activity()).toBeUndefined();
  });

  it('leave nothing behind in the conversation that is shown', () => {
    useConversations.getState().select(CONVERSATION);
    fake.emit([started, ended()]);
    expect(activity()).toBeUndefined();
  });

  it('say that an answer is waited for until the last call has one', () => {
    const asking = (callId: string) => toolPart({ callId, state: 'awaiting-approval' });
    fake.emit([started, toolEvent('a', 0, asking('one')), toolEvent('a', 1, asking('two'))]);
    expect(activity()).toBe('approval');
    fake.emit([toolEvent('a', 0, toolPart({ callId: 'one', state: 'running' }))]);
    expect(activity()).toBe('approval');
    fake.emit([toolEvent('a', 1, toolPart({ callId: 'two', state: 'denied' }))]);
    expect(activity()).toBe('running');
  });
});

describe('announcements', () => {
  it('are made for the shown conversation only, loudly for an approval', () => {
    fake.emit([started, toolEvent('a', 0, toolPart({ state: 'awaiting-approval' }))]);
    expect(useApp.getState().announcement.text).toBe('');
    useConversations.getState().select(CONVERSATION);
    fake.emit([toolEvent('a', 1, toolPart({ callId: 'b', state: 'awaiting-approval' }))]);
    expect(useApp.getState().announcement).toEqual({ text: 'read_file waits for your answer.', assertive: true });
    fake.emit([ended('stopped')]);
    expect(useApp.getState().announcement).toEqual({ text: 'Stopped.', assertive: false });
  });

  it('read the answer without the marks of Markdown', async () => {
    const parts = [textPart('# Tea\n\n- **Warm** the `pot`, see [this](https://x.test/a)\n\n```js\n2 * 3 * 4\n```')];
    fake.state.messages[CONVERSATION] = [message('a', { status: 'streaming', parts })];
    useConversations.getState().select(CONVERSATION);
    await useChat.getState().open(CONVERSATION);
    fake.emit([ended()]);
    expect(useApp.getState().announcement.text).toBe('The answer is complete. Tea\nWarm the pot, see this\n2 * 3 * 4');
  });

  it('read the answer', async () => {
    fake.state.messages[CONVERSATION] = [message('a', { status: 'streaming', parts: [textPart('Warm the')] })];
    useConversations.getState().select(CONVERSATION);
    await useChat.getState().open(CONVERSATION);
    fake.emit([delta('a', ' pot.'), ended()]);
    expect(useApp.getState().announcement).toEqual({
      text: 'The answer is complete. Warm the pot.',
      assertive: false,
    });
  });
});

describe('what servers ask', () => {
  const asked = (id: string, call?: string): AppEvent => ({
    type: 'mcpRequests.changed',
    payload: {
      request: {
        id,
        serverId: 's',
        serverName: 'shop',
        at: 1,
        ...(call && { call }),
        question: { kind: 'form', message: '', fields: [] },
      },
    },
  });
  const closed = (id: string) => ({ type: 'mcpRequests.closed', payload: { id } }) as const;
  const call = JSON.stringify([CONVERSATION, 'c1']);

  it('marks the conversation of its call until the last of it is answered, and is announced once', () => {
    fake.emit([started, asked('r1', call), asked('r2', call)]);
    expect(activity()).toBe('approval');
    expect(useApp.getState().announcement?.text).toContain('shop');
    fake.emit([toolEvent('m1', 0, toolPart({ state: 'running' })), closed('r1')]);
    expect(activity()).toBe('approval');
    fake.emit([closed('r2')]);
    expect(activity()).toBe('running');
  });

  it('marks nothing when it belongs to no call, or its turn is over', () => {
    fake.emit([started, asked('r1'), asked('r2', 'no json'), ended()]);
    fake.emit([asked('r3', call)]);
    expect(activity()).toBe('unread');
    fake.emit([closed('r3')]);
    expect(activity()).toBe('unread');
  });
});
