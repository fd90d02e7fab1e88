import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type JournalEntry,
  type ModelScript,
  type ModelServerFormat,
  TEST_KEY,
} from '../../../../../../e2e/fixtures/model-servers/index.ts';
import type { AssistantContent, ModelMessage, StreamPart } from '../ports/model.ts';
import type { AnthropicTool, GeminiTools, OpenAITool, ProviderTools } from '../ports/tool-formats.ts';
import { collect, start } from './__fixtures__/port.ts';
import { createModelPort, listModels } from './index.ts';

/** What is peculiar to a format, through its SDK; and every format against a server that is not ours. */

const textOf = (parts: StreamPart[]): string =>
  parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');

describe('Chat Completions', () => {
  const modelId = 'test-model';
  const call: AssistantContent = { type: 'tool-call', callId: 'c', name: 'f', args: {} };
  const messages: ModelMessage[] = [
    { role: 'user', text: 'Go' },
    { role: 'assistant', origin: { providerId: 'p', modelId }, content: [call] },
    { role: 'tool', results: [{ callId: 'c', name: 'f', isError: false, text: 'ok' }] },
  ];

  test('an endpoint that wants its reasoning back gets it, empty as it may be', async () => {
    const script: ModelScript = () => [{ reasoning: '' }, { text: 'Done.' }];
    const echoing = await start('openai', script, { demandsReasoning: true }, { echoReasoning: true });
    expect(textOf(await collect(echoing.port, { modelId, messages }))).toBe('Done.');
  });

  test.each(['openai', 'openai-responses'] as const)(
    'a %s endpoint that takes no long descriptions',
    async (format) => {
      const description = `Begin ${'x'.repeat(3000)}\n\nRules for the arguments: give one. (readOnly)`;
      const tools: OpenAITool[] = [
        {
          type: 'function',
          function: { name: 'f', description, parameters: { type: 'object', properties: {}, required: [] } },
        },
      ];
      const told = ({ body }: JournalEntry): string => (body.tools[0].function ?? body.tools[0]).description;
      const message =
        "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 3058 instead.";
      const { port, server } = await start(format, (entry) =>
        told(entry).length > 1024 ? [{ error: { status: 400, message } }] : [{ text: 'Done.' }],
      );
      const modelId = format === 'openai' ? 'test-model' : 'gpt-5.2';
      for (const _ of [1, 2]) expect(textOf(await collect(port, { modelId, tools }))).toBe('Done.');
      expect(server.journal.map(({ status }) => status)).toEqual([400, 200, 200]);
      expect(told(server.journal[2]!)).toMatch(/^Begin x+ … x+\n\nRules for the arguments: give one\. \(readOnly\)$/);
    },
  );

  test('whether an endpoint wants its reasoning back is learned from its refusal', async () => {
    const script: ModelScript = () => [{ text: 'Done.' }];
    const wants = await start('openai', script, { demandsReasoning: true });
    for (const _ of [1, 2]) expect(textOf(await collect(wants.port, { modelId, messages }))).toBe('Done.');
    expect(wants.server.journal.map(({ status }) => status)).toEqual([400, 200, 200]);

    const message = 'Unknown field: messages[1].reasoning_content';
    const refuses: ModelScript = ({ body }) =>
      JSON.stringify(body).includes('reasoning_content') ? [{ error: { status: 400, message } }] : [{ text: 'Done.' }];
    const strict = await start('openai', refuses, {}, { echoReasoning: true });
    expect(textOf(await collect(strict.port, { modelId, messages }))).toBe('Done.');

    const never = await start('openai', () => [{ error: { status: 400, message } }]);
    await expect(collect(never.port, { modelId, messages })).rejects.toMatchObject({ code: 'refused-request' });
    expect(never.server.journal).toHaveLength(2);
  });

  test('a server without keys is sent none', async () => {
    const { port, server } = await start('openai', [], {}, { apiKey: '' });
    await expect(collect(port, { modelId })).rejects.toMatchObject({
      code: 'key-refused',
      message: expect.stringContaining('needs an API key'),
    });
    expect(server.journal[0]?.headers.authorization).toBeUndefined();
  });

  test('a web page at the base URL is no model API', async () => {
    const page = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<html>hi</html>'),
    );
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void page.close());
    const { port } = page.address() as AddressInfo;
    const config = { providerId: 'p', baseUrl: `http://127.0.0.1:${port}`, apiKey: TEST_KEY, fetch };
    await expect(listModels('openai', config)).rejects.toMatchObject({ code: 'not-supported' });
    await expect(collect(createModelPort('openai', config), { modelId })).rejects.toMatchObject({
      code: 'not-supported',
    });
  });

  test.each(['{"models":"none"}', '"hello"', 'not json'])('a listing such as %s is not supported', async (body) => {
    const odd = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(body));
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void odd.close());
    const config = {
      providerId: 'p',
      baseUrl: `http://127.0.0.1:${(odd.address() as AddressInfo).port}`,
      apiKey: TEST_KEY,
      fetch,
    };
    await expect(listModels('openai', config)).rejects.toMatchObject({ code: 'not-supported' });
    await expect(listModels('anthropic', config)).rejects.toMatchObject({ code: 'not-supported' });
  });
});

