import { describe, expect, test } from 'vitest';
import type { AssistantContent, ModelMessage, StreamPart } from '../../../ports/model.ts';
import { readRecording } from '../../__fixtures__/read-recording.ts';
import { IMAGE_TYPES } from '../../wire/images.ts';
import { convertMessages } from './convert-messages.ts';
import { ResponsesStreamMachine } from './stream-machine.ts';

type Event = Parameters<ResponsesStreamMachine['push']>[0];

const recording = () =>
  readRecording(new URL('./__fixtures__/reasoning-and-calls.jsonl', import.meta.url), new ResponsesStreamMachine('h'));

function run(...events: object[]): StreamPart[] {
  const machine = new ResponsesStreamMachine('h');
  return [...events.flatMap((event) => machine.push(event as Event)), ...machine.end()];
}

const origin = { providerId: 'p', modelId: 'm' };
const to = { origin, images: IMAGE_TYPES };

/** The recorded answer as a turn stores it. */
function stored(): AssistantContent[] {
  return recording().flatMap((part): AssistantContent[] => {
    if (part.type === 'reasoning-end')
      return [{ type: 'reasoning', text: 'First.\n\nSecond.', providerData: part.providerData }];
    if (part.type === 'text-end') return [{ type: 'text', text: 'Looking.', providerData: part.providerData }];
    if (part.type !== 'tool-call-end') return [];
    return [
      {
        type: 'tool-call',
        callId: part.callId,
        name: part.name,
        args: JSON.parse(part.argsText),
        providerData: part.providerData,
      },
    ];
  });
}

