import { describe, expect, test } from 'vitest';
import { FORMATS, MODELS, type ModelResponse, TEST_KEY } from '../../../../../../e2e/fixtures/model-servers/index.ts';
import type { AssistantContent, ModelMessage } from '../ports/model.ts';
import { CALLING, collect, contentOf, failureOf, resultsFor, start, textOf, toolsFor } from './__fixtures__/port.ts';
import { listModels } from './index.ts';

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

  test('lists its models', async () => {
    const { server } = await start(format, []);
    const models = await listModels(format, { providerId: 'p', baseUrl: `${server.url}/`, apiKey: TEST_KEY, fetch });
    expect(models.map(({ id }) => id)).toContain(modelId);
    expect(models.map(({ id }) => id)).not.toContain('text-embedding-004');
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
