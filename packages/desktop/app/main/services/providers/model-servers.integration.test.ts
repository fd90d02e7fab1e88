import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ModelServer,
  type ModelServerFormat,
  startModelServer,
  TEST_KEY,
} from '../../../../../../e2e/fixtures/model-servers/index.ts';

/** The model servers of the tests are worth something only if they refuse what the real APIs refuse. */

type Json = Record<string, unknown>;

function suite(format: ModelServerFormat, path: string, headers: Record<string, string>, good: Json) {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer(format, () => [{ text: 'ok' }]);
  });
  afterAll(() => server.close());
  const send = async (body: Json, more: Record<string, string> = {}) => {
    const { origin } = new URL(server.url);
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, ...more },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
  return {
    /** Refused with 400 and these words. */
    async refuses(changes: Json, words: RegExp) {
      const { status, text } = await send({ ...good, ...changes });
      expect(text).toMatch(words);
      expect(status).toBe(400);
    },
    async accepts(changes: Json = {}) {
      const { status, text } = await send({ ...good, ...changes });
      expect(text).not.toContain('"error":{');
      expect(status).toBe(200);
    },
    send: (changes: Json, more?: Record<string, string>) => send({ ...good, ...changes }, more),
  };
}

describe('Chat Completions', () => {
  const good = { model: 'test-model', stream: true, messages: [{ role: 'user', content: 'x' }] };
  const { refuses, accepts, send } = suite(
    'openai',
    '/v1/chat/completions',
    { authorization: `Bearer ${TEST_KEY}` },
    good,
  );
  const call = (id: string, more: object = {}) => ({
    id,
    type: 'function',
    function: { name: 'f', arguments: '{}', ...more },
  });
  const calling = (...calls: object[]) => ({ role: 'assistant', content: null, tool_calls: calls });
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
  const user = { role: 'user', content: 'x' };
  const tool = (parameters: object, more: object = {}) => ({
    type: 'function',
    function: { name: 'f', parameters, ...more },
  });
  const object = { type: 'object', properties: {} };

  test('takes what is right', async () => {
    await accepts();
    await accepts({
      messages: [user, calling(call('a'), call('b')), result('a'), result('b'), user],
      tools: [tool(object)],
    });
  });

  test.each<[string, Json, RegExp]>([
    [
      'a call without its result',
      { messages: [user, calling(call('a'), call('b')), result('a')] },
      /did not have response messages: b/,
    ],
    [
      'a result that comes late',
      { messages: [user, calling(call('a')), user, result('a')] },
      /must be followed by tool messages/,
    ],
    ['a result without a call', { messages: [user, result('a')] }, /must be a response to a preceeding message/],
    [
      'two results of one call',
      { messages: [user, calling(call('a')), result('a'), result('a')] },
      /must be a response/,
    ],
    [
      'arguments that are no JSON',
      { messages: [user, calling(call('a', { arguments: '{"a":1' })), result('a')] },
      /not valid JSON/,
    ],
    [
      'a bad name in the history',
      { messages: [user, calling(call('a', { name: 'a.b' })), result('a')] },
      /function.name/,
    ],
    [
      'an id that is too long',
      { messages: [user, calling(call('x'.repeat(41))), result('x'.repeat(41))] },
      /maximum length 40/,
    ],
    ['an empty message', { messages: [user, { role: 'assistant', content: null }] }, /expected a string, got null/],
    [
      'a picture in a tool message',
      { messages: [user, calling(call('a')), { ...result('a'), content: [{ type: 'image_url' }] }] },
      /Tool messages hold text/,
    ],
    ['a bad name of a tool', { tools: [tool(object, { name: 'a.b' })] }, /does not match pattern/],
    ['a bare object', { tools: [tool({ type: 'object' })] }, /object schema missing properties/],
    ['a union at the root', { tools: [tool({ ...object, anyOf: [] })] }, /'oneOf'\/'anyOf'/],
    [
      'an array without items',
      { tools: [tool({ type: 'object', properties: { a: { type: 'array' } } })] },
      /array schema missing items/,
    ],
    [
      'an array among other types without items',
      { tools: [tool({ type: 'object', properties: { a: { type: ['array', 'null'], prefixItems: [{}] } } })] },
      /array schema missing items/,
    ],
    [
      'what is no schema',
      { tools: [tool({ type: 'object', properties: { type: 'object' } })] },
      /not valid under any of the given schemas/,
    ],
    [
      'a pattern that Python does not know',
      { tools: [tool({ type: 'object', properties: { a: { type: 'object', patternProperties: { '\\p{L}': {} } } } })] },
      /is not a 'regex'/,
    ],
    ['strict mode without its rules', { tools: [tool(object, { strict: true })] }, /additionalProperties/],
    [
      '129 tools',
      { tools: Array.from({ length: 129 }, (_, i) => tool(object, { name: `t${i}` })) },
      /maximum length 128/,
    ],
    ['no tools at all', { tools: [] }, /empty array/],
    ['a field that it does not know', { max_output_tokens: 1 }, /Unrecognized request argument/],
  ])('refuses %s', (_what, changes, words) => refuses(changes, words));

  test('refuses a wrong key and an unknown model as the API does', async () => {
    expect(await send({}, { authorization: 'Bearer no' })).toMatchObject({
      status: 401,
      text: expect.stringContaining('invalid_api_key'),
    });
    expect(await send({ model: 'x' })).toMatchObject({ status: 404, text: expect.stringContaining('model_not_found') });
  });
});

