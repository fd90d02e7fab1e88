import { afterEach, describe, expect, test } from 'vitest';
import {
  FORMATS,
  MODELS,
  type ModelServer,
  type ModelServerFormat,
  type ModelStep,
  startModelServer,
  TEST_KEY,
} from '../../../../../../e2e/fixtures/model-servers/index.ts';
import type { StreamPart } from '../ports/model.ts';
import { createModelPort } from './index.ts';

/** Bytes on the wire, through the real SDKs: one answer, “日 ok”, written in every way that the rules allow. */
interface Event {
  event?: string;
  data: unknown;
}

const ANSWER: Record<ModelServerFormat, Event[]> = {
  openai: [
    { data: { choices: [{ index: 0, delta: { content: '日 ' } }] } },
    { data: { choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }] } },
    { data: { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } } },
  ],
  'openai-responses': [
    {
      data: {
        type: 'response.output_item.added',
        output_index: 0,
        item: { id: 'msg_1', type: 'message', content: [] },
      },
    },
    { data: { type: 'response.output_text.delta', output_index: 0, delta: '日 ' } },
    { data: { type: 'response.output_text.delta', output_index: 0, delta: 'ok' } },
    {
      data: {
        type: 'response.completed',
        response: { status: 'completed', usage: { input_tokens: 3, output_tokens: 2 } },
      },
    },
  ].map(({ data }) => ({ event: data.type, data })),
  anthropic: [
    { data: { type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 0 } } } },
    { data: { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } },
    { data: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '日 ' } } },
    { data: { type: 'ping' } },
    { data: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } } },
    { data: { type: 'content_block_stop', index: 0 } },
    { data: { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } } },
  ].map(({ data }) => ({ event: data.type, data })),
  google: [
    { data: { candidates: [{ content: { role: 'model', parts: [{ text: '日 ' }] } }] } },
    {
      data: {
        candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 },
      },
    },
  ],
};

const plain = ({ event, data }: Event, eol = '\n', space = ' '): string =>
  `${event === undefined ? '' : `event:${space}${event}${eol}`}data:${space}${JSON.stringify(data)}${eol}${eol}`;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const oneByOne = (text: string): ModelStep[] => [...bytes(text)].map((byte) => ({ raw: Uint8Array.of(byte) }));

const WAYS: [string, (events: Event[]) => ModelStep[]][] = [
  ['as usual', (events) => events.map((event) => ({ raw: plain(event) }))],
  ['all at once', (events) => [{ raw: events.map((event) => plain(event)).join('') }]],
  ['without a space after the colon', (events) => [{ raw: events.map((event) => plain(event, '\n', '')).join('') }]],
  ['with CRLF', (events) => events.map((event) => ({ raw: plain(event, '\r\n') }))],
  ['with CR', (events) => events.map((event) => ({ raw: plain(event, '\r') }))],
  [
    'cut between CR and LF',
    (events) =>
      events.flatMap((event) =>
        plain(event, '\r\n')
          .split(/(?<=\r)/)
          .flatMap((raw): ModelStep[] => [{ raw }, { delay: 2 }]),
      ),
  ],
  ['with a byte order mark', (events) => [{ raw: `\uFEFF${events.map((event) => plain(event)).join('')}` }]],
  ['one byte at a time', (events) => oneByOne(events.map((event) => plain(event)).join(''))],
  [
    'with comments and pings',
    (events) =>
      events.map((event) => ({ raw: `: keep-alive\n\n:\n${plain(event)}event: ping\ndata: {"type":"ping"}\n\n` })),
  ],
  [
    'with a comment, an id and a retry inside',
    (events) => events.map((event) => ({ raw: `: x\nid: 1\nretry: 5\n${plain(event)}` })),
  ],
  [
    'with two data lines for one event',
    (events) =>
      events.map(({ event, data }) => ({
        raw: `${event === undefined ? '' : `event: ${event}\n`}${JSON.stringify(data, undefined, 1)
          .split('\n')
          .map((line) => `data: ${line}\n`)
          .join('')}\n`,
      })),
  ],
  [
    'with an error that says nothing in each event',
    (events) =>
      events.map(({ event, data }) => ({
        raw: plain({ event, data: { ...(data as object), error: { message: '', type: '', code: null } } }),
      })),
  ],
  [
    'without blank lines',
    (events) => [{ raw: `${events.map((event) => plain(event).trimEnd()).join('\n')}\ndata: [DONE]\n\n` }],
  ],
  [
    'without the last blank line',
    (events) => [
      {
        raw: events
          .map((event) => plain(event))
          .join('')
          .trimEnd(),
      },
    ],
  ],
  ['as lines of JSON', (events) => [{ raw: events.map(({ data }) => JSON.stringify(data)).join('\n') }]],
  ['without event names', (events) => events.map(({ data }) => ({ raw: plain({ data }) }))],
  [
    'with [DONE] and noise after it',
    (events) => [...events.map((event) => ({ raw: plain(event) })), { raw: 'data: [DONE]\n\ndata: nonsense\n\n' }],
  ],
];

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function read(format: ModelServerFormat, steps: ModelStep[]): Promise<StreamPart[]> {
  server = await startModelServer(format, [steps]);
  const port = createModelPort(format, { providerId: 'p', baseUrl: server.url, apiKey: TEST_KEY, fetch });
  const parts: StreamPart[] = [];
  const request = { modelId: MODELS[format], signal: new AbortController().signal };
  for await (const part of port.stream({ ...request, messages: [{ role: 'user', text: 'x' }] })) parts.push(part);
  return parts;
}

describe.each(FORMATS)('%s', (format) => {
  test.each(WAYS)('a stream written %s', async (_way, write) => {
    const parts = await read(format, write(ANSWER[format]));
    expect(parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('')).toBe('日 ok');
    expect(parts.find((part) => part.type === 'usage')).toMatchObject({ usage: { inputTokens: 3, outputTokens: 2 } });
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  test('an error event, in any of its shapes, fails with its code', async () => {
    const first = (ANSWER[format][0] ?? { data: {} }) satisfies Event;
    for (const raw of [
      'data: {"error":{"message":"overloaded","code":529}}\n\n',
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
      '{"error":{"message":"overloaded","code":529}}',
      'data: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}\r\n\r\n',
      'data: {"code":"overloaded","message":"Come back later."}\n\n',
      'data: {"status":503,"detail":"Come back later."}\n\n',
    ]) {
      await expect(read(format, [{ raw: plain(first) }, { raw }]), raw).rejects.toMatchObject({ code: 'overloaded' });
      await server?.close();
    }
  });

  test('a web page is told for what it is, whatever it says it is', async () => {
    const raw = '\n<!doctype html><html><body>Sign in</body></html>';
    await expect(read(format, [{ raw }])).rejects.toMatchObject({ code: 'not-supported' });
  });

  test('an event that is cut off is a broken stream, not an answer', async () => {
    await expect(read(format, [{ raw: 'data: {"cand' }])).rejects.toMatchObject({ code: 'broken-stream' });
  });
});
