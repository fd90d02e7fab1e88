// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useChat } from '../../../stores/chat.ts';
import { connectStores } from '../../../stores/connect.ts';
import type { FakeApi } from '../../../testing/fake-api.ts';
import {
  CONVERSATION,
  conversation,
  ended,
  message,
  messageEvent,
  started,
  textPart,
} from '../../../testing/messages.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { TranscriptEnd } from './TranscriptEnd.tsx';

let fake: FakeApi;
const user = message('u', { role: 'user', parts: [textPart('Hello')] });

beforeEach(async () => {
  fake = await setUp({ conversations: [conversation()], messages: { [CONVERSATION]: [user] } });
  connectStores(() => undefined);
  await useChat.getState().open(CONVERSATION);
  renderInApp(<TranscriptEnd />);
});

const waits = (waiting: NonNullable<ReturnType<typeof useChat.getState>['waiting']> | null) =>
  act(() => fake.emit([{ type: 'completion.waiting', payload: { conversationId: CONVERSATION, waiting } }]));

describe('below the last message', () => {
  it('is nothing while nothing runs', () => {
    expect(screen.queryByTestId('thinking')).toBeNull();
  });

  it('is a sign of life until the answer has a row that shows one itself', () => {
    act(() => fake.emit([started]));
    expect(screen.getByTestId('thinking')).toBeTruthy();
    act(() => fake.emit([messageEvent(message('a', { parentId: 'u', status: 'streaming' }))]));
    expect(screen.queryByTestId('thinking')).toBeNull();
    act(() => fake.emit([messageEvent(message('a', { parentId: 'u', status: 'complete' }))]));
    expect(screen.getByTestId('thinking')).toBeTruthy();
    act(() => fake.emit([ended()]));
    expect(screen.queryByTestId('thinking')).toBeNull();
  });

  it('are the names of the servers that are waited for', () => {
    waits({ for: 'servers', serverNames: ['Mail', '<b>Files</b>'] });
    expect(screen.getByTestId('waiting').textContent).toContain('Mail, <b>Files</b>');
    waits(null);
    expect(screen.queryByTestId('waiting')).toBeNull();
  });

  it('is that earlier messages are being summarised', () => {
    waits({ for: 'summary' });
    expect(screen.getByTestId('waiting').textContent).toContain('Summarising earlier messages');
  });

  it('is why it is tried again, and in how many seconds', () => {
    const error = { code: 'overloaded', message: 'The provider is overloaded.' };
    waits({ for: 'retry', at: Date.now() + 90_000, attempt: 1, error });
    expect(screen.getByTestId('waiting').textContent).toMatch(
      /The provider is overloaded\. Trying again in (?:89|90) s\./,
    );
  });
});
