import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type ModelResponse,
  type ModelScript,
  type ModelServer,
  type ModelServerFormat,
  type ModelServerOptions,
  startModelServer,
  TEST_KEY,
} from '../../../../../../e2e/fixtures/model-servers/index.ts';
import { ModelError } from '../ports/errors.ts';
import type { AssistantContent, ModelMessage, ModelPort, ModelRequest, StreamPart } from '../ports/model.ts';
import type { AnthropicTool, GeminiTools, OpenAITool, ProviderTools } from '../ports/tool-formats.ts';
import { createModelPort, listModels, type ProviderConfig, type WireFormat } from './index.ts';

/** One suite for all formats, through the real SDKs, against servers that refuse what the real ones refuse. */
const MODELS: Record<ModelServerFormat, string> = {
  openai: 'test-model',
  'openai-responses': 'gpt-5.2',
  anthropic: 'claude-sonnet-4-6',
  google: 'gemini-3-pro',
};
const FORMATS = Object.keys(MODELS) as ModelServerFormat[];

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(
  format: ModelServerFormat,
  script: ModelScript,
  options?: ModelServerOptions,
  config?: Partial<ProviderConfig>,
): Promise<{ port: ModelPort; server: ModelServer }> {
  server = await startModelServer(format, script, options);
  return { port: portTo(format, server, config), server };
}

const portTo = (format: WireFormat, to: ModelServer, config?: Partial<ProviderConfig>): ModelPort =>
  createModelPort(format, { providerId: 'p', baseUrl: to.url, apiKey: TEST_KEY, fetch, ...config });

const schema = (name: string) => ({
  type: 'object' as const,
  properties: { [name]: { type: 'string', description: 'What to look for' } },
  required: [] as string[],
});
const NOTHING = { type: 'object' as const, properties: {}, required: [] };

function toolsFor(port: ModelPort, count = 2): ProviderTools {
  const names = [
    'mcp__files__find',
    'mcp__files__now',
    ...Array.from({ length: count - 2 }, (_, i) => `mcp__many__t${i}`),
  ];
  const all = names.map((name, i) => ({
    name,
    description: `Tool ${name}`,
    schema: i === 1 ? NOTHING : schema('query'),
  }));
  switch (port.toolFormat) {
    case 'openai':
      return all.map(
        ({ name, description, schema: parameters }): OpenAITool => ({
          type: 'function',
          function: { name, description, parameters },
        }),
      );
    case 'anthropic':
      return all.map(
        ({ name, description, schema: input_schema }): AnthropicTool => ({ name, description, input_schema }),
      );
    case 'google':
      return [
        {
          functionDeclarations: all.map(({ name, description, schema: parameters }) => ({
            name,
            description,
            parameters,
          })),
        },
      ] satisfies GeminiTools;
  }
}

async function collect(port: ModelPort, request: Partial<ModelRequest> & { modelId: string }): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  const whole = { messages: [{ role: 'user', text: 'Find it' }], signal: new AbortController().signal, ...request };
  for await (const part of port.stream(whole as ModelRequest)) parts.push(part);
  return parts;
}

type TextPart = Extract<AssistantContent, { text: string }>;

/** What a turn stores of a response. Checks on the way that the parts keep to the port's rules. */
function contentOf(parts: StreamPart[]): AssistantContent[] {
  const content: AssistantContent[] = [];
  let open: TextPart | undefined;
  const writing = (type: 'text' | 'reasoning'): TextPart => {
    if (open?.type === type) return open;
    const part: TextPart = { type, text: '' };
    content.push(part);
    open = part;
    return part;
  };
  expect(parts.filter((part) => part.type === 'finish')).toHaveLength(1);
  expect(parts.at(-1)?.type).toBe('finish');
  for (const part of parts) {
    switch (part.type) {
      case 'text-delta':
        writing('text').text += part.text;
        break;
      case 'reasoning-delta':
        writing('reasoning').text += part.text;
        break;
      case 'text-end':
      case 'reasoning-end':
        writing(part.type === 'text-end' ? 'text' : 'reasoning').providerData = part.providerData;
        open = undefined;
        break;
      case 'tool-call-start':
        open = undefined;
        break;
      case 'tool-call-end': {
        const { callId, name, argsText, providerData } = part;
        content.push({ type: 'tool-call', callId, name, args: JSON.parse(argsText || '{}'), providerData });
        break;
      }
      default:
    }
  }
  return content;
}

