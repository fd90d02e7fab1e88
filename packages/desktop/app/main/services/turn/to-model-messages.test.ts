import type { MessagePart, ToolPart } from '@shared/contracts/message-types.ts';
import { describe, expect, it } from 'vitest';
import { assistantRow, ScriptedTools, textResult, userRow } from './__fixtures__/scripted.ts';
import { type ToModelOptions, toModelMessages } from './to-model-messages.ts';

const options: ToModelOptions = {
  reader: { providerId: 'scripted', modelId: 'm' },
  wireName: (serverId, toolName) => (serverId === 's1' ? `mcp__renamed__${toolName}` : undefined),
  resultForModel: (response) => new ScriptedTools({}).resultForModel(response),
};
const toolPart = (more: Partial<ToolPart>): ToolPart => ({
  type: 'tool',
  callId: 'c1',
  wireName: 'mcp__srv__f',
  serverId: 's1',
  toolName: 'f',
  args: { a: 1 },
  state: 'done',
  ...more,
});
/** What the model reads about a call. */
const resultOf = (part: ToolPart) => {
  const [, message] = toModelMessages([assistantRow([part], { status: 'complete' })], options);
  return message?.role === 'tool' ? message.results[0] : undefined;
};

describe('toModelMessages', () => {
  it('gives an answer and its results under the names that the tools have now', () => {
    const rows = [
      userRow('hello'),
      assistantRow(
        [
          { type: 'reasoning', text: 'hm', providerData: { s: 1 } },
          { type: 'text', text: 'I look.' },
          toolPart({ result: textResult('42'), providerData: { id: 'fc' } }),
          toolPart({ callId: 'c2', serverId: 'gone', wireName: 'mcp__gone__f', result: textResult('no', true) }),
          { type: 'notice', notice: 'servers-late', values: { servers: 'x' } },
          { type: 'error', error: { code: 'x', message: 'for people' } },
        ],
        { status: 'complete' },
      ),
    ];
    expect(toModelMessages(rows, options)).toEqual([
      { role: 'user', text: 'hello' },
      {
        role: 'assistant',
        origin: { providerId: 'scripted', modelId: 'm' },
        content: [
          { type: 'reasoning', text: 'hm', providerData: { s: 1 } },
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', callId: 'c1', name: 'mcp__renamed__f', args: { a: 1 }, providerData: { id: 'fc' } },
          { type: 'tool-call', callId: 'c2', name: 'mcp__gone__f', args: { a: 1 } },
        ],
      },
      {
        role: 'tool',
        results: [
          { callId: 'c1', name: 'mcp__renamed__f', isError: false, text: '42' },
          { callId: 'c2', name: 'mcp__gone__f', isError: true, text: 'no' },
        ],
      },
    ]);
  });

  it('gives another model neither provider data nor reasoning, and keeps who wrote it', () => {
    const row = assistantRow([
      { type: 'reasoning', text: 'hm', providerData: 1 },
      { type: 'text', text: 'x', providerData: 2 },
      toolPart({ providerData: 3, result: textResult('r') }),
    ]);
    for (const reader of [
      { providerId: 'other', modelId: 'm' },
      { providerId: 'scripted', modelId: 'm2' },
    ]) {
      const [message] = toModelMessages([row], { ...options, reader });
      expect(JSON.stringify(message)).not.toMatch(/providerData|reasoning/);
      expect(message).toMatchObject({ origin: row.model });
    }
    const unknown = { ...row, model: undefined };
    expect(JSON.stringify(toModelMessages([unknown], options))).not.toMatch(/providerData|reasoning/);
  });

  it('drops reasoning that broke off before its signature, not such as was followed by something', () => {
    const broken: MessagePart[] = [
      { type: 'reasoning', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'reasoning', text: 'c' },
      { type: 'error', error: { code: 'x', message: 'x' } },
    ];
    const [message] = toModelMessages([assistantRow(broken, { status: 'failed' })], options);
    expect(message).toMatchObject({ content: [{ text: 'a' }, { text: 'b' }] });
    const [whole] = toModelMessages([assistantRow(broken, { status: 'complete' })], options);
    expect(whole).toMatchObject({ content: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] });
  });

  it.each<[string, Partial<ToolPart>, RegExp]>([
    ['declined', { state: 'denied' }, /^The user declined this call\./],
    ['cancelled before it ran', { state: 'cancelled' }, /cancelled this call before/],
    ['cancelled while it ran', { state: 'cancelled', startedAt: 1 }, /cancelled this call while.*effect/],
    ['interrupted by a crash', { state: 'cancelled', error: { code: 'interrupted', message: 'x' } }, /interrupted/],
    ['left open', { state: 'running' }, /interrupted/],
    ['failed', { state: 'failed', error: { code: 'call-timeout', message: 'No answer in 120 s.' } }, /^No answer in/],
    ['unreadable', { state: 'failed', args: null, error: { code: 'x', message: 'not JSON' } }, /not JSON/],
  ])('tells the model in words that a call was %s', (_what, part, text) => {
    expect(resultOf(toolPart(part))).toMatchObject({ isError: true, text: expect.stringMatching(text) });
  });

  it('marks a call that was declined, and no other', () => {
    expect(resultOf(toolPart({ state: 'denied' }))).toMatchObject({ declined: true });
    expect(resultOf(toolPart({ state: 'cancelled' }))).not.toHaveProperty('declined');
  });

  it('sends an object for arguments that could not be read', () => {
    const [message] = toModelMessages([assistantRow([toolPart({ args: null, argsText: '{"a":' })])], options);
    expect(message).toMatchObject({ content: [{ type: 'tool-call', args: {} }] });
  });
});
