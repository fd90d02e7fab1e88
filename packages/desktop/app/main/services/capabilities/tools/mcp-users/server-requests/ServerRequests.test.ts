import type { AppEvent } from '@shared/contracts/index.ts';
import { mcpRequestsContract } from '@shared/contracts/mcp-requests.contract.ts';
import { describe, expect, it } from 'vitest';
import type { ModelPort, ModelRequest, StreamPart } from '../../../../ports/model.ts';
import { MAX_PENDING_PER_SERVER, type RequestOrigin, ServerRequests } from './ServerRequests.ts';

const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
const SAMPLING = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 100 };
const MODEL = { providerId: 'p', modelId: 'm1' };

/** A model whose answer is given; `hang` never ends. */
function model(parts: StreamPart[], hang = false): ModelPort & { asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    providerId: 'p',
    toolFormat: 'openai',
    asked,
    async *stream(request) {
      asked.push(request);
      yield* parts;
      if (hang) {
        await new Promise((_resolve, reject) => {
          request.signal.addEventListener('abort', () => reject(request.signal.reason));
        });
      }
    },
  };
}

const answering = (text: string) =>
  model([
    { type: 'text-delta', text },
    { type: 'finish', reason: 'stop' },
  ]);

function setUp(port: ModelPort = answering('Hello')) {
  const events: AppEvent[] = [];
  const opened: string[] = [];
  const requests = new ServerRequests({
    events: {
      emit: (event) => {
        events.push(event);
        const name = event.type.split('.')[1] as keyof typeof mcpRequestsContract.events;
        mcpRequestsContract.events[name].parse(event.payload);
      },
    },
    clock: { now: () => 1 },
    openModel: () => port,
    openExternal: async (url) => {
      opened.push(url);
      return true;
    },
  });
  let held = 0;
  const abort = new AbortController();
  const origin: RequestOrigin = {
    serverId: 's',
    serverName: 'Server',
    signal: abort.signal,
    hold: () => {
      held++;
      return () => held--;
    },
  };
  return { requests, events, opened, origin, abort, held: () => held, first: () => requests.list()[0]!.id };
}

/** Polls, since a model answers in its own time. */
async function phaseOf(requests: ServerRequests, name: string) {
  for (let tries = 0; tries < 500; tries++) {
    const question = requests.list()[0]?.question;
    if (question?.kind === 'sampling' && question.phase.name === name) return question.phase;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`never ${name}`);
}

describe('forms', () => {
  it('wait, stop the clocks, and are answered once', async () => {
    const { requests, events, origin, held, first } = setUp();
    const result = requests.elicit(FORM, origin);
    expect(held()).toBe(1);
    const id = first();
    await requests.answer(id, { action: 'accept', values: [{ name: 'name', value: 'Ada' }] });
    expect(await result).toEqual({ action: 'accept', content: { name: 'Ada' } });
    expect(held()).toBe(0);
    expect(requests.list()).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(['mcpRequests.changed', 'mcpRequests.closed']);
    await expect(requests.answer(id, { action: 'decline' })).rejects.toMatchObject({ code: 'not-pending' });
  });

  it.each(['decline', 'cancel'] as const)('can be answered by %s', async (action) => {
    const { requests, origin, first } = setUp();
    const result = requests.elicit(FORM, origin);
    await requests.answer(first(), { action });
    expect(await result).toEqual({ action });
  });

  it('go on waiting when what was entered does not fit', async () => {
    const { requests, origin, first } = setUp();
    void requests.elicit(FORM, origin);
    const answer = requests.answer(first(), { action: 'accept', values: [{ name: 'name', value: 3 }] });
    await expect(answer).rejects.toMatchObject({ code: 'invalid-answer' });
    await expect(requests.answer(first(), { action: 'open' })).rejects.toMatchObject({ code: 'invalid-answer' });
    expect(requests.list()).toHaveLength(1);
  });

  it('go when the server takes them back', async () => {
    const { requests, origin, abort, held } = setUp();
    const result = requests.elicit(FORM, origin);
    abort.abort(new Error('taken back'));
    await expect(result).rejects.toThrow('taken back');
    expect(requests.list()).toEqual([]);
    expect(held()).toBe(0);
  });

  it('of a flooding server are refused beyond a number, those of others are not', async () => {
    const { requests, origin } = setUp();
    for (let n = 0; n < MAX_PENDING_PER_SERVER; n++) void requests.elicit(FORM, origin);
    expect(() => requests.elicit(FORM, origin)).toThrow(/waiting/);
    void requests.elicit(FORM, { ...origin, serverId: 'other' });
    expect(requests.list()).toHaveLength(MAX_PENDING_PER_SERVER + 1);
  });

  it('stay when their call has ended, without it', () => {
    const { requests, origin } = setUp();
    void requests.elicit(FORM, { ...origin, call: 'c' });
    expect(requests.list()[0]?.call).toBe('c');
    requests.callEnded('c');
    expect(requests.list()[0]).not.toHaveProperty('call');
  });
});

