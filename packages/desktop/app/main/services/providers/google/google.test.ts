import { describe, expect, test } from 'vitest';
import type { AssistantContent, ModelMessage, StreamPart } from '../../ports/model.ts';
import { readRecording } from '../__fixtures__/read-recording.ts';
import { GEMINI_IMAGE_TYPES } from '../wire/images.ts';
import { convertMessages, type GoogleConversion, PLACEHOLDER_SIGNATURE } from './convert-messages.ts';
import { demandsSignatures, showsThoughts } from './model-traits.ts';
import { prepareTools } from './prepare-tools.ts';
import { GoogleStreamMachine } from './stream-machine.ts';

const recording = (name: string) =>
  readRecording(new URL(`./__fixtures__/${name}.jsonl`, import.meta.url), new GoogleStreamMachine('h'));

type Chunk = Parameters<GoogleStreamMachine['push']>[0];

function run(...chunks: Chunk[]): StreamPart[] {
  const machine = new GoogleStreamMachine('h');
  return [...chunks.flatMap((chunk) => machine.push(chunk)), ...machine.end()];
}

const origin = { providerId: 'p', modelId: 'gemini-3-pro' };
const to: GoogleConversion = { origin, images: GEMINI_IMAGE_TYPES, demandsSignatures: true, picturesInResponses: true };

