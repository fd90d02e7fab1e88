// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useChat } from '../../../stores/chat.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { CONVERSATION, conversation, toolPart } from '../../../testing/messages.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { ToolCard } from '../tools/ToolCard.tsx';
import { LatestButton } from './LatestButton.tsx';

const toLatest = vi.fn();
const button = () => screen.getByTestId('to-latest');
const waiting = (calls: number) =>
  act(() => {
    useConversations.getState().setWaiting(CONVERSATION, calls);
    useConversations.getState().setActivity(CONVERSATION, 'approval');
  });

beforeEach(async () => {
  toLatest.mockReset();
  await setUp({ conversations: [conversation()] });
  await useChat.getState().open(CONVERSATION);
});

describe('the way to the end', () => {
  it('is just that while nothing waits', () => {
    renderInApp(<LatestButton toLatest={toLatest} />);
    expect(button().textContent).toBe('Jump to latest');
    fireEvent.click(button());
    expect(toLatest).toHaveBeenCalledOnce();
  });

  it('says how many calls wait, or that something else does', () => {
    renderInApp(<LatestButton toLatest={toLatest} />);
    waiting(1);
    expect(button().textContent).toBe('1 call waits for your answer');
    waiting(2);
    expect(button().textContent).toBe('2 calls wait for your answer');
    waiting(0);
    expect(button().textContent).toBe('Waits for your answer');
  });

  it('leads to the safe answer of what waits', async () => {
    renderInApp(
      <>
        <ToolCard part={toolPart({ state: 'awaiting-approval' })} />
        <LatestButton toLatest={toLatest} />
      </>,
    );
    waiting(1);
    button().focus();
    fireEvent.click(button());
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Deny'));
    expect(toLatest).toHaveBeenCalledOnce();
  });
});