describe('Responses', () => {
  test('a model without reasoning is asked for none', async () => {
    const { port, server } = await start('openai-responses', [[{ text: 'Hi' }]]);
    expect(textOf(await collect(port, { modelId: 'gpt-4.1' }))).toBe('Hi');
    expect(server.journal).toHaveLength(1);
  });

  test('an organisation that may not see summaries gets answers all the same', async () => {
    const { port, server } = await start('openai-responses', () => [{ reasoning: 'x' }, { text: 'Hi' }], {
      unverified: true,
    });
    expect(textOf(await collect(port, { modelId: 'gpt-5.2' }))).toBe('Hi');
    expect(textOf(await collect(port, { modelId: 'gpt-5.2' }))).toBe('Hi');
    expect(server.journal.map(({ status }) => status)).toEqual([400, 200, 200]);
    expect(server.journal[2]?.body.include).toEqual(['reasoning.encrypted_content']);
  });
});

describe('Anthropic', () => {
  const modelId = 'claude-sonnet-4-6';

  test('redacted thinking goes back with the result', async () => {
    const { port } = await start('anthropic', [
      [{ reasoning: 'Hm.' }, { redacted: 'EmwKAhgB' }, { toolCall: { name: 'f', id: 't1' } }],
      [{ text: 'Done.' }],
    ]);
    const content = (await collect(port, { modelId })).flatMap((part): AssistantContent[] => {
      if (part.type === 'reasoning-end') return [{ type: 'reasoning', text: '', providerData: part.providerData }];
      return part.type === 'tool-call-end'
        ? [{ type: 'tool-call', callId: part.callId, name: part.name, args: {} }]
        : [];
    });
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', origin: { providerId: 'p', modelId }, content },
      { role: 'tool', results: [{ callId: 't1', name: 'f', isError: false, text: 'ok' }] },
    ];
    expect(textOf(await collect(port, { modelId, messages }))).toBe('Done.');
  });

  test('older models are not asked to think by themselves', async () => {
    const { port, server } = await start('anthropic', () => [{ text: 'Hi' }]);
    for (const older of ['claude-3-5-haiku-latest', 'claude-opus-4-1']) {
      expect(textOf(await collect(port, { modelId: older }))).toBe('Hi');
    }
    expect(server.journal.every(({ body }) => body.thinking === undefined)).toBe(true);
  });

  test('a paused turn finishes as one', async () => {
    const { port } = await start('anthropic', [[{ text: 'Wait' }, { stop: 'pause_turn' }]]);
    expect((await collect(port, { modelId })).at(-1)).toEqual({ type: 'finish', reason: 'pause' });
  });
});