function stored(parts: StreamPart[]): AssistantContent[] {
  let text = '';
  return parts.flatMap((part): AssistantContent[] => {
    if ('text' in part) text += part.text;
    if (part.type === 'reasoning-end' || part.type === 'text-end') {
      const whole = text;
      text = '';
      return [{ type: part.type === 'text-end' ? 'text' : 'reasoning', text: whole, providerData: part.providerData }];
    }
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

const resultsOf = (content: AssistantContent[], more: object = {}): ModelMessage => ({
  role: 'tool',
  results: content.flatMap((part, index) =>
    part.type === 'tool-call'
      ? [{ callId: part.callId, name: part.name, isError: false, text: `result ${index}`, ...more }]
      : [],
  ),
});

describe('stream', () => {
  test('two calls of one tool, signed and unsigned, without ids and one without arguments', () => {
    const parts = recording('signed-parallel-calls');
    const calls = parts.filter((part) => part.type === 'tool-call-end');
    expect(calls).toMatchObject([
      { name: 'f', argsText: '{"n":1}', providerData: { signed: { thoughtSignature: 'c2lnbmF0dXJlLTE=' } } },
      { name: 'f', argsText: '{}', providerData: { kind: 'google' } },
    ]);
    expect(calls[0]?.callId).not.toBe(calls[1]?.callId);
    expect(parts.at(-2)).toEqual({
      type: 'usage',
      usage: { inputTokens: 60, outputTokens: 50, reasoningTokens: 30, cachedInputTokens: 16 },
    });
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
  });

  test.each([[[1]], ['x'], [null]])('arguments that are no object (%j) do not go back as they are', (args) => {
    const call = { functionCall: { name: 'f', args }, thoughtSignature: 's' } as object;
    const parts = run({ candidates: [{ content: { parts: [call] }, finishReason: 'STOP' }] } as Chunk);
    const end = parts.find((part) => part.type === 'tool-call-end');
    expect(end).toMatchObject({ argsText: JSON.stringify(args ?? {}), providerData: { signed: { args: {} } } });
  });

  test('a refused prompt is filtered, a stream without an end is broken', () => {
    expect(run({ promptFeedback: { blockReason: 'SAFETY' as never }, candidates: undefined })).toEqual([
      { type: 'finish', reason: 'content-filter' },
    ]);
    expect(() => run({ candidates: [{ content: { parts: [{ text: 'Half' }] } }] })).toThrow(
      expect.objectContaining({ code: 'broken-stream' }),
    );
  });

  test.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'MALFORMED_RESPONSE'])(
    'an answer that Gemini threw away (%s) is broken, and says why',
    (finishReason) => {
      const said: Chunk = { candidates: [{ content: { parts: [{ text: 'I will' }] } }] };
      const broken = { candidates: [{ finishReason, finishMessage: 'Malformed function call: print(x)' }] } as Chunk;
      const failure = { code: 'broken-stream', retryable: true, details: 'Malformed function call: print(x)' };
      expect(() => run(broken)).toThrow(expect.objectContaining(failure));
      expect(() => run(said, broken)).toThrow(expect.objectContaining(failure));
    },
  );

  test('what copies of the API send: no reason yet, counts apart, parts that are nothing, a call without a name', () => {
    const piece = (parts: unknown, finishReason?: string) => ({ candidates: [{ content: { parts }, finishReason }] });
    expect(() => run(piece([{ text: 'a' }], 'FINISH_REASON_UNSPECIFIED') as Chunk)).toThrow(
      expect.objectContaining({ code: 'broken-stream' }),
    );
    const parts = run(
      piece([null, { text: 'a' }]) as Chunk,
      piece(null) as Chunk,
      { ...piece([{ functionCall: { name: '', args: {} } }], 'stop'), usageMetadata: { promptTokenCount: 3 } } as Chunk,
      { candidates: [], usageMetadata: { trafficType: 'ON_DEMAND' } } as unknown as Chunk,
    );
    expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-call-end', name: '' }));
    expect(parts.at(-2)).toMatchObject({ type: 'usage', usage: { inputTokens: 3 } });
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
  });

  test('parts of other kinds keep their place', () => {
    const code = { executableCode: { code: '1+1' } };
    const parts = run({
      candidates: [{ content: { parts: [{ text: 'a' }, code, { text: 'b' }] }, finishReason: 'STOP' as never }],
    });
    expect(parts.map(({ type }) => type)).toEqual([
      'text-delta',
      'text-end',
      'reasoning-end',
      'text-delta',
      'text-end',
      'finish',
    ]);
    const [content] = convertMessages([{ role: 'assistant', origin, content: stored(parts) }], to);
    expect(content?.parts).toEqual([{ text: 'a' }, code, { text: 'b' }]);
  });
});

describe('history', () => {
  test('signatures go back on their exact part, in one content, and results pair by position', () => {
    const content = stored(recording('signed-parallel-calls'));
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', origin, content },
      resultsOf(content),
    ];
    expect(convertMessages(messages, to)).toEqual([
      { role: 'user', parts: [{ text: 'Go' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'f', args: { n: 1 } }, thoughtSignature: 'c2lnbmF0dXJlLTE=' },
          { functionCall: { name: 'f', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'f', response: { result: 'result 1' } } },
          { functionResponse: { name: 'f', response: { result: 'result 2' } } },
        ],
      },
    ]);
  });

  test('a signed call goes back as it was signed, but not under another name', () => {
    const providerData = { kind: 'google', signed: { thoughtSignature: 's', name: 'f', args: { top: 1 } } };
    const sent = (name: string) => {
      const content: AssistantContent[] = [{ type: 'tool-call', callId: 'c', name, args: { $top: 1 }, providerData }];
      return convertMessages(
        [
          { role: 'user', text: 'a' },
          { role: 'assistant', origin, content },
        ],
        to,
      )[1]?.parts;
    };
    expect(sent('f')).toEqual([{ functionCall: { name: 'f', args: { top: 1 } }, thoughtSignature: 's' }]);
    expect(sent('g')).toEqual([
      { functionCall: { name: 'g', args: { $top: 1 } }, thoughtSignature: PLACEHOLDER_SIGNATURE },
    ]);
  });

  test('a call of its own whose signature never came gets the placeholder', () => {
    const call: AssistantContent = { type: 'tool-call', callId: 'c', name: 'f', args: {} };
    const result = { callId: 'c', name: 'f', isError: true, text: 'cancelled' };
    const contents = convertMessages(
      [
        { role: 'user', text: 'Go' },
        { role: 'assistant', origin, content: [call] },
        { role: 'tool', results: [result] },
      ],
      to,
    );
    expect(contents[1]?.parts?.[0]?.thoughtSignature).toBe(PLACEHOLDER_SIGNATURE);
  });

  test('a signature on a last part without text stays there', () => {
    const content = stored(recording('signature-on-last-part'));
    const [message] = convertMessages([{ role: 'assistant', origin, content }], to);
    expect(message?.parts).toEqual([{ text: 'It is sunny.' }, { text: '', thoughtSignature: 'c2lnbmF0dXJlLTI=' }]);
  });

  test('a signature after a call, on a part of its own, stays behind it', () => {
    const parts = run({
      candidates: [
        {
          content: { parts: [{ functionCall: { name: 'f', id: 'w1' } }, { thoughtSignature: 's' }] },
          finishReason: 'STOP' as never,
        },
      ],
    });
    const content = stored(parts);
    const converted = convertMessages([{ role: 'assistant', origin, content }, resultsOf(content)], to);
    expect(converted[0]?.parts).toEqual([
      { functionCall: { id: 'w1', name: 'f', args: {} } },
      { text: '', thoughtSignature: 's' },
    ]);
    expect(converted[1]?.parts).toEqual([
      { functionResponse: { id: 'w1', name: 'f', response: { result: 'result 0' } } },
    ]);
  });

  test('the wire’s own id goes back although the app calls it by another', () => {
    const content: AssistantContent[] = [
      { type: 'tool-call', callId: 'renamed', name: 'f', args: {}, providerData: { kind: 'google', wireId: 'w' } },
    ];
    const converted = convertMessages([{ role: 'assistant', origin, content }, resultsOf(content)], to);
    expect(converted).toMatchObject([
      { parts: [{ functionCall: { id: 'w' } }] },
      { parts: [{ functionResponse: { id: 'w' } }] },
    ]);
  });

  test('the placeholder is for calls of others in the current turn alone', () => {
    const foreign = { providerId: 'q', modelId: 'claude' };
    const call = (callId: string): AssistantContent => ({
      type: 'tool-call',
      callId,
      name: 'f',
      args: {},
      providerData: { kind: 'google', signed: { thoughtSignature: 'foreign', name: 'f', args: {} } },
    });
    const round = (callId: string): ModelMessage[] => {
      const content = [call(callId), call(`${callId}2`)];
      return [{ role: 'assistant', origin: foreign, content }, resultsOf(content)];
    };
    const messages: ModelMessage[] = [
      { role: 'user', text: 'a' },
      ...round('x'),
      { role: 'user', text: 'b' },
      ...round('y'),
      ...round('z'),
    ];
    const signatures = (given: GoogleConversion) =>
      convertMessages(messages, given).flatMap(({ parts }) =>
        (parts ?? []).flatMap((part) => (part.functionCall ? [part.thoughtSignature] : [])),
      );
    const P = PLACEHOLDER_SIGNATURE;
    expect(signatures(to)).toEqual([undefined, undefined, P, undefined, P, undefined]);
    expect(signatures({ ...to, demandsSignatures: false }).every((signature) => signature === undefined)).toBe(true);
  });

  test.each(['[1,2]', 'ok', 'null', ''])('the result %j is an object', (text) => {
    const content: AssistantContent[] = [{ type: 'tool-call', callId: 'c', name: 'f', args: {} }];
    const response = (isError: boolean) =>
      convertMessages([resultsOf(content, { text, isError })], to)[0]?.parts?.[0]?.functionResponse?.response;
    expect(response(false)).toEqual({ result: text });
    expect(response(true)).toEqual({ error: text || 'The tool gave no reason.' });
  });

  test('pictures lie inside the response, or beside all of them for models that want that', () => {
    const content: AssistantContent[] = ['a', 'b'].map((callId) => ({
      type: 'tool-call',
      callId,
      name: 'f',
      args: {},
    }));
    const results = resultsOf(content, { images: [{ data: 'AAAA', mimeType: 'image/png' }] });
    const picture = { inlineData: { data: 'AAAA', mimeType: 'image/png' } };
    expect(convertMessages([results], to)[0]?.parts).toMatchObject([
      { functionResponse: { parts: [picture] } },
      { functionResponse: { parts: [picture] } },
    ]);
    const beside = convertMessages([results], { ...to, picturesInResponses: false })[0]?.parts ?? [];
    expect(beside.map((part) => Object.keys(part)[0])).toEqual([
      'functionResponse',
      'functionResponse',
      'inlineData',
      'inlineData',
    ]);
  });

  test('two messages of the model in a row are one content, so that a call follows the user', () => {
    const content: AssistantContent[] = [{ type: 'tool-call', callId: 'c', name: 'f', args: {} }];
    const messages: ModelMessage[] = [
      { role: 'user', text: 'a' },
      { role: 'assistant', origin, content: [{ type: 'text', text: 'Well, ' }] },
      { role: 'assistant', origin, content },
      resultsOf(content),
    ];
    expect(convertMessages(messages, to).map(({ role, parts }) => [role, parts?.length])).toEqual([
      ['user', 1],
      ['model', 2],
      ['user', 1],
    ]);
  });

  test('text that is empty is left out', () => {
    const messages: ModelMessage[] = [
      { role: 'user', text: 'a' },
      {
        role: 'assistant',
        origin,
        content: [
          { type: 'text', text: '' },
          { type: 'reasoning', text: 'Hm' },
        ],
      },
    ];
    expect(convertMessages(messages, to)).toEqual([{ role: 'user', parts: [{ text: 'a' }] }]);
  });
});

