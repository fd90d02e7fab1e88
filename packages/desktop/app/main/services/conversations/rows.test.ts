import type { Message } from '@shared/contracts/message-types.ts';
import { describe, expect, it } from 'vitest';
import { type MessageRow, toMessage, toMessageRow } from './rows.ts';

const message: Message = {
  id: 'm1',
  conversationId: 'c1',
  parentId: 'm0',
  role: 'assistant',
  status: 'complete',
  model: { providerId: 'p', modelId: 'm' },
  usage: { inputTokens: 1, outputTokens: 2 },
  createdAt: 5,
  parts: [
    { type: 'reasoning', text: '', providerData: { signature: 'abc', deep: [1, null, { x: 'y' }] } },
    { type: 'text', text: 'lone \ud800 surrogate, NUL \0, U+2028 \u2028, 日本 🎉' },
    {
      type: 'tool',
      callId: 'k',
      wireName: 'mcp__a__b',
      args: { path: 'x' },
      state: 'done',
      result: { isError: false, content: [{ type: 'text', text: 'r' }], structuredContent: { n: 1 } },
    },
  ],
};
const row = toMessageRow(message);
const withRow = (change: Partial<MessageRow>) => toMessage({ ...row, ...change });

describe('rows', () => {
  it('bring a message back as it was', () => {
    expect(toMessage(row)).toEqual(message);
  });

  it.each([
    ['cut in the middle', row.parts.slice(0, 40)],
    ['empty', ''],
    ['null', 'null'],
    ['an object', '{"type":"text","text":"x"}'],
    ['a number', '7'],
    ['NUL bytes', '\0\0\0'],
  ])('turn parts that are %s into one error part', (_, parts) => {
    const read = withRow({ parts });
    expect(read.parts).toEqual([{ type: 'error', error: expect.objectContaining({ code: 'store-failed' }) }]);
    expect(read).toMatchObject({ id: 'm1', role: 'assistant', status: 'complete' });
  });

  it('replace only the part that can’t be read', () => {
    const parts = JSON.stringify([
      { type: 'text', text: 'before' },
      { type: 'hologram', depth: 3 },
      { type: 'text' },
      null,
      { type: 'text', text: 'after' },
    ]);
    expect(withRow({ parts }).parts.map((part) => part.type)).toEqual(['text', 'error', 'error', 'error', 'text']);
  });

  it('keep a message whose role, status, model or usage can’t be read', () => {
    expect(withRow({ role: 'robot' })).toMatchObject({ role: 'assistant', status: 'failed', parts: message.parts });
    expect(withRow({ status: '?' })).toMatchObject({ status: 'failed', parts: message.parts });
    expect(withRow({ model: '{', usage: '[]' })).toMatchObject({ model: undefined, usage: undefined });
  });

  it('take no harm from __proto__ keys', () => {
    const parts =
      '[{"type":"tool","callId":"k","wireName":"w","state":"done","args":{"__proto__":{"admin":true},"a":1}}]';
    const [part] = withRow({ parts }).parts;
    expect(part).toMatchObject({ type: 'tool', args: { a: 1 } });
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});
