// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeApi } from '../testing/fake-api.ts';
import { conversation } from '../testing/messages.ts';
import { setUp } from '../testing/set-up.tsx';
import { useConversations } from './conversations.ts';

let fake: FakeApi;
const state = () => useConversations.getState();
const refuse = () => {
  throw { code: 'store-failed', message: 'The disk is full.' };
};

beforeEach(async () => {
  fake = await setUp({
    conversations: [conversation({ id: 'a', updatedAt: 2 }), conversation({ id: 'b', updatedAt: 1 })],
  });
  await state().load();
});

describe('select', () => {
  it('is remembered by a window that is loaded again', () => {
    state().select('b');
    expect(sessionStorage.getItem('conversation')).toBe('b');
    state().select(null);
    expect(sessionStorage.getItem('conversation')).toBeNull();
  });
});

describe('remove', () => {
  it('hides the conversation at once and shows none in its place', async () => {
    state().select('a');
    const removing = state().remove('a');
    expect(state().conversations?.map(({ id }) => id)).toEqual(['b']);
    expect(state().selectedId).toBeNull();
    await removing;
  });

  it('shows it again when main refuses', async () => {
    fake.on('conversations.remove', refuse);
    await expect(state().remove('a')).rejects.toMatchObject({ code: 'store-failed' });
    expect(state().conversations?.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('can be taken back', async () => {
    await state().remove('a');
    await state().restore('a');
    expect(state().conversations?.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('rename', () => {
  it('keeps the old title when main refuses', async () => {
    fake.on('conversations.rename', refuse);
    await expect(state().rename('a', 'New')).rejects.toThrow('The disk is full.');
    expect(state().conversations?.[0]?.title).toBe('Tea');
  });
});