describe('addresses', () => {
  const url = (address: string, elicitationId?: string) => ({
    mode: 'url',
    message: '',
    url: address,
    ...(elicitationId && { elicitationId }),
  });

  it('are opened only when the person says so', async () => {
    const { requests, opened, origin, first } = setUp();
    const result = requests.elicit(url('https://google.com@evil.example/a?b=\u202Ec'), origin);
    expect(requests.list()[0]?.question).toMatchObject({ host: 'evil.example' });
    expect(opened).toEqual([]);
    await requests.answer(first(), { action: 'open' });
    expect(await result).toEqual({ action: 'accept' });
    expect(opened).toEqual(['https://google.com@evil.example/a?b=%E2%80%AEc']);
  });

  it('stay until the server says that the rest is done', async () => {
    const { requests, origin, held, first } = setUp();
    const result = requests.elicit(url('https://example.org', 'e1'), origin);
    requests.completed('s', 'e1');
    expect(requests.list()).toHaveLength(1);
    await requests.answer(first(), { action: 'open' });
    expect(await result).toEqual({ action: 'accept' });
    expect(requests.list()[0]?.question).toMatchObject({ opened: true });
    expect(held()).toBe(1);
    requests.completed('other', 'e1');
    expect(requests.list()).toHaveLength(1);
    requests.completed('s', 'e1');
    expect(requests.list()).toEqual([]);
    expect(held()).toBe(0);
  });

  it('that were opened are done when their call is', async () => {
    const { requests, origin, held, first } = setUp();
    void requests.elicit(url('https://example.org', 'e1'), { ...origin, call: 'c' });
    await requests.answer(first(), { action: 'open' });
    requests.callEnded('c');
    expect(requests.list()).toEqual([]);
    expect(held()).toBe(0);
  });

  it('show a host of another script as what it is', () => {
    const { requests, origin } = setUp();
    void requests.elicit(url('https://аpple.com/'), origin);
    expect(requests.list()[0]?.question).toMatchObject({ host: expect.stringContaining('xn--') });
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'mailto:a@b.c',
    'nonsense',
    'https://a.b/\nc',
    'https:\\\\a.b',
  ])('of the kind %j are refused', (address) => {
    const { requests, origin } = setUp();
    expect(() => requests.elicit(url(address), origin)).toThrow(expect.objectContaining({ code: -32602 }));
  });
});

describe('pictures to be sampled', () => {
  const picture = (data = 'aGkh', mimeType = 'image/PNG') => ({ type: 'image', data, mimeType });
  const asking = (...content: unknown[]) => ({ ...SAMPLING, messages: [{ role: 'user', content }] });

  it('are shown to the person and go to the model', async () => {
    const port = answering('A cat');
    const { requests, origin, first } = setUp(port);
    void requests.sample(asking({ type: 'text', text: 'What is it?' }, picture()), origin);
    const images = [{ data: 'aGkh', mimeType: 'image/png' }];
    expect(requests.list()[0]?.question).toMatchObject({ messages: [{ role: 'user', text: 'What is it?', images }] });
    await requests.answer(first(), { action: 'approve', model: MODEL });
    await phaseOf(requests, 'answered');
    expect(port.asked[0]?.messages).toEqual([{ role: 'user', text: 'What is it?', images }]);
  });

  it.each([
    ['sound', asking({ type: 'audio', data: 'aGkh', mimeType: 'audio/wav' }), /Sound can not be sent/],
    ['another kind', asking({ type: 'hologram' }), /"hologram" can not be sent/],
    ['a type that not every model takes', asking(picture('aGkh', 'image/svg+xml')), /PNG, JPEG and WebP/],
    ['what is no base64', asking(picture('<b>')), /not base64/],
    ['too much', asking(picture('AAAA'.repeat(1_100_000))), /4 MB/],
    ['too many', asking(...Array.from({ length: 21 }, () => picture())), /20 pictures/],
    [
      'a picture of the assistant',
      { ...SAMPLING, messages: [{ role: 'assistant', content: picture() }, ...SAMPLING.messages] },
      /not of the assistant/,
    ],
  ])('of %s are refused with the reason', (_what, params, reason) => {
    const { requests, origin } = setUp();
    expect(() => requests.sample(params, origin)).toThrow(reason);
    expect(requests.list()).toEqual([]);
  });

  it('are refused when too many wait already', async () => {
    const { requests, origin } = setUp();
    const large = asking(picture('AAAA'.repeat(900_000)));
    for (let i = 0; i < 2; i++) requests.sample(large, origin).catch(() => {});
    await expect(async () => requests.sample(large, origin)).rejects.toMatchObject({ code: -32000 });
    expect(requests.list()).toHaveLength(2);
  });
});

