import { describe, expect, test } from 'vitest';
import type { AssistantContent, ModelMessage, StreamPart } from '../../ports/model.ts';
import { readRecording } from '../__fixtures__/read-recording.ts';
import { IMAGE_TYPES } from '../wire/images.ts';
import { convertMessages } from './convert-messages.ts';
import { maxOutputTokens, thinksAdaptively } from './model-limits.ts';
import { prepareTools } from './prepare-tools.ts';
import { AnthropicStreamMachine } from './stream-machine.ts';

type Event = Parameters<AnthropicStreamMachine['push']>[0];

const recording = (name: string) =>
  readRecording(new URL(`./__fixtures__/${name}.jsonl`, import.meta.url), new AnthropicStreamMachine('h'));

const origin = { providerId: 'p', modelId: 'm' };
const to = { origin, images: IMAGE_TYPES };

/** A recorded answer as a turn stores it. */
function stored(name: string): AssistantContent[] {
  let text = '';
  return recording(name).flatMap((part: StreamPart): AssistantContent[] => {
    if ('text' in part) text += part.text;
    if (part.type === 'reasoning-end' || part.type === 'text-end') {
      const type = part.type === 'text-end' ? 'text' : 'reasoning';
      const whole = text;
      text = '';
      return [{ type, text: whole, providerData: part.providerData }];
    }
    if (part.type !== 'tool-call-end') return [];
    const args = JSON.parse(part.argsText || '{}');
    return [{ type: 'tool-call', callId: part.callId, name: part.name, args, providerData: part.providerData }];
  });
}