describe('stream', () => {
  test('reasoning, text and interleaved calls', () => {
    const parts = recording();
    expect(parts.map((part) => [part.type, 'callId' in part ? part.callId : 'text' in part ? part.text : ''])).toEqual([
      ['reasoning-delta', 'First.'],
      ['reasoning-delta', '\n\n'],
      ['reasoning-delta', 'Second.'],
      ['reasoning-end', ''],
      ['text-delta', 'Looking.'],
      ['text-end', ''],
      ['tool-call-start', 'call_1'],
      ['tool-call-delta', 'call_1'],
      ['tool-call-start', 'call_2'],
      ['tool-call-delta', 'call_1'],
      ['tool-call-end', 'call_1'],
      ['tool-call-delta', 'call_2'],
      ['tool-call-end', 'call_2'],
      ['usage', ''],
      ['finish', ''],
    ]);
    expect(parts.at(-2)).toEqual({
      type: 'usage',
      usage: { inputTokens: 50, outputTokens: 40, reasoningTokens: 25, cachedInputTokens: 32 },
    });
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
    // The whole item, not the first draft of it.
    expect(parts[3]).toMatchObject({ providerData: { item: { encrypted_content: 'gAAAAwhole' } } });
  });

  test('items of other kinds keep their place', () => {
    const item = { id: 'cmp_1', type: 'compaction', encrypted_content: 'x' };
    const parts = run(
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { status: 'completed' } },
    );
    expect(parts[0]).toMatchObject({ type: 'reasoning-end', providerData: { item } });
    const message: ModelMessage = {
      role: 'assistant',
      origin,
      content: [{ type: 'reasoning', text: '', providerData: (parts[0] as { providerData: unknown }).providerData }],
    };
    expect(convertMessages([message], to)).toEqual([item]);
  });

  test.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
  ])('incomplete because of %s', (reason, finish) => {
    const response = { status: 'incomplete', incomplete_details: { reason } };
    expect(run({ type: 'response.incomplete', response })).toEqual([{ type: 'finish', reason: finish }]);
  });

  test.each<[unknown, string]>([
    [null, ''],
    [undefined, ''],
    [{ a: 1 }, '{"a":1}'],
  ])('arguments that are no text (%j)', (args, argsText) => {
    const item = { type: 'function_call', id: 'fc', call_id: 'c', name: 'f', arguments: args };
    const parts = run(
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { status: 'completed' } },
    );
    expect(parts.find((part) => part.type === 'tool-call-end')).toMatchObject({ callId: 'c', argsText });
  });

  test('an answer that comes only as a whole is all there', () => {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hi.' }],
    };
    const call = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"a":1}' };
    const output = [{ id: 'rs_1', type: 'reasoning' }, message, call];
    const parts = run({ type: 'response.completed', response: { status: 'completed', output } });
    expect(parts.map(({ type }) => type)).toEqual([
      'reasoning-end',
      'text-delta',
      'text-end',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'finish',
    ]);
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
  });

  test.each([0, 1, undefined])(
    'text that was streamed without its item (index %s) is not said twice',
    (output_index) => {
      const message = { id: 'msg_1', type: 'message', content: [{ type: 'output_text', text: 'Hi.' }] };
      const call = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}' };
      const delta = (text: string) => ({ type: 'response.output_text.delta', output_index, delta: text });
      const response = { status: 'completed', output: [message, call] };
      const parts = run(delta('H'), delta('i.'), { type: 'response.completed', response });
      expect(parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('')).toBe('Hi.');
      expect(parts.filter(({ type }) => type === 'tool-call-end')).toMatchObject([{ callId: 'c', argsText: '{}' }]);
    },
  );

  test('calls under one index that are never said to be done are two', () => {
    const added = (id: string) => ({
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'function_call', id: `fc_${id}`, call_id: id, name: 'f', arguments: '' },
    });
    const args = (delta: string) => ({ type: 'response.function_call_arguments.delta', output_index: 0, delta });
    const completed = { type: 'response.completed', response: { status: 'completed' } };
    const parts = run(added('c1'), args('{"a":1}'), added('c2'), args('{"a":2}'), completed);
    const ends = parts.filter((part) => part.type === 'tool-call-end');
    expect(ends.map(({ callId, argsText }) => [callId, argsText])).toEqual([
      ['c1', '{"a":1}'],
      ['c2', '{"a":2}'],
    ]);
  });

  test('what is said only as a whole at its end is all there', () => {
    const item = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '' };
    const completed = { type: 'response.completed', response: { status: 'completed' } };
    const parts = run(
      { type: 'response.output_text.delta', output_index: 0, delta: null },
      { type: 'response.output_text.delta', output_index: 0, delta: 'H' },
      { type: 'response.output_text.done', output_index: 0, text: 'Hi.' },
      { type: 'response.output_item.added', output_index: 1, item },
      { type: 'response.function_call_arguments.done', output_index: 1, arguments: '{"a":1}' },
      { type: 'response.output_item.done', output_index: 0, item: null },
      completed,
    );
    expect(parts.flatMap((part) => (part.type === 'text-delta' ? part.text : []))).toEqual(['H', 'i.']);
    expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-call-end', callId: 'c', argsText: '{"a":1}' }));
  });

  test('what was streamed of a call stands where its end does not say it again', () => {
    const parts = run(
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f' },
      },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"a":1}' },
      { type: 'response.output_item.done', output_index: 0, item: { type: 'function_call', id: 'fc_1', call_id: 'c' } },
      { type: 'response.completed', response: { status: 'completed' } },
    );
    expect(parts).toContainEqual(
      expect.objectContaining({ type: 'tool-call-end', callId: 'c', name: 'f', argsText: '{"a":1}' }),
    );
  });

  test('counts under other names are none', () => {
    const output = [{ type: 'message', content: [{ type: 'output_text', text: 'Hi.' }] }];
    const response = { status: 'completed', output, usage: { prompt_tokens: 1 } };
    expect(run({ type: 'response.completed', response }).some(({ type }) => type === 'usage')).toBe(false);
  });

  test('a failed response throws, and one without an end is broken', () => {
    expect(() =>
      run({ type: 'response.failed', response: { error: { code: 'server_error', message: 'x' } } }),
    ).toThrow();
    expect(() =>
      run({
        type: 'response.completed',
        response: { status: 'failed', error: { code: 'server_error', message: 'x' } },
      }),
    ).toThrow(expect.objectContaining({ name: 'StreamedFailure' }));
    expect(() => run({ type: 'response.created', response: {} })).toThrow(
      expect.objectContaining({ code: 'broken-stream' }),
    );
  });
});

