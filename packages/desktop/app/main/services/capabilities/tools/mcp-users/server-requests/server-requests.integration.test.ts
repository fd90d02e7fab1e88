import { fileURLToPath } from 'node:url';
import type { RequestAnswer, ServerRequest } from '@shared/contracts/mcp-requests.contract.ts';
import { describe, expect, it } from 'vitest';
import type { ModelPort } from '../../../../ports/model.ts';
import { makePool, memoryStore, until } from '../__fixtures__/pool.ts';
import { everythingOverHttp, programOf } from '../__fixtures__/published-servers.ts';
import { ServerGrants } from './ServerGrants.ts';
import { MAX_PENDING_PER_SERVER, ServerRequests } from './ServerRequests.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../__fixtures__/${name}`, import.meta.url));
const EVERYTHING = programOf('server-everything');

const MODEL: ModelPort = {
  providerId: 'p',
  toolFormat: 'openai',
  async *stream({ messages }) {
    yield { type: 'text-delta', text: `Answer to ${JSON.stringify(messages)}` };
    yield { type: 'finish', reason: 'stop' };
  },
};

/** A pool with someone who can be asked, and one server in it. */
async function setUp(program: string | URL, args: string[] = [], limits = {}) {
  const opened: string[] = [];
  const requests = new ServerRequests({
    events: { emit: () => {} },
    clock: Date,
    openModel: () => MODEL,
    openExternal: async (url) => opened.push(url) > 0,
  });
  let folder = '/tmp';
  const grants = new ServerGrants({ store: memoryStore(), chooseFolder: async () => folder, onError: () => {} });
  const { service } = makePool({ person: { requests, grants } });
  const { id } = await service.add(
    typeof program === 'string'
      ? { name: 'asker', type: 'stdio', config: { command: process.execPath, args: [program, ...args] }, limits }
      : { name: 'asker', type: 'http', config: { url: program.href }, limits },
  );
  const tools = await service.listServerTools(id);
  let calls = 0;
  const call = async (tool: string, input = {}, options = {}) => {
    const { content } = await service.callTool(id, tool, input, `call-${calls++}`, options);
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  };
  const next = async (kind?: string): Promise<ServerRequest> => {
    const find = () => requests.list().find(({ question }) => !kind || question.kind === kind);
    await until(() => find() !== undefined, `a request ${kind ?? ''}`);
    return find()!;
  };
  const answer = async (value: RequestAnswer, kind?: string) => requests.answer((await next(kind)).id, value);
  const chooseNext = (next: string) => {
    folder = next;
  };
  return { service, requests, grants, opened, id, tools, call, next, answer, chooseNext };
}

/** Lets a model answer a request and sends that on. */
async function sample({ requests, answer, next }: Awaited<ReturnType<typeof setUp>>): Promise<void> {
  await answer({ action: 'approve', model: { providerId: 'p', modelId: 'm1' } }, 'sampling');
  const answered = () => {
    const question = requests.list().find((request) => request.question.kind === 'sampling')?.question;
    return question?.kind === 'sampling' && question.phase.name === 'answered' ? question.phase : undefined;
  };
  await until(() => answered() !== undefined, 'an answer');
  await requests.answer((await next('sampling')).id, { action: 'send', text: answered()!.text });
}

