// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { connectStores } from '../../../stores/connect.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { agentRun } from '../../../testing/fake-agent.ts';
import type { FakeApi } from '../../../testing/fake-api.ts';
import { conversation, toolPart } from '../../../testing/messages.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { Toaster } from '../../../ui/Toaster.tsx';
import { ConversationList } from './ConversationList.tsx';

let fake: FakeApi;
const now = Date.now();

async function show(filter = '') {
  fake = await setUp({
    conversations: [
      conversation({ id: 'tea', title: 'Tea', updatedAt: now }),
      conversation({ id: 'train', title: 'Train to Ghent', updatedAt: now - 1 }),
      conversation({ id: 'html', title: '<img src=x onerror=alert(1)>', updatedAt: now - 2 }),
    ],
  });
  connectStores(() => undefined);
  await waitFor(() => expect(useConversations.getState().conversations).not.toBeNull());
  renderInApp(
    <>
      <ConversationList filter={filter} />
      <Toaster />
    </>,
  );
}

const item = (id: string) => document.querySelector<HTMLElement>(`[data-conversation-id="${id}"]`)!;
const titles = () => screen.queryAllByTestId('conversation-item').map(({ textContent }) => textContent);
const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key });

describe('the list', () => {
  it('shows titles as text', async () => {
    await show();
    expect(titles()).toEqual(['Tea', 'Train to Ghent', '<img src=x onerror=alert(1)>']);
    expect(screen.getByTestId('conversation-list').querySelector('img')).toBeNull();
  });

  it('shows those whose title has the words that are searched for', async () => {
    await show('GHENT');
    expect(titles()).toEqual(['Train to Ghent']);
  });

  it('says that there are none', async () => {
    await show('nothing like it');
    expect(screen.getByTestId('conversation-list').textContent).toContain('No chat has this in its title.');
  });
});

describe('by keyboard', () => {
  beforeEach(() => show());

  it('is one tab stop within which arrows and letters move', () => {
    expect(screen.getAllByTestId('conversation-item').filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
    item('tea').focus();
    press('ArrowDown');
    expect(document.activeElement).toBe(item('train'));
    press('End');
    expect(document.activeElement).toBe(item('html'));
    press('t');
    expect(document.activeElement).toBe(item('tea'));
  });

  it('renames by F2: Enter keeps the new title', async () => {
    item('tea').focus();
    press('F2');
    const field = screen.getByLabelText<HTMLInputElement>('New title');
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: ' Coffee ' } });
    press('Enter');
    await waitFor(() => expect(titles()[0]).toBe('Coffee'));
    expect(fake.calls).toContainEqual(['conversations.rename', { conversationId: 'tea', title: 'Coffee' }]);
  });

  it.each(['Escape', 'Enter'])('keeps the old title by %s where nothing new was entered', async (key) => {
    item('tea').focus();
    press('F2');
    fireEvent.change(screen.getByLabelText('New title'), { target: { value: key === 'Enter' ? '  ' : 'Coffee' } });
    press(key);
    await waitFor(() => expect(titles()[0]).toBe('Tea'));
    expect(fake.calls.map(([call]) => call)).not.toContain('conversations.rename');
  });

  it('deletes by Delete, and a toast brings it back as it was shown', async () => {
    act(() => useConversations.getState().select('tea'));
    item('tea').focus();
    press('Delete');
    expect(titles()).not.toContain('Tea');
    expect(useConversations.getState().selectedId).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(item('train')));
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(titles()).toContain('Tea'));
    await waitFor(() => expect(document.activeElement).toBe(item('tea')));
    expect(useConversations.getState().selectedId).toBe('tea');
  });

  it('opens by Enter, which is a click', () => {
    fireEvent.click(item('train'));
    expect(useConversations.getState().selectedId).toBe('train');
    expect(item('train').getAttribute('aria-current')).toBe('true');
  });
});

describe('runs of the agent', () => {
  beforeEach(async () => {
    await show();
    act(() =>
      useConversations
        .getState()
        .upsert(conversation({ id: 'run', title: 'Mend', agent: agentRun(), updatedAt: now + 1 })),
    );
  });

  it('are told from chats, in words too', () => {
    expect(item('run').textContent).toBe('Run of the agent: Mend');
    expect(screen.getAllByTestId('run-mark')).toHaveLength(1);
  });

  it.each([
    ['chats', ['tea', 'train', 'html']],
    ['runs', ['run']],
  ] as const)('can be looked at apart: %s', (kind, ids) => {
    renderInApp(<ConversationList filter="" kind={kind} />);
    const list = screen.getAllByTestId('conversation-list').at(-1)!;
    expect(
      [...list.querySelectorAll<HTMLElement>('[data-conversation-id]')].map((each) => each.dataset.conversationId),
    ).toEqual(ids);
  });

  it('say how many calls wait', () => {
    const asks = (callId: string) =>
      fake.emit([
        {
          type: 'completion.toolPart',
          payload: {
            conversationId: 'run',
            messageId: 'a',
            partIndex: 0,
            part: toolPart({ callId, state: 'awaiting-approval' }),
          },
        },
      ]);
    act(() => asks('one'));
    expect(item('run').textContent).toContain('Waits for your answer');
    act(() => asks('two'));
    expect(item('run').textContent).toContain('2 calls wait for your answer');
  });
});

describe('marks', () => {
  it('say in words what a conversation is busy with', async () => {
    await show();
    act(() => fake.emit([{ type: 'completion.turnStarted', payload: { conversationId: 'train' } }]));
    expect(item('train').textContent).toContain('Answering');
    act(() => fake.emit([{ type: 'completion.turnEnded', payload: { conversationId: 'train', outcome: 'complete' } }]));
    expect(item('train').textContent).toContain('New answer');
  });
});