describe('stream', () => {
  test('thinking, redacted thinking, text and calls', () => {
    const parts = recording('thinking-and-calls');
    expect(parts.map(({ type }) => type)).toEqual([
      'reasoning-delta',
      'reasoning-delta',
      'reasoning-end',
      'reasoning-end',
      'text-delta',
      'text-end',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-delta',
      'tool-call-end',
      'tool-call-start',
      'tool-call-end',
      'usage',
      'finish',
    ]);
    expect(parts.filter((part) => part.type === 'tool-call-end').map((part) => part.argsText)).toEqual([
      '{"q": "x"}',
      '',
    ]);
    expect(parts.at(-2)).toEqual({
      type: 'usage',
      usage: { inputTokens: 115, outputTokens: 80, reasoningTokens: 30, cachedInputTokens: 100 },
    });
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
  });

  test('thinking without a signature has nothing to send back', () => {
    const machine = new AnthropicStreamMachine('h');
    const events = [
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'content_block_stop', index: 0 },
    ];
    expect(events.flatMap((event) => machine.push(event as Event)).at(-1)).toEqual({
      type: 'reasoning-end',
      providerData: undefined,
    });
    expect(() => machine.end()).toThrow(expect.objectContaining({ code: 'broken-stream' }));
  });

  test('thinking whose text is kept back is a part without text', () => {
    const machine = new AnthropicStreamMachine('h');
    const events = [
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
      { type: 'content_block_stop', index: 0 },
    ];
    expect(events.flatMap((event) => machine.push(event as Event))).toEqual([
      {
        type: 'reasoning-end',
        providerData: { kind: 'anthropic', block: { type: 'thinking', thinking: '', signature: 'sig' } },
      },
    ]);
  });

  test('of a server that only copies the format loses no call', () => {
    const machine = new AnthropicStreamMachine('h');
    const call = (name: string) => ({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', name, input: {} },
    });
    const args = (json: string) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: json },
    });
    const events = [call('f'), args('{"a":'), args('1}'), call('g'), args('{"b":2}'), { type: 'message_stop' }];
    const parts = [...events.flatMap((event) => machine.push(event as Event)), ...machine.end()];
    const ends = parts.filter((part) => part.type === 'tool-call-end');
    expect(ends.map(({ name, argsText }) => [name, argsText])).toEqual([
      ['f', '{"a":1}'],
      ['g', '{"b":2}'],
    ]);
    expect(new Set(ends.map(({ callId }) => callId)).size).toBe(2);
    for (const { callId } of ends) expect(callId).toMatch(/^call_/);
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  describe('of a server that only copies the format', () => {
    const run = (...events: object[]): StreamPart[] => {
      const machine = new AnthropicStreamMachine('h');
      const parts = events.flatMap((event) => machine.push(event as Event));
      return [...parts, ...machine.end()];
    };
    const begin = (content_block: object) => ({ type: 'content_block_start', index: 0, content_block });
    const delta = (delta: unknown) => ({ type: 'content_block_delta', index: 0, delta });
    const end = (usage?: object | null) => ({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });
    const textOf = (parts: StreamPart[]) => parts.flatMap((part) => ('text' in part ? part.text : [])).join('');

    test('null and missing fields say nothing', () => {
      const text = run(
        { type: 'message_start' },
        begin({ type: 'text', text: null }),
        ...[{ type: 'text_delta', text: null }, { type: 'text_delta' }, { type: 'text_delta', text: 'Hi' }, null].map(
          delta,
        ),
        end(null),
      );
      expect(textOf(text)).toBe('Hi');
      const thinking = run(
        begin({ type: 'thinking', thinking: null, signature: null }),
        ...[
          { type: 'thinking_delta', thinking: null },
          { type: 'thinking_delta', thinking: 'Hm' },
        ].map(delta),
        delta({ type: 'signature_delta', signature: null }),
        end(),
      );
      expect(textOf(thinking)).toBe('Hm');
      const call = run(
        begin({ type: 'tool_use', id: 't', name: null, input: null }),
        ...[null, undefined, '{"a":1}'].map((partial_json) => delta({ type: 'input_json_delta', partial_json })),
        end(),
      );
      expect(call).toContainEqual(expect.objectContaining({ type: 'tool-call-end', name: '', argsText: '{"a":1}' }));
    });

    test.each([
      ['as text at the start', [begin({ type: 'tool_use', id: 't', name: 'f', input: '{"a":1}' })]],
      ['as a whole at the start', [begin({ type: 'tool_use', id: 't', name: 'f', input: { a: 1 } })]],
      [
        'as an object in a delta',
        [
          begin({ type: 'tool_use', id: 't', name: 'f', input: '' }),
          delta({ type: 'input_json_delta', partial_json: { a: 1 } }),
        ],
      ],
    ])('arguments %s', (_way, events) => {
      const parts = run(...events, end());
      expect(parts.flatMap((part) => (part.type === 'tool-call-delta' ? part.argsText : [])).join('')).toBe('{"a":1}');
      expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-call-end', argsText: '{"a":1}' }));
    });

    test('arguments that are no object are what they are', () => {
      const parts = run(begin({ type: 'tool_use', id: 't', name: 'f', input: [1] }), end());
      expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-call-end', argsText: '[1]' }));
    });

    test('text and thinking whose block was never begun', () => {
      const text = [
        { type: 'text_delta', text: 'H' },
        { type: 'text_delta', text: 'i' },
      ].map(delta);
      expect(run(...text, { type: 'content_block_stop', index: 0 }, end()).map(({ type }) => type)).toEqual([
        'text-delta',
        'text-delta',
        'text-end',
        'finish',
      ]);
      expect(run(delta({ type: 'thinking_delta', thinking: 'Hm' }), end())[0]).toEqual({
        type: 'reasoning-delta',
        text: 'Hm',
      });
    });

    test('counts that are nothing at the end do not replace those of the beginning', () => {
      const start = { type: 'message_start', message: { usage: { input_tokens: 25, output_tokens: 1 } } };
      const parts = run(start, begin({ type: 'text', text: 'Hi' }), end({ input_tokens: 0, output_tokens: 9 }));
      expect(parts.at(-2)).toMatchObject({ usage: { inputTokens: 25, outputTokens: 9 } });
    });
  });

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
    ['pause_turn', 'pause'],
    ['guardrail_intervened', 'content-filter'],
    ['length', 'length'],
    ['something_new', 'other'],
  ])('%s is %s', (stop_reason, reason) => {
    const machine = new AnthropicStreamMachine('h');
    machine.push({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } } as unknown as Event);
    expect(machine.end().at(-1)).toEqual({ type: 'finish', reason });
  });
});