describe('server-everything', () => {
  it('offers all it has, asks by form within its call, and gets what was entered', async () => {
    const { tools, call, next, answer, requests } = await setUp(EVERYTHING, ['stdio']);
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'trigger-elicitation-request',
        'trigger-url-elicitation',
        'trigger-sampling-request',
        'get-roots-list',
      ]),
    );
    const result = call('trigger-elicitation-request');
    const request = await next('form');
    expect(request).toMatchObject({ serverName: 'asker', call: 'call-0' });
    const values = [
      { name: 'name', value: 'Ada' },
      { name: 'check', value: true },
      { name: 'titledMultipleSelectEnum', value: ['fish-1'] },
    ];
    await answer({ action: 'accept', values });
    expect(await result).toContain('Ada');
    expect(requests.list()).toEqual([]);

    const declined = call('trigger-elicitation-request');
    await answer({ action: 'decline' }, 'form');
    expect(await declined).toMatch(/declined/i);
  });

  it('asks over HTTP as well', async () => {
    const url = new URL(await everythingOverHttp('streamableHttp'));
    const pool = await setUp(url, [], { idleMs: 2000, totalMs: 2000 });
    const result = pool.call('trigger-sampling-request', { prompt: 'Say hi', maxTokens: 50 });
    expect(await pool.next('sampling')).toMatchObject({ call: 'call-0' });
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await sample(pool);
    expect(await result).toContain('m1');
  });

  it('gets a model to answer, or is told that the person refused', async () => {
    const pool = await setUp(EVERYTHING, ['stdio']);
    const result = pool.call('trigger-sampling-request', { prompt: 'Say hi', maxTokens: 50 });
    await sample(pool);
    const text = await result;
    expect(text).toContain('Say hi');
    expect(text).toContain('m1');
    const refused = pool.call('trigger-sampling-request', { prompt: 'Say hi' });
    await pool.answer({ action: 'decline' }, 'sampling');
    expect(await refused).toMatch(/rejected/);
  });

  it('learns of folders as they are granted', async () => {
    const { grants, id, call } = await setUp(EVERYTHING, ['stdio']);
    await grants.addRoot(id);
    let text = '';
    await expect
      .poll(
        async () => {
          text = await call('get-roots-list');
          return text;
        },
        { timeout: 15_000 },
      )
      .toContain('file:///tmp');
  });

  it('an address that is needed first is visited, and the call goes on after it', async () => {
    const { call, answer, opened, requests } = await setUp(EVERYTHING, ['stdio']);
    const input = { url: 'https://example.org/in', errorPath: true, elicitationId: 'e1' };
    const result = call('trigger-url-elicitation', input);
    // Opened, and then the person says so: this server tells nobody.
    await answer({ action: 'open' }, 'url');
    await answer({ action: 'done' }, 'url');
    // The second call asks in the ordinary way.
    await until(
      () => requests.list().some(({ question }) => question.kind === 'url' && !question.opened),
      'a question',
    );
    await answer({ action: 'open' }, 'url');
    expect(await result).toMatch(/accept/i);
    expect(opened).toHaveLength(2);
  });
});

describe.each([
  ['the older revisions', 'nosy-server.mjs', 'ask'],
  ['the newer revision', 'asking-server.mjs', 'form'],
])('whoever calls, in %s,', (_era, program, tool) => {
  it('is told when a person is waited for, and when that is over', async () => {
    const { call, answer, next, requests } = await setUp(fixture(program));
    const waiting: boolean[] = [];
    const onWaiting = (isWaiting: boolean) => waiting.push(isWaiting);
    const result = call(tool, {}, { onWaiting });
    await next('form');
    expect(waiting).toEqual([true]);
    await answer({ action: 'decline' });
    expect(await result).toContain('decline');
    expect(waiting).toEqual([true, false]);

    const stop = new AbortController();
    const stopped = call(tool, {}, { onWaiting, signal: stop.signal });
    await next('form');
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    await until(() => requests.list().length === 0, 'nothing is asked any more');
    expect(waiting).toEqual([true, false, true, false]);
  });
});

describe('a server of the newer revision', () => {
  it('gets the answers of each round, with its own state', async () => {
    const { call, answer, next } = await setUp(fixture('asking-server.mjs'));
    const result = call('form');
    expect(await next('form')).toMatchObject({ call: 'call-0', question: { message: 'Who are you?' } });
    await answer({ action: 'accept', values: [{ name: 'name', value: 'Ada' }] });
    expect(JSON.parse(await result)).toMatchObject({
      who: { action: 'accept', content: { name: 'Ada' } },
      state: 'round-1',
    });
  });

  it('may ask for everything at once', async () => {
    const pool = await setUp(fixture('asking-server.mjs'));
    await pool.grants.addRoot(pool.id);
    const result = pool.call('all');
    await pool.answer({ action: 'open' }, 'url');
    await sample(pool);
    const answers = JSON.parse(await result);
    expect(answers).toMatchObject({
      page: { action: 'accept' },
      roots: { roots: [{ uri: 'file:///tmp' }] },
      model: { model: 'm1' },
    });
    expect(pool.opened).toEqual(['https://example.org/visit']);
  });

  it('that never stops asking fails, and its call can be declined and stopped', async () => {
    const { call, answer, next, requests } = await setUp(fixture('asking-server.mjs'));
    expect(await call('endless')).toContain('asked for input more than');
    const declined = call('form');
    await answer({ action: 'decline' });
    expect(JSON.parse(await declined)).toMatchObject({ who: { action: 'decline' } });
    const stop = new AbortController();
    const stopped = call('form', {}, { signal: stop.signal });
    await next('form');
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    expect(requests.list()).toEqual([]);
  });

  it('waiting for a person counts against no limit', async () => {
    const { call, answer, next } = await setUp(fixture('asking-server.mjs'), [], { idleMs: 2000, totalMs: 2000 });
    const result = call('form');
    await next('form');
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await answer({ action: 'accept', values: [{ name: 'name', value: 'Ada' }] });
    expect(await result).toContain('Ada');
  });

  it('logs from the level that was chosen', async () => {
    const { call, grants, id, service } = await setUp(fixture('asking-server.mjs'));
    const logged = () => service.log(id).some(({ text }) => text.includes('a word in passing'));
    await call('log');
    expect(logged()).toBe(false);
    grants.setLogLevel(id, 'debug');
    await call('log');
    await until(logged, 'the message in the log');
  });
});