describe('Gemini', () => {
  test('older models are asked for no thoughts and given no signatures', async () => {
    const { port, server } = await start('google', [[{ text: 'Hi' }]]);
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', content: [{ type: 'tool-call', callId: 'c', name: 'f', args: {} }] },
      { role: 'tool', results: [{ callId: 'c', name: 'f', isError: false, text: '[1,2]' }] },
    ];
    expect(textOf(await collect(port, { modelId: 'gemini-2.0-flash', messages }))).toBe('Hi');
    expect(JSON.stringify(server.journal[0]?.body)).not.toMatch(/thought|thinking/i);
  });

  test.each([
    'The specified schema produces a constraint that has too many states for serving. Typical causes are long texts.',
    'Request contains an invalid argument.',
  ])('tools whose limits add up to too much go without them (%s)', async (message) => {
    const list = { type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: 500 };
    const parameters = { type: 'object' as const, properties: { maxItems: list, list }, required: [] };
    const tools: GeminiTools = [{ functionDeclarations: [{ name: 'f', description: 'd', parameters }] }];
    const { port, server } = await start('google', ({ body }) =>
      JSON.stringify(body).includes('"maxItems":500') ? [{ error: { status: 400, message } }] : [{ text: 'Done.' }],
    );
    expect(textOf(await collect(port, { modelId: 'gemini-3-pro', tools }))).toBe('Done.');
    const plain = { type: 'array', items: { type: 'integer' } };
    const sent = server.journal.at(-1)?.body.tools[0].functionDeclarations[0].parameters;
    expect(JSON.parse(JSON.stringify(sent).toLowerCase())).toEqual({
      type: 'object',
      properties: { maxitems: plain, list: plain },
    });
  });
});

describe('aimock', () => {
  const parameters = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] };
  const tool = { name: 'get_weather', description: 'Weather of a city' };
  const TOOLS: Record<ModelServerFormat, ProviderTools> = {
    openai: [{ type: 'function', function: { ...tool, parameters } }] satisfies OpenAITool[],
    'openai-responses': [{ type: 'function', function: { ...tool, parameters } }] satisfies OpenAITool[],
    anthropic: [{ ...tool, input_schema: parameters }] satisfies AnthropicTool[],
    google: [{ functionDeclarations: [{ ...tool, parameters }] }] satisfies GeminiTools,
  };
  const PATHS: Record<ModelServerFormat, string> = {
    openai: '/v1',
    'openai-responses': '/v1',
    anthropic: '/v1',
    google: '/v1beta',
  };

  test.each(Object.keys(TOOLS) as ModelServerFormat[])(
    '%s: a tool turn against an implementation of others',
    async (format) => {
      const mock = new LLMock({ port: 0 });
      mock.onToolResult('call_w1', { content: 'It is sunny in Oslo.' });
      mock.onMessage(/weather/, { toolCalls: [{ name: 'get_weather', arguments: '{"city":"Oslo"}', id: 'call_w1' }] });
      const url = await mock.start();
      onTestFinished(() => mock.stop());
      const port = createModelPort(format, {
        providerId: 'p',
        baseUrl: url + PATHS[format],
        apiKey: 'sk-test-00000000',
        fetch,
      });
      const modelId = 'gpt-4o';
      const messages: ModelMessage[] = [{ role: 'user', text: 'What is the weather in Oslo?' }];
      const first = await collect(port, { modelId, messages, tools: TOOLS[format] });
      const call = first.find((part) => part.type === 'tool-call-end');
      expect(call).toMatchObject({ name: 'get_weather' });
      expect(JSON.parse(call?.argsText ?? '')).toEqual({ city: 'Oslo' });
      expect(first.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
      const callId = call?.callId ?? '';
      const args = { city: 'Oslo' };
      messages.push(
        {
          role: 'assistant',
          origin: { providerId: 'p', modelId },
          content: [{ type: 'tool-call', callId, name: 'get_weather', args, providerData: call?.providerData }],
        },
        { role: 'tool', results: [{ callId, name: 'get_weather', isError: false, text: 'sunny' }] },
      );
      const second = await collect(port, { modelId, messages, tools: TOOLS[format] });
      expect(textOf(second)).toBe('It is sunny in Oslo.');
    },
  );
});