describe('tools', () => {
  test('drops what the wire refuses at every depth, never a property of that name, and not from the input', () => {
    const parameters = {
      type: 'object' as const,
      properties: {
        required: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } }, required: [] } },
        type: { type: 'string' },
        $schema: {
          anyOf: [{ type: 'object', properties: { b: { type: 'string' } }, required: [] }, { type: 'string' }],
          type: 'object',
        },
      },
      required: [] as string[],
    };
    const tools = [{ functionDeclarations: [{ name: 'f', description: 'd', parameters }] }];
    const before = JSON.stringify(tools);
    expect(prepareTools({ tools, without: new Set() })).toEqual([
      {
        functionDeclarations: [
          {
            name: 'f',
            description: 'd',
            parameters: {
              type: 'object',
              properties: {
                required: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
                type: { type: 'string' },
                $schema: { anyOf: [{ type: 'object', properties: { b: { type: 'string' } } }, { type: 'string' }] },
              },
            },
          },
        ],
      },
    ]);
    expect(JSON.stringify(tools)).toBe(before);
  });

  test('a tool without arguments has no parameters', () => {
    const tools = [
      {
        functionDeclarations: [
          { name: 'f', description: '', parameters: { type: 'object' as const, properties: {}, required: [] } },
        ],
      },
    ];
    expect(prepareTools({ tools, without: new Set() })).toEqual([{ functionDeclarations: [{ name: 'f' }] }]);
    expect(prepareTools({ tools: [], without: new Set() })).toEqual([]);
  });

  test.each([
    ['gemini-3-pro', true, true],
    ['gemini-flash-latest', true, true],
    ['gemini-2.5-flash', false, true],
    ['gemini-2.0-flash', false, false],
    ['gemma-3-27b-it', false, false],
  ])('%s demands signatures: %s, shows thoughts: %s', (model, signatures, thoughts) => {
    expect(demandsSignatures(model)).toBe(signatures);
    expect(showsThoughts(model)).toBe(thoughts);
  });
});