describe('Responses', () => {
  const user = { role: 'user', content: 'x' };
  const good = { model: 'gpt-5.2', stream: true, store: false, input: [user] };
  const { refuses, accepts } = suite(
    'openai-responses',
    '/v1/responses',
    { authorization: `Bearer ${TEST_KEY}` },
    good,
  );
  const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
  const output = { type: 'function_call_output', call_id: 'c', output: 'ok' };
  const parameters = { type: 'object', properties: {} };

  test('takes what is right', async () => {
    await accepts();
    await accepts({ input: [user, call, output], tools: [{ type: 'function', name: 'f', parameters, strict: false }] });
  });

  test.each<[string, Json, RegExp]>([
    ['a call without its output', { input: [user, call] }, /No tool output found for function call c/],
    ['an output without its call', { input: [user, output] }, /No tool call found/],
    ['two outputs', { input: [user, call, output, output] }, /Duplicate item/],
    [
      'reasoning that it can not read',
      { input: [user, { type: 'reasoning', id: 'rs_1', summary: [] }, call, output] },
      /not persisted/,
    ],
    [
      'encrypted reasoning of others',
      { input: [user, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }, call, output] },
      /could not be verified/,
    ],
    [
      'a tool in the form of Chat Completions',
      { tools: [{ type: 'function', function: { name: 'f', parameters } }] },
      /Unknown parameter/,
    ],
    [
      'a tool that forgot to say that it is not strict',
      { tools: [{ type: 'function', name: 'f', parameters }] },
      /additionalProperties/,
    ],
    [
      'encrypted reasoning from a model without any',
      { model: 'gpt-4.1', include: ['reasoning.encrypted_content'] },
      /not supported with this model/,
    ],
    ['storing', { store: true }, /store must be false/],
  ])('refuses %s', (_what, changes, words) => refuses(changes, words));
});

