import type { AppEvent } from '@shared/contracts/index.ts';
import type { ServerRequest } from '@shared/contracts/mcp-requests.contract.ts';
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

const asks = (id: string, more: Partial<ServerRequest> = {}): AppEvent => ({
  type: 'mcpRequests.changed',
  payload: {
    request: {
      id,
      serverId: 's1',
      serverName: 'srv',
      at: 0,
      question: { kind: 'form', message: 'Who?', fields: [] },
      ...more,
    },
  },
});
const closed = (id: string): AppEvent => ({ type: 'mcpRequests.closed', payload: { id } });

function setUp({ focused = false, supported = true } = {}) {
  const log: string[] = [];
  const window = { focused };
  const notices = new WaitingNotices({
    isFocused: () => window.focused,
    show: ({ conversationId, asker }) => {
      log.push(`show ${conversationId} ${asker}`);
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

  it('tells of what servers ask, with the conversation that it belongs to or without', () => {
    const { log, notices } = setUp();
    notices.see(asks('r1', { call: '["c","k"]' }));
    notices.see(part('c', 'k2', 'awaiting-approval'));
    notices.see(asks('r2', { call: '5f0c1d2e-no-conversation' }));
    expect(log).toEqual(['show c srv', 'show undefined srv']);
    notices.see(closed('r1'));
    notices.see(closed('unknown'));
    expect(log).toHaveLength(2);
    notices.see(part('c', 'k2', 'running'));
    notices.see(closed('r2'));
    expect(log.slice(2)).toEqual(['close c', 'close undefined']);
  });

  it('tells of a request while it waits for the person, and not while a model or another program has it', () => {
    const { log, notices } = setUp();
    const sampling = (name: 'asked' | 'writing') =>
      asks('r', {
        question: {
          kind: 'sampling',
          messages: [],
          maxTokens: 1,
          hints: [],
          notPassedOn: [],
          phase: name === 'asked' ? { name } : { name, model: { providerId: 'p', modelId: 'm' } },
        },
      });
    notices.see(sampling('asked'));
    notices.see(sampling('asked'));
    notices.see(sampling('writing'));
    expect(log).toEqual(['show undefined srv', 'close undefined']);
    const url = { kind: 'url', message: '', url: 'https://a.example', host: 'a.example' } as const;
    notices.see(asks('u', { question: { ...url, opened: true } }));
    expect(log).toHaveLength(2);
    notices.see(asks('u', { question: { ...url, opened: false } }));
    expect(log).toHaveLength(3);
  });

  it('does without where the system has none', () => {
    const { log, notices } = setUp({ supported: false });
    notices.see(part('c', '1', 'awaiting-approval'));
    notices.see(part('c', '1', 'running'));
    expect(log).toEqual(['show c b']);
  });
});
