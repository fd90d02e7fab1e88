// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FakeApi } from '../testing/fake-api.ts';
import { CONVERSATION, conversation, delta, ended, message, messageEvent, textPart } from '../testing/messages.ts';
import { setUp } from '../testing/set-up.tsx';
import { useChat } from './chat.ts';
import { connectStores } from './connect.ts';

let fake: FakeApi;
const chat = () => useChat.getState();
const textOf = (id: string) =>
  chat()
    .messages[id]?.parts.map((part) => ('text' in part ? part.text : ''))
    .join('');

beforeEach(async () => {
  fake = await setUp({
    conversations: [conversation(), conversation({ id: 'other' })],
    messages: { [CONVERSATION]: [message('a', { status: 'streaming', parts: [textPart('One')] })] },
    running: new Set([CONVERSATION]),
  });
  const end = connectStores(() => undefined);
  return end;
});

/** Holds back the answer of the next `open`, as a slow main would. */
function holdOpen() {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  fake.on('conversations.open', async ({ conversationId }: { conversationId: string }) => {
    const opened = {
      conversation: conversation({ id: conversationId }),
      messages: structuredClone(fake.state.messages[conversationId] ?? []),
      running: true,
      seq: fake.seq(),
    };
    await held;
    return opened;
  });
  return release;
}

describe('open', () => {
  it('shows the conversation as it stands, a running turn included', async () => {
    await chat().open(CONVERSATION);
    expect(chat()).toMatchObject({ phase: 'ready', running: true, rows: [{ id: 'a', role: 'assistant' }] });
    expect(textOf('a')).toBe('One');
  });

  it('adds what came while the answer was on its way, once', async () => {
    fake.emit([delta('a', ' lost')]);
    const release = holdOpen();
    const opening = chat().open(CONVERSATION);
    fake.emit([delta('a', ' two')]);
    fake.emit([delta('a', ' three'), delta('a', ' four')]);
    expect(chat().rows).toEqual([]);
    release();
    await opening;
    expect(textOf('a')).toBe('One two three four');
  });

  it('drops events that the answer already has', async () => {
    fake.on('conversations.open', () => ({
      conversation: conversation(),
      messages: [message('a', { status: 'streaming', parts: [textPart('One two')] })],
      running: true,
      seq: 1,
    }));
    const opening = chat().open(CONVERSATION);
    fake.emit([delta('a', ' two')]);
    fake.emit([delta('a', ' three')]);
    await opening;
    expect(textOf('a')).toBe('One two three');
  });

  it('forgets the messages of the conversation before', async () => {
    await chat().open(CONVERSATION);
    await chat().open('other');
    expect(chat()).toMatchObject({ conversationId: 'other', messages: {}, rows: [], running: false });
    fake.emit([delta('a', 'x')]);
    expect(chat().messages).toEqual({});
  });

  it('ignores the late answer for a conversation that is no longer wanted', async () => {
    const release = holdOpen();
    const first = chat().open(CONVERSATION);
    const second = chat().open('other');
    release();
    await Promise.all([first, second]);
    expect(chat()).toMatchObject({ conversationId: 'other', rows: [] });
  });

  it('shows why it failed and can be tried again', async () => {
    fake.on('conversations.open', () => {
      throw { code: 'not-found', message: 'This conversation no longer exists.' };
    });
    await chat().open(CONVERSATION);
    expect(chat()).toMatchObject({ phase: 'failed', error: { code: 'not-found' } });
  });
});

describe('events', () => {
  beforeEach(() => chat().open(CONVERSATION));

  it('are applied as they come', () => {
    fake.emit([delta('a', ' and'), delta('a', ' on')]);
    fake.emit([ended()]);
    expect(textOf('a')).toBe('One and on');
    expect(chat().running).toBe(false);
  });

  it('change the store once a batch', () => {
    const changed = vi.fn();
    const end = useChat.subscribe(changed);
    fake.emit(Array.from({ length: 50 }, () => delta('a', '.')));
    end();
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('of other conversations change nothing', () => {
    const changed = vi.fn();
    const end = useChat.subscribe(changed);
    fake.emit([messageEvent(message('elsewhere', { conversationId: 'other' }))]);
    end();
    expect(changed).not.toHaveBeenCalled();
  });

  it('after a gap: the conversation is loaded again and nothing is doubled', async () => {
    fake.state.messages[CONVERSATION] = [message('a', { status: 'streaming', parts: [textPart('One two three')] })];
    fake.emit([]);
    fake.emit([delta('a', ' three')], 1);
    await vi.waitFor(() => expect(textOf('a')).toBe('One two three'));
    fake.emit([delta('a', ' four')]);
    expect(textOf('a')).toBe('One two three four');
  });

  it('that do not fit: the conversation is loaded again', async () => {
    fake.state.messages[CONVERSATION] = [message('a'), message('b', { parentId: 'a', parts: [textPart('New')] })];
    fake.emit([delta('b', 'w')]);
    await vi.waitFor(() => expect(textOf('b')).toBe('New'));
  });
});

describe('stop', () => {
  beforeEach(() => chat().open(CONVERSATION));

  it('shows that it is stopping until the turn ends', async () => {
    const stopping = chat().stop();
    expect(chat().stopping).toBe(true);
    await stopping;
    expect(chat().stopping).toBe(true);
    fake.emit([ended('stopped')]);
    expect(chat()).toMatchObject({ stopping: false, running: false });
  });

  it('takes a turn that has just ended for what was wanted', async () => {
    fake.on('completion.stop', () => {
      throw { code: 'not-running', message: 'Nothing runs.' };
    });
    await expect(chat().stop()).resolves.toBeUndefined();
    expect(chat().stopping).toBe(false);
  });

  it('can be tried again after it failed', async () => {
    fake.on('completion.stop', () => {
      throw { code: 'internal', message: 'No.' };
    });
    await expect(chat().stop()).rejects.toMatchObject({ code: 'internal' });
    expect(chat().stopping).toBe(false);
  });
});
