import type { AppEvent } from '@shared/contracts/index.ts';
import type { ToolPartState } from '@shared/contracts/message-types.ts';
import { describe, expect, it } from 'vitest';
import { WaitingNotices } from './WaitingNotices.ts';

const part = (conversationId: string, callId: string, state: ToolPartState): AppEvent => ({
  type: 'completion.toolPart',
  payload: {
    conversationId,
    messageId: 'm',
    partIndex: 0,
    part: { type: 'tool', callId, wireName: 'mcp__a__b', toolName: 'b', args: {}, state },
  },
});
const ended = (conversationId: string): AppEvent => ({
  type: 'completion.turnEnded',
  payload: { conversationId, outcome: 'stopped' },
});

function setUp({ focused = false, supported = true } = {}) {
  const log: string[] = [];
  const window = { focused };
  const notices = new WaitingNotices({
    isFocused: () => window.focused,
    show: ({ conversationId, tool }) => {
      log.push(`show ${conversationId} ${tool}`);
      return supported ? { close: () => log.push(`close ${conversationId}`) } : undefined;
    },
  });
  return { log, window, notices };
}

describe('WaitingNotices', () => {
  it('shows one for each conversation, and closes it with the last answer', () => {
    const { log, notices } = setUp();
    notices.see(part('c', '1', 'awaiting-approval'));
    notices.see(part('c', '2', 'awaiting-approval'));
    notices.see(part('d', '1', 'awaiting-approval'));
    notices.see(part('c', '1', 'running'));
    notices.see(part('c', '1', 'done'));
    expect(log).toEqual(['show c b', 'show d b']);
    notices.see(part('c', '2', 'denied'));
    expect(log).toEqual(['show c b', 'show d b', 'close c']);
    notices.see(part('c', '3', 'awaiting-approval'));
    expect(log.at(-1)).toBe('show c b');
  });

  it('closes it when the turn ends', () => {
    const { log, notices } = setUp();
    notices.see(part('c', '1', 'awaiting-approval'));
    notices.see(ended('d'));
    notices.see(ended('c'));
    notices.see(ended('c'));
    expect(log).toEqual(['show c b', 'close c']);
  });

  it('shows none while the person looks, and closes them when the person comes', () => {
    const { log, window, notices } = setUp({ focused: true });
    notices.see(part('c', '1', 'awaiting-approval'));
    expect(log).toEqual([]);
    window.focused = false;
    notices.see(part('c', '2', 'awaiting-approval'));
    notices.focused();
    expect(log).toEqual(['show c b', 'close c']);
    notices.see(part('c', '1', 'running'));
    notices.see(ended('c'));
    expect(log).toHaveLength(2);
  });

  it('does without where the system has none', () => {
    const { log, notices } = setUp({ supported: false });
    notices.see(part('c', '1', 'awaiting-approval'));
    notices.see(part('c', '1', 'running'));
    expect(log).toEqual(['show c b']);
  });
});