const textOf = (content: AssistantContent[]): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

const resultsFor = (content: AssistantContent[], more: object = {}): ModelMessage => ({
  role: 'tool',
  results: content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ callId: part.callId, name: part.name, isError: false, text: 'found 日', ...more }]
      : [],
  ),
});

async function failureOf(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelError);
  return error;
}

const CALLING: ModelResponse = [
  { reasoning: 'The user wants it found.' },
  { text: 'I will look. ' },
  { toolCall: { name: 'mcp__files__find', args: { query: 'a "b" 日' } } },
  { toolCall: { name: 'mcp__files__now' } },
];

describe.each(FORMATS)('%s', (format) => {
  const modelId = MODELS[format];

  test('a tool turn: parts, and the history that goes back, are what the wire wants', async () => {
    const { port, server } = await start(format, [
      CALLING,
      [{ reasoning: 'Done.' }, { text: 'It is here.' }],
      [{ text: 'Bye.' }],
    ]);
    const tools = toolsFor(port);
    const first = await collect(port, { modelId, tools, system: 'Be brief.' });
    const content = contentOf(first);
    expect(content.filter((part) => part.type === 'tool-call')).toMatchObject([
      { name: 'mcp__files__find', args: { query: 'a "b" 日' } },
      { name: 'mcp__files__now', args: {} },
    ]);
    expect(textOf(content)).toBe('I will look. ');
    expect(content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')).toBe(
      'The user wants it found.',
    );
    expect(first.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
    // What came from a cache is counted as well.
    const inputTokens = Math.ceil(JSON.stringify(server.journal[0]!.body).length / 4);
    expect(first.find((part) => part.type === 'usage')).toMatchObject({ usage: { inputTokens, outputTokens: 23 } });

    const origin = { providerId: 'p', modelId };
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Find it' },
      { role: 'assistant', origin, content },
      resultsFor(content),
    ];
    const second = contentOf(await collect(port, { modelId, tools, messages }));
    expect(textOf(second)).toBe('It is here.');
    messages.push({ role: 'assistant', origin, content: second }, { role: 'user', text: 'Thanks' });
    expect(textOf(contentOf(await collect(port, { modelId, tools, messages })))).toBe('Bye.');
    expect(server.journal.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('a chat that another provider began goes on', async () => {
    const { port, server } = await start(format, [[{ text: 'Hello.' }]]);
    const foreign: ModelMessage[] = [
      { role: 'user', text: 'Find it' },
      {
        role: 'assistant',
        origin: { providerId: 'other', modelId },
        content: [
          {
            type: 'reasoning',
            text: 'Hm',
            providerData: { kind: 'anthropic', block: { type: 'thinking', thinking: 'Hm', signature: 'x' } },
          },
          { type: 'text', text: '' },
          {
            type: 'tool-call',
            callId: `functions.21st demo:0 ${'x'.repeat(90)}`,
            name: '21st demo.search',
            args: { q: 1 },
            providerData: {
              kind: 'google',
              signed: { thoughtSignature: 'AAAA', name: '_21st_demo_search', args: {} },
              wireId: 'w',
            },
          },
          {
            type: 'tool-call',
            callId: 'b',
            name: 'f',
            args: {},
            providerData: { kind: 'openai-responses', item: { type: 'function_call', id: 'fc_1' } },
          },
        ],
      },
    ];
    foreign.push(resultsFor((foreign[1] as { content: AssistantContent[] }).content));
    expect(textOf(contentOf(await collect(port, { modelId, tools: toolsFor(port), messages: foreign })))).toBe(
      'Hello.',
    );
    expect(server.journal.at(-1)?.refusal).toBeUndefined();
    expect(JSON.stringify(server.journal[0]?.body)).not.toContain('Hm');
  });

  test('a chat whose signatures are not known any more goes on without them', async () => {
    const first = await start(format, [CALLING]);
    const content = contentOf(await collect(first.port, { modelId }));
    await first.server.close();
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Find it' },
      { role: 'assistant', origin: { providerId: 'p', modelId }, content },
      resultsFor(content),
    ];
    // Another server knows nothing of what the first one signed, as after a change of the account.
    const { port, server } = await start(format, () => [{ text: 'It is here.' }]);
    for (const _ of [1, 2]) {
      expect(textOf(contentOf(await collect(port, { modelId, messages })))).toBe('It is here.');
    }
    const signed = format !== 'openai';
    expect(server.journal.map(({ status }) => status)).toEqual(signed ? [400, 200, 400, 200] : [200, 200]);
  });

  test('reasoning that was broken off before its signature does not poison the chat', async () => {
    const { port } = await start(format, [
      [{ reasoning: 'Half a th', unsigned: true }, { text: 'Well.' }],
      [{ text: 'Fine.' }],
    ]);
    const content = contentOf(await collect(port, { modelId }));
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Find it' },
      { role: 'assistant', origin: { providerId: 'p', modelId }, content },
      { role: 'user', text: 'Go on' },
    ];
    expect(textOf(contentOf(await collect(port, { modelId, messages })))).toBe('Fine.');
  });

  test('errors and pictures of tools arrive as the API takes them', async () => {
    const { port, server } = await start(format, [CALLING, [{ text: 'I see.' }]]);
    const content = contentOf(await collect(port, { modelId, tools: toolsFor(port) }));
    const results = resultsFor(content, {
      images: [
        { mimeType: 'image/png', data: 'iVBORw0KGgo=' },
        { mimeType: 'image/svg+xml', data: 'PHN2Zz4=' },
      ],
    });
    if (results.role === 'tool')
      Object.assign(results.results[1] ?? {}, { isError: true, text: 'no such file', images: undefined });
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Find it' },
      { role: 'assistant', origin: { providerId: 'p', modelId }, content },
      results,
    ];
    expect(textOf(contentOf(await collect(port, { modelId, messages })))).toBe('I see.');
    const sent = JSON.stringify(server.journal.at(-1)?.body);
    expect(sent).toContain('iVBORw0KGgo=');
    expect(sent).not.toContain('PHN2Zz4=');
    expect(sent).toContain('image/svg+xml');
    expect(sent).toMatch(/"is_error":true|"error":"no such file"|Error: no such file/);
  });

  test('a model without vision gets the words alone, and is not asked again', async () => {
    const { port, server } = await start(format, () => [{ text: 'Ok.' }], { blind: true });
    const content: AssistantContent[] = [{ type: 'tool-call', callId: 'c1', name: 'f', args: {} }];
    const results = resultsFor(content, { images: [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }] });
    const messages: ModelMessage[] = [{ role: 'user', text: 'Look' }, { role: 'assistant', content }, results];
    await collect(port, { modelId, messages });
    await collect(port, { modelId, messages });
    expect(server.journal.map(({ status }) => status)).toEqual([400, 200, 200]);
    expect(JSON.stringify(server.journal[1]?.body)).toContain('image/png');
  });

  test('a refusal that pictures were not to blame for does not cost them', async () => {
    const refusal: ModelResponse = [{ error: { status: 400, message: 'The tool make_image is odd' } }];
    const { port, server } = await start(format, [refusal, refusal, [{ text: 'Ok.' }]]);
    const content: AssistantContent[] = [{ type: 'tool-call', callId: 'c1', name: 'f', args: {} }];
    const results = resultsFor(content, { images: [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }] });
    const messages: ModelMessage[] = [{ role: 'user', text: 'Look' }, { role: 'assistant', content }, results];
    expect(await failureOf(collect(port, { modelId, messages }))).toMatchObject({ code: 'refused-request' });
    await collect(port, { modelId, messages });
    const shown = server.journal.map(({ body }) => JSON.stringify(body).includes('iVBORw0KGgo='));
    expect(shown).toEqual([true, false, true]);
  });

  test('a connection that breaks off, and a stream that just ends, are broken', async () => {
    const { port } = await start(format, [[{ text: 'Half an ans' }, { cut: true }], [{ raw: ': nothing\n\n' }]]);
    const parts: StreamPart[] = [];
    const failure = await failureOf(
      (async () => {
        for await (const part of port.stream({
          modelId,
          messages: [{ role: 'user', text: 'x' }],
          signal: new AbortController().signal,
        })) {
          parts.push(part);
        }
      })(),
    );
    expect(failure).toMatchObject({ code: 'broken-stream', retryable: false });
    expect(parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('')).toBe('Half an ans');
    expect(parts.some((part) => part.type === 'finish')).toBe(false);
    expect(await failureOf(collect(port, { modelId }))).toMatchObject({ code: 'broken-stream', retryable: true });
  });

  test('an error inside a good response fails the turn with its code', async () => {
    const type = format === 'openai-responses' ? 'rate_limit_exceeded' : undefined;
    const { port } = await start(format, [[{ text: 'Half' }, { error: { status: 429, message: 'slow down', type } }]]);
    // Not for retrying: what had arrived would be said twice.
    expect(await failureOf(collect(port, { modelId }))).toMatchObject({ code: 'rate-limited', retryable: false });
  });

  test('JSON instead of a stream is read for its error', async () => {
    const body =
      format === 'anthropic'
        ? '{"type":"error","error":{"type":"overloaded_error","message":"busy"}}'
        : '{"error":{"message":"busy","code":503}}';
    const { port } = await start(format, [[{ raw: body }]]);
    expect(await failureOf(collect(port, { modelId }))).toMatchObject({ code: 'overloaded', retryable: true });
  });

  test.each([
    [401, 'key-refused', false],
    [404, 'model-not-found', false],
    [429, 'rate-limited', true],
    [500, 'server-error', true],
    [503, 'overloaded', true],
    [529, 'overloaded', true],
  ] as const)('status %i is %s', async (status, code, retryable) => {
    const headers = { 'retry-after': '7' };
    const { port, server } = await start(format, [[{ error: { status, message: 'The model says no', headers } }]]);
    const failure = await failureOf(collect(port, { modelId }));
    expect(failure).toMatchObject({ code, retryable });
    expect(failure.retryAfterMs).toBe(retryable ? 7000 : undefined);
    // Retrying is the turn's part.
    expect(server.journal).toHaveLength(1);
  });

  test('a history that has grown too long is told from other refusals', async () => {
    const { port } = await start(format, [
      [{ error: { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' } }],
      [{ error: { status: 400, message: 'Something about tools[0]' } }],
    ]);
    expect(await failureOf(collect(port, { modelId }))).toMatchObject({ code: 'context-too-long' });
    const refused = await failureOf(collect(port, { modelId }));
    expect(refused).toMatchObject({ code: 'refused-request', retryable: false });
    expect(refused.message).toContain('Something about tools[0]');
  });

  test('a wrong key is refused, and is in no message', async () => {
    const wrong = 'sk-wrong-key-1234567890';
    const { port, server } = await start(format, [], {}, { apiKey: wrong });
    for (const failure of [
      await failureOf(collect(port, { modelId })),
      await failureOf(listModels(format, { providerId: 'p', baseUrl: server.url, apiKey: wrong, fetch })),
    ]) {
      expect(failure.code).toBe('key-refused');
      expect(JSON.stringify({ ...failure, message: failure.message, stack: failure.stack })).not.toContain(wrong);
    }
  });

  test('lists its models', async () => {
    const { server } = await start(format, []);
    const models = await listModels(format, { providerId: 'p', baseUrl: `${server.url}/`, apiKey: TEST_KEY, fetch });
    expect(models.map(({ id }) => id)).toContain(modelId);
    expect(models.map(({ id }) => id)).not.toContain('text-embedding-004');
  });

  test('names the host that nothing answers at', async () => {
    const { port, server } = await start(format, []);
    const { host } = new URL(server.url);
    await server.close();
    const failure = await failureOf(collect(port, { modelId }));
    expect(failure).toMatchObject({ code: 'unreachable', retryable: false });
    expect(failure.message).toContain(host);
    const listed = await failureOf(
      listModels(format, { providerId: 'p', baseUrl: server.url, apiKey: TEST_KEY, fetch }),
    );
    expect(listed.code).toBe('unreachable');
  });

  test('a response without a body is a broken one', async () => {
    const { port } = await start(format, [], {}, { fetch: async () => new Response(null, { status: 204 }) });
    expect(await failureOf(collect(port, { modelId }))).toMatchObject({ code: 'broken-stream' });
  });

  test.each([301, 302, 307, 308])('status %i leads the key nowhere else', async (status) => {
    const asked: string[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const { port: number } = elsewhere.address() as AddressInfo;
    const headers = { location: `http://127.0.0.1:${number}/v1/there` };
    const { port, server } = await start(format, [[{ error: { status, headers } }]]);
    try {
      const failure = await failureOf(collect(port, { modelId }));
      expect(failure).toMatchObject({ code: 'unreachable', retryable: false });
      expect(failure.message).toContain(`${new URL(server.url).host} sends the request on`);
      expect(asked).toEqual([]);
    } finally {
      elsewhere.close();
    }
  });

  test.each(['while it streams', 'while nothing comes', 'before the headers'])('stops at once %s', async (when) => {
    const { port, server } = await start(
      format,
      [
        when === 'while it streams'
          ? [{ text: 'x'.repeat(6000) }]
          : [{ text: 'begin ' }, { delay: 60_000 }, { text: 'end' }],
      ],
      { delayMs: when === 'while it streams' ? 5 : 0 },
      when === 'before the headers' ? { fetch: neverAnswers } : {},
    );
    const stop = new AbortController();
    const reason = new Error('stopped by the person');
    const parts: StreamPart[] = [];
    const running = (async () => {
      for await (const part of port.stream({ modelId, messages: [{ role: 'user', text: 'x' }], signal: stop.signal })) {
        parts.push(part);
        if (parts.length === 1) setTimeout(() => stop.abort(reason), 50);
      }
    })();
    if (when === 'before the headers') setTimeout(() => stop.abort(reason), 50);
    await expect(running).rejects.toBe(reason);
    const seen = parts.length;
    expect(parts.some((part) => part.type === 'finish')).toBe(false);
    if (when !== 'before the headers')
      await expect.poll(() => server.journal[0]?.aborted, { timeout: 10_000 }).toBe(true);
    expect(parts).toHaveLength(seen);
  });

  test('a reader that leaves ends the request', async () => {
    const { port, server } = await start(format, [[{ text: 'begin ' }, { delay: 60_000 }]]);
    for await (const part of port.stream({
      modelId,
      messages: [{ role: 'user', text: 'x' }],
      signal: new AbortController().signal,
    })) {
      if (part.type === 'text-delta') break;
    }
    await expect.poll(() => server.journal[0]?.aborted, { timeout: 10_000 }).toBe(true);
  });

  test('a signal that is aborted already sends nothing', async () => {
    const { port, server } = await start(format, []);
    const reason = new Error('too late');
    await expect(collect(port, { modelId, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.journal).toEqual([]);
  });

  test('more tools than the provider takes are left out, and named', async () => {
    const { port, server } = await start(format, [[{ text: 'Ok.' }]]);
    const leftOut: string[] = [];
    await collect(port, { modelId, tools: toolsFor(port, 600), onToolsLeftOut: (names) => leftOut.push(...names) });
    const limit = { openai: 128, 'openai-responses': 128, anthropic: 600, google: 512 }[format];
    expect(leftOut).toHaveLength(600 - limit);
    expect(leftOut.at(-1)).toBe(limit === 600 ? undefined : 'mcp__many__t597');
    const { tools } = server.journal[0]?.body ?? {};
    expect(format === 'google' ? tools[0].functionDeclarations : tools).toHaveLength(limit);
  });

  test('an id that the conversation has already is replaced', async () => {
    const call: ModelResponse = [{ toolCall: { name: 'f', id: 'call_0', args: { a: 1 } } }];
    const { port } = await start(format, [call, call, [{ text: 'Done.' }]]);
    const messages: ModelMessage[] = [{ role: 'user', text: 'x' }];
    const ids: string[] = [];
    for (let round = 0; round < 2; round++) {
      const content = contentOf(await collect(port, { modelId, messages }));
      ids.push(...content.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])));
      messages.push({ role: 'assistant', origin: { providerId: 'p', modelId }, content }, resultsFor(content));
    }
    expect(new Set(ids).size).toBe(2);
    expect(textOf(contentOf(await collect(port, { modelId, messages })))).toBe('Done.');
  });
});

/** Waits until it is aborted, as fetch does for a server that is silent. */
const neverAnswers: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