describe('history', () => {
  test('thinking goes back unchanged and in order, to the same model', () => {
    const [message] = convertMessages([{ role: 'assistant', origin, content: stored('thinking-and-calls') }], to);
    expect(message?.content).toEqual([
      { type: 'thinking', thinking: 'Let me see.', signature: 'EqQBCkYIB' },
      { type: 'redacted_thinking', data: 'EmwKAhgB' },
      { type: 'text', text: 'Looking.' },
      { type: 'tool_use', id: 'toolu_1', name: 'find', input: { q: 'x' }, caller: { type: 'direct' } },
      { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} },
    ]);
  });

  test('another model gets no thinking', () => {
    for (const other of [undefined, { ...origin, modelId: 'n' }, { ...origin, providerId: 'q' }]) {
      const [message] = convertMessages(
        [{ role: 'assistant', origin: other, content: stored('thinking-and-calls') }],
        to,
      );
      expect(((message?.content ?? []) as { type: string }[]).map(({ type }) => type)).toEqual([
        'text',
        'tool_use',
        'tool_use',
      ]);
    }
  });

  test('a paused turn goes back as it is', () => {
    expect(recording('pause-turn').at(-1)).toEqual({ type: 'finish', reason: 'pause' });
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Oslo?' },
      { role: 'assistant', origin, content: stored('pause-turn') },
    ];
    expect(convertMessages(messages, to)[1]?.content).toMatchObject([
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'oslo' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ encrypted_content: 'EqgfCioIARgBIiQ3YTAw' }],
      },
      { type: 'text', citations: [{ encrypted_index: 'Eo8B' }] },
    ]);
  });

  test('results come first in one user message, marked when they are errors', () => {
    const call = (callId: string): AssistantContent => ({ type: 'tool-call', callId, name: 'f', args: {} });
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', origin, content: [{ type: 'text', text: ' ' }, call('a.b'), call('c')] },
      {
        role: 'tool',
        results: [
          { callId: 'a.b', name: 'f', isError: false, text: '', images: [{ data: 'AAAA', mimeType: 'image/PNG' }] },
          { callId: 'c', name: 'f', isError: true, text: 'no' },
        ],
      },
      { role: 'user', text: 'Go on' },
    ];
    const converted = convertMessages(messages, to);
    expect(converted.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const [call1] = (converted[1]?.content ?? []) as { id: string }[];
    expect(call1?.id).toMatch(/^[\w-]+$/);
    expect(converted[2]?.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: call1?.id,
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
      },
      { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'no' }], is_error: true },
      { type: 'text', text: 'Go on' },
    ]);
  });

  test('a request never ends in white space of the model', () => {
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', content: [{ type: 'text', text: 'Well, \n' }] },
    ];
    expect(convertMessages(messages, to)[1]?.content).toEqual([{ type: 'text', text: 'Well,' }]);
  });
});

describe('tools and models', () => {
  test('what the root of a schema can not have is left out, without touching the input', () => {
    const input_schema = {
      type: 'object',
      properties: { a: { anyOf: [{ type: 'string' }] } },
      required: [],
      anyOf: [],
      $schema: 'x',
    } as const;
    const tool = { name: 'f', description: '', input_schema: { ...input_schema, required: [] as string[] } };
    const before = JSON.stringify(tool);
    expect(prepareTools([tool])).toEqual([
      { name: 'f', input_schema: { type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } }, required: [] } },
    ]);
    expect(JSON.stringify(tool)).toBe(before);
  });

  test.each([
    ['claude-3-haiku-20240307', 4096, false],
    ['claude-3-5-sonnet-20241022', 8192, false],
    ['claude-opus-4-1-20250805', 32_000, false],
    ['claude-opus-4-20250514', 32_000, false],
    ['claude-sonnet-4-20250514', 64_000, false],
    ['claude-sonnet-4-5-20250929', 64_000, false],
    ['claude-haiku-4-5', 64_000, false],
    ['claude-opus-4-8', 64_000, true],
    ['claude-sonnet-4-6', 64_000, true],
    ['claude-fable-5-2', 64_000, true],
    ['claude-sonnet-5', 64_000, true],
    ['deepseek-chat', 8192, false],
  ])('%s: %i tokens, thinks by itself: %s', (model, tokens, adaptive) => {
    expect(maxOutputTokens(model)).toBe(tokens);
    expect(thinksAdaptively(model)).toBe(adaptive);
  });
});