describe('sampling', () => {
  it('shows the request, then the answer, and sends what the person made of it', async () => {
    const port = answering('Hello');
    const { requests, origin, first } = setUp(port);
    const params = {
      ...SAMPLING,
      systemPrompt: 'Be kind',
      modelPreferences: { hints: [{ name: 'claude' }, {}], costPriority: 0.2 },
      temperature: 1.7,
      stopSequences: ['END'],
    };
    const result = requests.sample(params, origin);
    expect(requests.list()[0]?.question).toMatchObject({
      system: 'Be kind',
      hints: ['claude'],
      maxTokens: 100,
      notPassedOn: [
        { name: 'temperature', value: '1.7' },
        { name: 'stopSequences', value: '["END"]' },
        { name: 'costPriority', value: '0.2' },
      ],
    });
    expect(port.asked).toEqual([]);
    await requests.answer(first(), { action: 'approve', model: MODEL });
    expect(await phaseOf(requests, 'answered')).toMatchObject({ text: 'Hello', model: { modelId: 'm1' } });
    expect(port.asked[0]).toMatchObject({ modelId: 'm1', system: 'Be kind', messages: [{ role: 'user', text: 'Hi' }] });
    await requests.answer(first(), { action: 'send', text: 'Hello there' });
    expect(await result).toEqual({
      role: 'assistant',
      content: { type: 'text', text: 'Hello there' },
      model: 'm1',
      stopReason: 'endTurn',
    });
  });

  it('can be refused before and after the model has answered', async () => {
    const { requests, origin, first } = setUp();
    const before = requests.sample(SAMPLING, origin);
    await requests.answer(first(), { action: 'decline' });
    await expect(before).rejects.toMatchObject({ code: -1 });
    const after = requests.sample(SAMPLING, origin);
    await requests.answer(first(), { action: 'approve', model: MODEL });
    await phaseOf(requests, 'answered');
    await requests.answer(first(), { action: 'cancel' });
    await expect(after).rejects.toMatchObject({ code: -1 });
  });

  it('nothing goes to the server before the answer was seen', async () => {
    const { requests, origin, first } = setUp(model([], true));
    void requests.sample(SAMPLING, origin);
    await expect(requests.answer(first(), { action: 'send', text: 'x' })).rejects.toMatchObject({
      code: 'invalid-answer',
    });
  });

  it('ends the model when the person declines in the middle', async () => {
    const port = model([], true);
    const { requests, origin, first } = setUp(port);
    const result = requests.sample(SAMPLING, origin);
    await requests.answer(first(), { action: 'approve', model: MODEL });
    await phaseOf(requests, 'writing');
    while (port.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await requests.answer(first(), { action: 'decline' });
    await expect(result).rejects.toMatchObject({ code: -1 });
    expect(port.asked[0]?.signal.aborted).toBe(true);
  });

  it('stops a model that writes more than was asked for', async () => {
    const { requests, origin, first } = setUp(model([{ type: 'text-delta', text: 'x'.repeat(5000) }], true));
    const result = requests.sample({ ...SAMPLING, maxTokens: 10 }, origin);
    await requests.answer(first(), { action: 'approve', model: MODEL });
    expect(await phaseOf(requests, 'answered')).toMatchObject({ text: 'x'.repeat(40), cut: true });
    await requests.answer(first(), { action: 'send', text: 'x' });
    expect(await result).toMatchObject({ stopReason: 'maxTokens' });
  });

  it('a model that fails can be asked again', async () => {
    const { requests, origin, first } = setUp(model([{ type: 'finish', reason: 'stop' }]));
    void requests.sample(SAMPLING, origin);
    await requests.answer(first(), { action: 'approve', model: MODEL });
    expect(await phaseOf(requests, 'failed')).toMatchObject({ error: { message: expect.stringContaining('without') } });
    await requests.answer(first(), { action: 'approve', model: MODEL });
    await phaseOf(requests, 'failed');
  });

  it.each([
    ['tools', { ...SAMPLING, tools: [{ name: 'x', inputSchema: {} }] }],
    ['a picture', { ...SAMPLING, messages: [{ role: 'user', content: { type: 'image', data: '', mimeType: 'x' } }] }],
    ['nothing', { maxTokens: 1, messages: [] }],
    ['no messages', { maxTokens: 1 }],
    ['a last word of the assistant', { messages: [{ role: 'assistant', content: { type: 'text', text: 'x' } }] }],
    ['a megabyte', { messages: [{ role: 'user', content: { type: 'text', text: 'x'.repeat(1_000_000) } }] }],
    ['another role', { messages: [{ role: 'system', content: { type: 'text', text: 'x' } }] }],
  ])('with %s is refused', (_what, params) => {
    const { requests, origin } = setUp();
    expect(() => requests.sample(params, origin)).toThrow(expect.objectContaining({ code: -32602 }));
  });

  it('has a limit of its own, whatever is asked for', () => {
    const { requests, origin } = setUp();
    void requests.sample({ ...SAMPLING, maxTokens: 1e9 }, origin);
    expect(requests.list()[0]?.question).toMatchObject({ maxTokens: 16_384 });
  });
});