describe('Anthropic', () => {
  const user = { role: 'user', content: 'x' };
  const good = { model: 'claude-sonnet-4-6', max_tokens: 100, stream: true, messages: [user] };
  const headers = { 'x-api-key': TEST_KEY, 'anthropic-version': '2023-06-01' };
  const { refuses, accepts, send } = suite('anthropic', '/v1/messages', headers, good);
  const use = { type: 'tool_use', id: 't1', name: 'f', input: {} };
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'ok' };
  const says = (role: string, ...content: object[]) => ({ role, content });
  const text = (value: string) => ({ type: 'text', text: value });
  const tool = (input_schema: object, name = 'f') => ({ name, input_schema });
  const thinking = { type: 'thinking', thinking: 'x', signature: 'forged' };

  test('takes what is right', async () => {
    await accepts();
    await accepts({
      messages: [user, says('assistant', text('a'), use), says('user', result, text('b'))],
      tools: [tool({ type: 'object' })],
    });
  });

  test.each<[string, Json, RegExp]>([
    ['no max_tokens', { max_tokens: undefined }, /max_tokens: Field required/],
    ['too many max_tokens', { max_tokens: 1_000_000 }, /maximum allowed number of output tokens/],
    ['empty text', { messages: [user, says('assistant', text('')), user] }, /text content blocks must be non-empty/],
    ['blank text', { messages: [says('user', text(' \n'))] }, /non-whitespace/],
    ['an empty message', { messages: [user, says('assistant'), user] }, /non-empty content/],
    [
      'a beginning by the assistant',
      { messages: [says('assistant', text('a'))] },
      /first message must use the \\"user\\" role/,
    ],
    [
      'a call without its result',
      { messages: [user, says('assistant', use), user] },
      /without `tool_result` blocks immediately after: t1/,
    ],
    ['a call at the end', { messages: [user, says('assistant', use)] }, /without `tool_result` blocks/],
    [
      'a result after text',
      { messages: [user, says('assistant', use), says('user', text('a'), result)] },
      /without `tool_result` blocks/,
    ],
    ['a result without a call', { messages: [says('user', result)] }, /unexpected `tool_use_id`/],
    ['two results', { messages: [user, says('assistant', use), says('user', result, result)] }, /single result/],
    [
      'thinking without a signature',
      { messages: [user, says('assistant', { ...thinking, signature: undefined }, text('a')), user] },
      /signature: Field required/,
    ],
    ['a forged signature', { messages: [user, says('assistant', thinking, text('a')), user] }, /Invalid `signature`/],
    [
      'white space at the end of the assistant',
      { messages: [user, says('assistant', text('a '))] },
      /trailing whitespace/,
    ],
    [
      'a bad id',
      { messages: [user, says('assistant', { ...use, id: 'a.b' }), says('user', { ...result, tool_use_id: 'a.b' })] },
      /tool_use.id/,
    ],
    [
      'a union at the root',
      { tools: [tool({ type: 'object', oneOf: [] })] },
      /does not support oneOf, allOf, or anyOf at the top level/,
    ],
    [
      'an old draft',
      { tools: [tool({ type: 'object', properties: { n: { exclusiveMinimum: true } } })] },
      /draft 2020-12/,
    ],
    [
      'what is no schema',
      { tools: [tool({ type: 'object', properties: { a: { type: 'any' } } })] },
      /JSON schema is invalid/,
    ],
    [
      'keys by pattern',
      { tools: [tool({ type: 'object', properties: { a: { patternProperties: { '^(.*)$': {} } } } })] },
      /JSON schema is invalid/,
    ],
    [
      'an id that was used before',
      { messages: [user, says('assistant', use), says('user', result), says('assistant', use), says('user', result)] },
      /ids must be unique/,
    ],
    ['an odd key', { tools: [tool({ type: 'object', properties: { $top: {} } })] }, /Property keys/],
    ['a tool twice', { tools: [tool({ type: 'object' }), tool({ type: 'object' })] }, /must be unique/],
    ['a bad name', { tools: [tool({ type: 'object' }, 'a.b')] }, /String should match pattern/],
    [
      'adaptive thinking of an older model',
      { model: 'claude-opus-4-1', thinking: { type: 'adaptive' } },
      /not supported/,
    ],
    ['a field that it does not know', { stream_options: {} }, /Extra inputs are not permitted/],
  ])('refuses %s', (_what, changes, words) => refuses(changes, words));

  test('refuses a wrong key', async () => {
    expect(await send({}, { 'x-api-key': 'no' })).toMatchObject({
      status: 401,
      text: expect.stringContaining('authentication_error'),
    });
  });
});

