import { describe, expect, test } from 'vitest';
import type { AssistantContent, ModelMessage } from '../../../ports/model.ts';
import { readRecording } from '../../__fixtures__/read-recording.ts';
import { CALL_ID_RULES } from '../../wire/call-ids.ts';
import { IMAGE_TYPES, NO_IMAGES } from '../../wire/images.ts';
import { type ChatConversion, convertMessages } from './convert-messages.ts';
import { ChatStreamMachine } from './stream-machine.ts';

const recording = (name: string) =>
  readRecording(new URL(`./__fixtures__/${name}.jsonl`, import.meta.url), new ChatStreamMachine('api.example.org'));

const choice = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});

function run(...chunks: unknown[]) {
  const machine = new ChatStreamMachine('api.example.org');
  return [...chunks.flatMap((chunk) => machine.push(chunk)), ...machine.end()];
}

describe('stream', () => {
  test('DeepSeek: reasoning, then a call', () => {
    expect(recording('deepseek-reasoning-call')).toEqual([
      { type: 'reasoning-delta', text: 'I need' },
      { type: 'reasoning-delta', text: ' the date.' },
      { type: 'reasoning-end' },
      { type: 'tool-call-start', callId: 'call_00_abc', name: 'get_date' },
      { type: 'tool-call-delta', callId: 'call_00_abc', argsText: '{}' },
      { type: 'tool-call-end', callId: 'call_00_abc', name: 'get_date', argsText: '{}', providerData: undefined },
      { type: 'usage', usage: { inputTokens: 306, outputTokens: 48, reasoningTokens: 12, cachedInputTokens: 256 } },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  test('OpenRouter: the fragments of a signed block become one again', () => {
    const parts = recording('openrouter-signed-reasoning');
    expect(parts.find((part) => part.type === 'reasoning-end')).toMatchObject({
      providerData: {
        reasoning_details: [
          {
            type: 'reasoning.text',
            text: 'Let me look.',
            signature: 'EqQBCkYIB',
            format: 'anthropic-claude-v1',
            index: 0,
          },
        ],
      },
    });
    expect(parts.filter((part) => part.type === 'reasoning-delta').map((part) => part.text)).toEqual([
      'Let me',
      ' look.',
    ]);
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
  });

  test('Mistral: content as a list of blocks', () => {
    expect(recording('mistral-thinking').map((part) => [part.type, 'text' in part ? part.text : ''])).toEqual([
      ['reasoning-delta', 'Hm, '],
      ['reasoning-delta', 'easy.'],
      ['reasoning-end', ''],
      ['text-delta', 'Four'],
      ['text-delta', '.'],
      ['text-end', ''],
      ['usage', ''],
      ['finish', ''],
    ]);
  });

  test.each([
    ['stop', [{ type: 'finish', reason: 'tool-calls' }]],
    ['tool_calls', [{ type: 'finish', reason: 'tool-calls' }]],
    ['length', [{ type: 'finish', reason: 'length' }]],
    ['content_filter', [{ type: 'finish', reason: 'content-filter' }]],
    ['whatever', [{ type: 'finish', reason: 'tool-calls' }]],
    ['MAX_TOKENS', [{ type: 'finish', reason: 'length' }]],
    ['content-filter', [{ type: 'finish', reason: 'content-filter' }]],
    ['STOP', [{ type: 'finish', reason: 'tool-calls' }]],
  ])('an answer with a call that ends with %s', (reason, end) => {
    const parts = run(
      choice({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }] }, reason),
    );
    expect(parts.slice(-1)).toEqual(end);
  });

  test.each([
    ['error', 'server-error'],
    ['network_error', 'server-error'],
    ['insufficient_system_resource', 'overloaded'],
    ['function_call_filter: MALFORMED_FUNCTION_CALL', 'broken-stream'],
    ['abort', 'broken-stream'],
  ])('an answer that ends with %s has failed', (reason, code) => {
    const failed = expect.objectContaining({ code, retryable: true, details: `finish_reason: ${reason}` });
    expect(() => run(choice({ content: 'Half' }), choice({}, reason))).toThrow(failed);
  });

  test('an error within a choice fails the answer', () => {
    const error = { code: 502, message: 'Provider disconnected' };
    const failed = { choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', error }] };
    expect(() => run(choice({ content: 'Half' }), failed)).toThrow(
      expect.objectContaining({ name: 'StreamedFailure' }),
    );
  });

  test.each([
    ['beside the choices', { usage: { prompt_tokens: 3, completion_tokens: 4 } }],
    ['in the choice', { choices: [{ index: 0, delta: {}, usage: { prompt_tokens: 3, completion_tokens: 4 } }] }],
    ['where Groq has it', { choices: [], x_groq: { id: 'r', usage: { prompt_tokens: 3, completion_tokens: 4 } } }],
    ['by the names of Responses', { choices: [], usage: { input_tokens: 3, output_tokens: 4 } }],
  ])('usage %s counts, and zeros after it do not', (_where, chunk) => {
    const zeros = { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0 } };
    const nothing = { choices: [], usage: null };
    const parts = run(zeros, choice({ content: 'Hi' }, 'stop'), chunk, zeros, nothing);
    expect(parts.at(-2)).toMatchObject({ type: 'usage', usage: { inputTokens: 3, outputTokens: 4 } });
  });

  test.each<[unknown, string]>([
    [['Hi', { type: 'text', text: ' you' }], 'Hi you'],
    [{ type: 'text', text: 'Hi' }, 'Hi'],
    [[{ type: 'output_text', text: 'Hi' }, null, 7], 'Hi'],
    [[{ type: 'refusal', refusal: 'I can not.' }], 'I can not.'],
  ])('content such as %j is text', (content, text) => {
    const parts = run(choice({ content }), choice({}, 'stop'));
    expect(parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('')).toBe(text);
  });

  test.each(['reasoning_content', 'reasoning', 'reasoning_text'])('%s is reasoning, said once', (field) => {
    const details = [{ type: 'reasoning.text', text: 'Hm.', index: 0 }];
    const delta = { content: null, tool_calls: null, refusal: null, [field]: 'Hm.', reasoning_details: details };
    const parts = run(choice(delta), choice({ content: 'Yes' }, 'stop'));
    expect(parts.filter((part) => part.type === 'reasoning-delta')).toEqual([{ type: 'reasoning-delta', text: 'Hm.' }]);
  });

  test('a call that is no list is a call', () => {
    const call = { index: 0, id: 'c', function: { name: 'f', arguments: '{}' } };
    expect(run(choice({ tool_calls: call }, 'tool_calls'))).toContainEqual(
      expect.objectContaining({ type: 'tool-call-end', name: 'f' }),
    );
  });

  test('a whole message from a server that does not stream, and the old form of a call', () => {
    const message = { content: 'Hi', function_call: { name: 'f', arguments: '{"a":1}' } };
    const parts = run({
      choices: [{ index: 0, message, finish_reason: 'function_call' }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    });
    expect(parts.map((part) => part.type)).toEqual([
      'text-delta',
      'text-end',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'usage',
      'finish',
    ]);
  });

  test('an answer without a reason to stop is not complete', () => {
    expect(() => run(choice({ content: 'Half' }))).toThrow(expect.objectContaining({ code: 'broken-stream' }));
    expect(() => run()).toThrow(expect.objectContaining({ code: 'broken-stream' }));
    expect(() => run(choice({ content: 'Half' }, ''))).toThrow(expect.objectContaining({ code: 'broken-stream' }));
  });

  test('chunks of other shapes are ignored', () => {
    expect(run(null, 3, {}, { choices: null }, { choices: [] }, { choices: [null] }, choice({}, 'stop'))).toEqual([
      { type: 'finish', reason: 'stop' },
    ]);
  });
});

describe('history', () => {
  const origin = { providerId: 'p', modelId: 'm' };
  const to: ChatConversion = { origin, echoReasoning: false, images: IMAGE_TYPES, callIds: CALL_ID_RULES.common };
  const call = (callId: string, more: object = {}): AssistantContent => ({
    type: 'tool-call',
    callId,
    name: 'f',
    args: { a: 1 },
    ...more,
  });
  const result = (callId: string, more: object = {}) => ({ callId, name: 'f', isError: false, text: 'ok', ...more });

  test('results follow their calls one by one, pictures after all of them', () => {
    const picture = { data: 'AAAA', mimeType: 'image/png' };
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', origin, content: [{ type: 'text', text: '' }, call('a'), call('b')] },
      {
        role: 'tool',
        results: [result('a', { images: [picture], text: '' }), result('b', { isError: true, text: 'no such file' })],
      },
      { role: 'user', text: 'Go on' },
    ];
    expect(convertMessages('Be brief.', messages, to)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{"a":1}' } })),
      },
      { role: 'tool', tool_call_id: 'a', content: 'The result is shown in the next message.' },
      { role: 'tool', tool_call_id: 'b', content: 'Error: no such file' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Images that f returned:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'text', text: 'Go on' },
        ],
      },
    ]);
    const blind = convertMessages(undefined, messages, { ...to, images: NO_IMAGES });
    expect(JSON.stringify(blind)).not.toContain('AAAA');
    expect(blind.at(-1)).toEqual({ role: 'user', content: 'Go on' });
  });

  test('reasoning goes back where the endpoint wants it, even when it is empty', () => {
    const own: ModelMessage = { role: 'assistant', origin, content: [{ type: 'reasoning', text: 'Hm.' }, call('a')] };
    const silent: ModelMessage = { role: 'assistant', origin, content: [call('b')] };
    const foreign: ModelMessage = {
      role: 'assistant',
      origin: { ...origin, modelId: 'other' },
      content: [{ type: 'reasoning', text: 'Secret' }, call('c')],
    };
    const echoed = convertMessages(undefined, [own, silent, foreign], { ...to, echoReasoning: true });
    expect(echoed.map((message) => (message as { reasoning_content?: string }).reasoning_content)).toEqual([
      'Hm.',
      '',
      '',
    ]);
    const not = convertMessages(undefined, [own, silent, foreign], to);
    expect(not.some((message) => 'reasoning_content' in message)).toBe(false);
  });

  test('signed blocks and signatures of calls go back to the same model only', () => {
    const details = [{ type: 'reasoning.text', text: 'x', signature: 's' }];
    const extra = { google: { thought_signature: 'sig' } };
    const content: AssistantContent[] = [
      { type: 'reasoning', text: 'x', providerData: { kind: 'openai-chat', reasoning_details: details } },
      call('a', { providerData: { kind: 'openai-chat', extra_content: extra } }),
    ];
    const [own] = convertMessages(undefined, [{ role: 'assistant', origin, content }], to);
    expect(own).toMatchObject({ reasoning_details: details, tool_calls: [{ extra_content: extra }] });
    for (const other of [undefined, { ...origin, providerId: 'q' }, { ...origin, modelId: 'n' }]) {
      const [foreign] = convertMessages(undefined, [{ role: 'assistant', origin: other, content }], to);
      expect(JSON.stringify(foreign)).not.toMatch(/sig|reasoning/);
    }
  });

  test('a message of which nothing is left is left out', () => {
    const messages: ModelMessage[] = [
      { role: 'user', text: 'a' },
      {
        role: 'assistant',
        origin,
        content: [
          { type: 'reasoning', text: 'Half' },
          { type: 'text', text: ' ' },
        ],
      },
      { role: 'user', text: 'b' },
    ];
    expect(convertMessages(undefined, messages, to)).toEqual([{ role: 'user', content: 'a\n\nb' }]);
  });

  test('ids that an endpoint does not take are replaced, the same for call and result', () => {
    const messages: ModelMessage[] = [
      { role: 'assistant', content: [call('functions.f:0'), call('toolu_01AbC')] },
      { role: 'tool', results: [result('functions.f:0'), result('toolu_01AbC')] },
    ];
    const [assistant, first, second] = convertMessages(undefined, messages, {
      ...to,
      callIds: CALL_ID_RULES.nineLetters,
    }) as unknown as {
      tool_calls: { id: string }[];
      tool_call_id: string;
    }[];
    const ids = assistant?.tool_calls.map(({ id }) => id) ?? [];
    expect(ids).toEqual([first?.tool_call_id, second?.tool_call_id]);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
  });
});