describe('a nosy server of the older era', () => {
  const nosy = (limits = {}) => setUp(fixture('nosy-server.mjs'), [], limits);

  it('waiting for a person counts against no limit', async () => {
    const { call, answer, next } = await nosy({ idleMs: 2000, totalMs: 2000 });
    const result = call('ask');
    expect(await next()).toMatchObject({ call: 'call-0', question: { message: '<b>Who</b> \u202Eare you?' } });
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await answer({ action: 'accept', values: [] });
    expect(JSON.parse(await result)).toEqual({ action: 'accept', content: {} });
  });

  it.each([
    ['nested', -32602],
    ['huge', -32602],
    ['tools', -32602],
    ['unknown', -32601],
  ])('is refused %s, and the person sees nothing of it', async (tool, code) => {
    const { call, requests } = await nosy();
    expect(JSON.parse(await call(tool))).toMatchObject({ error: { code } });
    expect(requests.list()).toEqual([]);
  });

  it('is refused beyond a number of questions', async () => {
    const { call, requests } = await nosy();
    const result = call('flood');
    await until(() => requests.list().length === MAX_PENDING_PER_SERVER, 'all that are let through');
    while (requests.list().length > 0) await requests.answer(requests.list()[0]!.id, { action: 'decline' });
    const answers = JSON.parse(await result) as { action?: string; error?: object }[];
    expect(answers.filter(({ action }) => action === 'decline')).toHaveLength(MAX_PENDING_PER_SERVER);
    expect(answers.filter(({ error }) => error)).toHaveLength(100 - MAX_PENDING_PER_SERVER);
  });

  it('can take a question back', async () => {
    const { call, next, requests } = await nosy();
    const result = call('withdraw');
    const { id } = await next();
    expect(await result).toContain('withdrawn');
    expect(requests.list()).toEqual([]);
    await expect(requests.answer(id, { action: 'decline' })).rejects.toMatchObject({ code: 'not-pending' });
  });

  it('leaves no question behind when it ends', async () => {
    const { call, next, requests } = await nosy();
    const result = call('leave');
    await next();
    await expect(result).rejects.toMatchObject({ code: 'call-lost' });
    expect(requests.list()).toEqual([]);
  });

  it('leaves no question behind when its call is stopped, or it is switched off', async () => {
    const { call, next, requests, service, id } = await nosy();
    const stop = new AbortController();
    const stopped = call('ask', {}, { signal: stop.signal });
    await next();
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    expect(requests.list()).toEqual([]);
    const ended = call('ask').catch((error) => error);
    await next();
    await service.setEnabled(id, false);
    await ended;
    expect(requests.list()).toEqual([]);
  });

  it('is told of folders and of its log level, also after a restart', async () => {
    const { call, grants, id, service, chooseNext } = await nosy();
    grants.setLogLevel(id, 'warning');
    await grants.addRoot(id);
    chooseNext('/tmp/with space');
    await grants.addRoot(id);
    const state = { level: 'warning', roots: { roots: [{ uri: 'file:///tmp' }, { uri: 'file:///tmp/with%20space' }] } };
    await expect
      .poll(async () => JSON.parse(await call('state')), { timeout: 15_000 })
      .toMatchObject({
        ...state,
        rootsAsked: 2,
      });
    service.restart(id);
    await expect
      .poll(async () => JSON.parse(await call('state')), { timeout: 15_000 })
      .toMatchObject({
        ...state,
        rootsAsked: 0,
      });
  });
});

it('without anyone to ask, nothing is announced', async () => {
  const { service } = makePool();
  const config = { command: process.execPath, args: [fixture('nosy-server.mjs')] };
  const { id } = await service.add({ name: 'nosy', type: 'stdio', config });
  await service.listServerTools(id);
  expect(service.listServers()[0]?.state).toMatchObject({ serverVersion: '{}' });
});