describe('Gemini', () => {
  const user = { role: 'user', parts: [{ text: 'x' }] };
  const path = '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse';
  const { refuses, accepts, send } = suite('google', path, { 'x-goog-api-key': TEST_KEY }, { contents: [user] });
  const PLACEHOLDER = 'skip_thought_signature_validator';
  const call = (name = 'f', more: object = { thoughtSignature: PLACEHOLDER }) => ({
    functionCall: { name, args: {} },
    ...more,
  });
  const result = (name = 'f', response: unknown = { result: 1 }) => ({ functionResponse: { name, response } });
  const turn = (role: string, ...parts: object[]) => ({ role, parts });
  const tool = (parameters: object | undefined, name = 'f') => ({
    tools: [{ functionDeclarations: [{ name, parameters }] }],
  });
  const string = { type: 'STRING' };
  const nested = (levels: number): object => ({
    type: 'OBJECT',
    properties: { a: levels > 1 ? nested(levels - 1) : string },
  });

  test('takes what is right', async () => {
    await accepts();
    await accepts({ contents: [user, turn('model', call(), call('g', {})), turn('user', result(), result('g'))] });
    await accepts(tool(undefined));
    await accepts(tool(nested(5)));
    await accepts(tool({ type: 'OBJECT', properties: { a: { ...string, enum: ['x'] } }, required: ['a'] }));
    // Signatures are asked for in the current turn only.
    await accepts({ contents: [user, turn('model', call('f', {})), turn('user', result()), user] });
  });

  test.each<[string, Json, RegExp]>([
    [
      'a call without a signature',
      { contents: [user, turn('model', call('f', {})), turn('user', result())] },
      /missing a thought_signature/,
    ],
    [
      'a forged signature',
      { contents: [user, turn('model', call('f', { thoughtSignature: 'AAAA' })), turn('user', result())] },
      /signature is not valid/,
    ],
    [
      'fewer results than calls',
      { contents: [user, turn('model', call(), call()), turn('user', result())] },
      /number of function response parts/,
    ],
    [
      'results in another order',
      { contents: [user, turn('model', call('f'), call('g')), turn('user', result('g'), result('f'))] },
      /names match/,
    ],
    ['results without calls', { contents: [user, turn('user', result())] }, /immediately after a function call turn/],
    [
      'a call after the model',
      { contents: [user, turn('model', { text: 'a' }), turn('model', call()), turn('user', result())] },
      /immediately after a user turn/,
    ],
    [
      'a result that is an array',
      { contents: [user, turn('model', call()), turn('user', result('f', [1, 2]))] },
      /protobuf.Struct/,
    ],
    [
      'a result that is text',
      { contents: [user, turn('model', call()), turn('user', result('f', 'ok'))] },
      /protobuf.Struct/,
    ],
    ['empty text', { contents: [turn('user', { text: '' })] }, /must have a text parameter/],
    ['no parts', { contents: [turn('user')] }, /must not be empty/],
    ['$schema', tool({ type: 'OBJECT', properties: { a: string }, $schema: 'x' }), /Unknown name \\"\$schema\\"/],
    [
      'an unknown keyword deep inside',
      tool({ type: 'OBJECT', properties: { a: { type: 'ARRAY', items: { ...string, exclusiveMinimum: 0 } } } }),
      /Unknown name \\"exclusiveMinimum\\"/,
    ],
    ['an object without properties', tool({ type: 'OBJECT', properties: {} }), /should be non-empty for OBJECT/],
    ['an array without items', tool({ type: 'OBJECT', properties: { a: { type: 'ARRAY' } } }), /items: missing field/],
    [
      'an empty required',
      tool({ type: 'OBJECT', properties: { a: string }, required: [] }),
      /required: should be non-empty/,
    ],
    [
      'a required key that is not there',
      tool({ type: 'OBJECT', properties: { a: string }, required: ['b'] }),
      /property is not defined/,
    ],
    ['a list of types', tool({ type: 'OBJECT', properties: { a: { type: ['STRING', 'NULL'] } } }), /unknown type/],
    [
      'an enum of numbers',
      tool({ type: 'OBJECT', properties: { a: { type: 'INTEGER', enum: [1] } } }),
      /only allowed for STRING/,
    ],
    [
      'a format that it does not know',
      tool({ type: 'OBJECT', properties: { a: { ...string, format: 'uri' } } }),
      /only 'enum' and 'date-time'/,
    ],
    ['an odd key', tool({ type: 'OBJECT', properties: { $top: string } }), /Parameter names must start/],
    [
      'anything beside a union',
      tool({ type: 'OBJECT', properties: { a: { description: 'x', anyOf: [string, { type: 'INTEGER' }] } } }),
      /only field set/,
    ],
    ['six levels', tool(nested(6)), /maximum allowed nesting depth/],
    [
      '513 tools',
      { tools: [{ functionDeclarations: Array.from({ length: 513 }, (_, i) => ({ name: `t${i}` })) }] },
      /At most 512/,
    ],
    ['a bad name', tool(undefined, '21st'), /Invalid function name/],
  ])('refuses %s', (_what, changes, words) => refuses(changes, words));

  test('refuses a wrong key with status 400', async () => {
    expect(await send({}, { 'x-goog-api-key': 'no' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('API_KEY_INVALID'),
    });
  });
});
