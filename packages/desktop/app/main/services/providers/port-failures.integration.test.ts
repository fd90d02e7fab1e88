import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { FORMATS, MODELS, TEST_KEY } from '../../../../../../e2e/fixtures/model-servers/index.ts';
import type { StreamPart } from '../ports/model.ts';
import { collect, failureOf, start } from './__fixtures__/port.ts';
import { listModels } from './index.ts';

describe.each(FORMATS)('%s', (format) => {
  const modelId = MODELS[format];

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
    '{"detail":"Model is loading"}',
    '{"base_resp":{"status_code":1000,"status_msg":"Model is loading"},"choices":null}',
    '{"code":1,"msg":"Model is loading"}',
    '{"success":false,"errors":[{"message":"Model is loading"}]}',
  ])('JSON that is no answer is an error, and says why: %s', async (raw) => {
    const { port } = await start(format, [[{ raw }]]);
    expect(await failureOf(collect(port, { modelId }))).toMatchObject({
      code: 'server-error',
      details: 'Model is loading',
    });
  });

  test('a whole answer from a server that does not stream is an answer', async () => {
    const message = { role: 'assistant', content: 'Hi.' };
    const whole: Record<typeof format, object> = {
      openai: { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] },
      'openai-responses': {
        object: 'response',
        status: 'completed',
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi.' }] }],
      },
      anthropic: {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'text', text: 'Hi.' },
          { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
        ],
        stop_reason: 'tool_use',
        usage: { input_tokens: 3, output_tokens: 2 },
      },
      google: { candidates: [{ content: { parts: [{ text: 'Hi.' }] }, finishReason: 'STOP' }] },
    };
    const { port } = await start(format, [[{ raw: JSON.stringify(whole[format], null, 2) }]]);
    const parts = await collect(port, { modelId });
    expect(parts.flatMap((part) => (part.type === 'text-delta' ? part.text : [])).join('')).toBe('Hi.');
    if (format === 'anthropic') {
      expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-call-end', name: 'f', argsText: '{"a":1}' }));
      expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
    } else expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
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
});
