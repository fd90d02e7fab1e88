import type { Message } from '@shared/contracts/message-types.ts';
import { describe, expect, it } from 'vitest';
import { message, textPart, toolPart } from '../../../testing/messages.ts';
import { latestTodo, tokensUsed, workedFor } from './facts.ts';

const of = (...all: Message[]) => ({
  rows: all.map(({ id, role }) => ({ id, role })),
  messages: Object.fromEntries(all.map((each) => [each.id, each])),
});
const said = (id: string, createdAt: number) => message(id, { role: 'user', createdAt, parts: [textPart('Go')] });

describe('tokensUsed', () => {
  it('adds up what each response took and gave', () => {
    const usage = { inputTokens: 100, outputTokens: 5, cachedInputTokens: 90 };
    expect(tokensUsed(of(said('u', 1), message('a', { usage }), message('b', { usage }), message('c')))).toBe(210);
  });
});

describe('workedFor', () => {
  it('counts each response until the next, and the last until its end', () => {
    expect(workedFor(of(said('u', 0), message('a', { createdAt: 10 }), message('b', { createdAt: 30 })), 90)).toBe(80);
  });

  it('leaves out what lies between a stop and what came after it', () => {
    const stopped = message('a', {
      createdAt: 10,
      status: 'stopped',
      parts: [toolPart({ state: 'cancelled', startedAt: 12, endedAt: 25 })],
    });
    const later = message('b', { createdAt: 10_000 });
    expect(workedFor(of(said('u', 0), stopped, later), 10_005)).toBe(15 + 5);
    expect(workedFor(of(said('u', 0), stopped, said('v', 9000), later), 10_005)).toBe(15 + 5);
  });

  it('is nothing while no response has begun', () => {
    expect(workedFor(of(said('u', 0)), 500)).toBe(0);
  });
});

describe('latestTodo', () => {
  it('is the list that was shown last', () => {
    const todo = (text: string) => toolPart({ display: { kind: 'todo', items: [{ text, status: 'pending' }] } });
    const rows = of(
      message('a', { parts: [todo('old')] }),
      message('b', { parts: [todo('new'), textPart('Well')] }),
      message('c'),
    );
    expect(latestTodo(rows)).toEqual([{ text: 'new', status: 'pending' }]);
    expect(latestTodo(of(said('u', 0)))).toBeUndefined();
  });
});