describe('history', () => {
  test('every item goes back as it came, in order', () => {
    const items = convertMessages([{ role: 'assistant', origin, content: stored() }], to);
    expect(items).toEqual([
      {
        id: 'rs_1',
        type: 'reasoning',
        summary: [
          { type: 'summary_text', text: 'First.' },
          { type: 'summary_text', text: 'Second.' },
        ],
        encrypted_content: 'gAAAAwhole',
      },
      {
        id: 'msg_1',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Looking.', annotations: [] }],
      },
      {
        id: 'fc_1',
        type: 'function_call',
        status: 'completed',
        call_id: 'call_1',
        name: 'find',
        arguments: '{"q":"x"}',
      },
      { id: 'fc_2', type: 'function_call', status: 'completed', call_id: 'call_2', name: 'now', arguments: '{}' },
    ]);
  });

  test('another model gets the words and the calls alone', () => {
    const items = convertMessages([{ role: 'assistant', origin: { ...origin, modelId: 'n' }, content: stored() }], to);
    expect(items).toEqual([
      { role: 'assistant', content: 'Looking.' },
      { type: 'function_call', call_id: 'call_1', name: 'find', arguments: '{"q":"x"}' },
      { type: 'function_call', call_id: 'call_2', name: 'now', arguments: '{}' },
    ]);
  });

  test('without its encrypted content reasoning is left out, and what it led to loses its ids', () => {
    const content = stored();
    (content[0] as { providerData: unknown }).providerData = undefined;
    const items = convertMessages([{ role: 'assistant', origin, content }], to);
    expect(items.map((item) => ('type' in item ? item.type : 'message'))).toEqual([
      'message',
      'function_call',
      'function_call',
    ]);
    expect(JSON.stringify(items)).not.toMatch(/rs_1|fc_1|msg_1/);
  });

  test('reasoning that led to an empty message does not go back without it', () => {
    const kept = (item: object) => ({ kind: 'openai-responses', item });
    const content: AssistantContent[] = [
      {
        type: 'text',
        text: 'Hi.',
        providerData: kept({ type: 'message', content: [{ type: 'output_text', text: 'Hi.' }] }),
      },
      { type: 'reasoning', text: '', providerData: kept({ type: 'reasoning', id: 'rs_1', encrypted_content: 'E' }) },
      { type: 'text', text: '', providerData: kept({ type: 'message', id: 'msg_1', content: [] }) },
    ];
    const items = convertMessages([{ role: 'assistant', origin, content }], to);
    expect(items.map((item) => item.type)).toEqual(['message']);
  });

  test('arguments that were no JSON go back as what was stored for them', () => {
    const item = { id: 'fc_1', type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1' };
    const content: AssistantContent[] = [
      { type: 'tool-call', callId: 'c', name: 'f', args: {}, providerData: { kind: 'openai-responses', item } },
    ];
    expect(convertMessages([{ role: 'assistant', origin, content }], to)).toMatchObject([
      { id: 'fc_1', arguments: '{}' },
    ]);
  });

  test('pictures of a result stay with it', () => {
    const results = [
      { callId: 'c', name: 'f', isError: false, text: 'see', images: [{ data: 'AAAA', mimeType: 'image/png' }] },
    ];
    expect(convertMessages([{ role: 'tool', results }], to)).toEqual([
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [
          { type: 'input_text', text: 'see' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
        ],
      },
    ]);
  });
});
