import { describe, expect, it, onTestFinished } from 'vitest';
import { newToken, pidsWith } from '../../../../platform/process/__fixtures__/find-processes.ts';
import { makePool, stateOf, until } from './__fixtures__/pool.ts';
import { addScripted, ready } from './__fixtures__/scripted.ts';
import { DEFAULT_RETRY_TIMES } from './retry-policy.ts';

describe('a hostile stdio server', () => {
  it('that nests too deep loses that tool and that value, and nothing else', async () => {
    const { service } = makePool();
    const deep = '{"a":'.repeat(20_000) + 1 + '}'.repeat(20_000);
    const program = `
      const deep = '{"a":'.repeat(20000) + 1 + '}'.repeat(20000);
      const rawReply = (id, result) => process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":' + result + '}\\n');
      on['tools/list'] = ({ id }) => rawReply(id, '{"tools":[{"name":"good","inputSchema":{"type":"object"}},' +
        '{"name":"deep","inputSchema":{"type":"object","properties":' + deep + '}}]}');
      on['tools/call'] = ({ id }) => rawReply(id, '{"structuredContent":' + deep + ',"content":[' +
        '{"type":"text","text":"kept"},{"type":"odd","value":' + deep + '}]}');`;
    expect(deep.length).toBeGreaterThan(100_000);
    const id = await addScripted(service, program);
    await ready(service, id);
    const { tools, rejected } = await service.tools(id);
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    expect(rejected).toMatchObject([{ name: 'deep', reason: expect.stringContaining('200 levels') }]);
    const result = await service.callTool(id, 'good', {}, 'a');
    expect(result.content[0]).toEqual({ type: 'text', text: 'kept' });
    expect(JSON.stringify(structuredClone(result)).length).toBeLessThan(10_000);
  });

  it('that never reads its input costs a time-out, and no listeners', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => warnings.push(name);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const { service } = makePool();
    const program = `
      setInterval(() => {}, 1000);
      on['tools/list'] = (message, reply) => { reply({ tools: [{ name: 'echo', inputSchema: {} }] }); process.stdin.pause(); };`;
    const id = await addScripted(service, program, { idleMs: 500 });
    await ready(service, id);
    const text = 'x'.repeat(200_000);
    const calls = Array.from({ length: 30 }, (_, n) =>
      service.callTool(id, 'echo', { text }, `call ${n}`).catch((error) => error.code),
    );
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['call-timeout']));
    expect(warnings.filter((name) => name.startsWith('MaxListeners'))).toEqual([]);
  });

  it('that writes its secret where its lines are cut shows no part of it', async () => {
    const { service } = makePool();
    const program = `
      const line = '-'.repeat(4096 - 20) + process.env.API_KEY + '\\n';
      process.stdout.write(line);
      process.stderr.write(line);`;
    const id = await addScripted(service, program, {}, { API_KEY: 'S'.repeat(40) });
    await ready(service, id);
    await until(() => service.log(id).some(({ source }) => source === 'stderr'), 'its stderr is read');
    const texts = service.log(id).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('---')).length).toBeGreaterThan(1);
    expect(texts.join()).not.toContain('SS');
  });

  it('with more tools than anyone needs is cut, and its log stays short', async () => {
    const { service } = makePool();
    const program = `setTools([...Array(8000).keys()].map((n) => ({ name: 'bad' + n }))
      .concat([...Array(60000).keys()].map((n) => ({ name: 'ok' + n, inputSchema: { type: 'object' } }))))`;
    const id = await addScripted(service, program);
    await ready(service, id);
    const { tools, rejected } = await service.tools(id);
    expect([tools.length, rejected.length]).toEqual([2000, 8000]);
    expect(service.logOf(id).latest).toBeLessThan(100);
  });

  it('that is switched off in the middle of a call is not said to have crashed, and nobody waits for its end', async () => {
    const { service } = makePool();
    const program = `process.on('SIGTERM', () => {}); on['tools/call'] = () => setInterval(() => {}, 1000);
      process.stdin.removeAllListeners('end');`;
    const id = await addScripted(service, program);
    await ready(service, id);
    const call = service.callTool(id, 'echo', {}, 'a').catch((error) => error);
    await new Promise((resolve) => setTimeout(resolve, 200));
    let isStopped = false;
    const off = service.setEnabled(id, false).then(() => {
      isStopped = true;
    });
    const error = await call;
    expect(isStopped).toBe(false);
    expect(error).toMatchObject({ code: 'call-lost', message: expect.stringContaining('switched off') });
    expect(`${error.message} ${error.hint}`).not.toMatch(/exit code|started again/);
    await off;
  });

  it('that was edited into another one has no tools of the old one', async () => {
    const { service } = makePool();
    const id = await addScripted(service, '');
    await ready(service, id);
    await service.update(id, { name: 'scripted', type: 'stdio', config: { command: '/does/not/exist' } });
    await until(() => stateOf(service, id).status === 'failed', 'it failed');
    expect(await service.tools(id)).toEqual({ tools: [], rejected: [] });
  });

  it('that closes its input is lost, since it can be asked nothing any more', async () => {
    const { service } = makePool();
    const program = `setInterval(() => {}, 1000);
      on['tools/call'] = async (_message, reply) => { (await import('node:fs')).closeSync(0); reply(text('closed')); };`;
    const id = await addScripted(service, program);
    await ready(service, id);
    const told: string[] = [];
    service.events.on('state', ({ state }) => told.push(JSON.stringify(state)));
    await service.callTool(id, 'echo', {}, 'a');
    await expect(service.callTool(id, 'echo', {}, 'b')).rejects.toMatchObject({ code: 'call-lost' });
    await until(() => told.some((state) => state.includes('It closed its input.')), 'it is lost');
    // It is started again like any other.
    expect(await service.callTool(id, 'echo', {}, 'c')).toMatchObject({ content: [{ text: 'closed' }] });
  });

  it('that begins with a byte order mark is understood from its first word on', async () => {
    const { service } = makePool();
    const id = await addScripted(service, `process.stdout.write('\\uFEFF');`);
    await ready(service, id);
    expect(service.log(id).filter(({ source }) => source === 'stdout')).toEqual([]);
  });

  it.each([
    `{ supportedVersions: ['2026-07-28'] }`,
    `{ supportedVersions: ['2026-07-28'], capabilities: null }`,
    `{ supportedVersions: '2026-07-28', capabilities: {} }`,
    `{ supportedVersions: [...Array(100000).keys()].map(String), capabilities: {} }`,
    `[['2026-07-28']]`,
  ])('that does not quite say yes to the newer revision is spoken to in the old way: %s', async (answer) => {
    const { service } = makePool();
    const id = await addScripted(service, `on['server/discover'] = (_message, reply) => reply(${answer});`);
    await ready(service, id);
    expect(stateOf(service, id)).toMatchObject({ protocolVersion: expect.stringMatching(/^2025/) });
  });

  it.each([
    ['without a line end, before it ends', `raw(answer('answered')); process.exit(0)`],
    ['in a batch', `raw('[' + answer('answered') + ',{"jsonrpc":"2.0","method":"notifications/odd"},7]\\n')`],
    ['between NUL characters', `raw('\\0' + answer('answered') + '\\0\\n')`],
  ])('that answers %s has answered', async (_how, act) => {
    const { service } = makePool();
    const answer = `const answer = (value) => JSON.stringify({ jsonrpc: '2.0', id, result: text(value) });`;
    const id = await addScripted(service, `on['tools/call'] = ({ id }) => { ${answer} ${act}; };`);
    await ready(service, id);
    const { content } = await service.callTool(id, 'echo', {}, 'a');
    expect(content).toEqual([{ type: 'text', text: 'answered' }]);
  });

  it.each([
    ['"boom"', 'boom'],
    ['{ code: "x", reason: "no disk" }', 'no disk'],
    ['{ message: ["odd"] }', 'odd'],
  ])('that refuses with an error of its own form (%s) is quoted', async (error, words) => {
    const { service } = makePool();
    const id = await addScripted(service, `on['tools/call'] = ({ id }) => send({ id, error: ${error} });`);
    await ready(service, id);
    const { isError, content } = await service.callTool(id, 'echo', {}, 'a');
    expect(isError).toBe(true);
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining(words) }]);
  });

  it.each([
    ['capabilities: { tools: [], logging: null, prompts: [] }, serverInfo: { name: "odd", version: "1" }'],
    ['capabilities: { tools: true }, serverInfo: { name: "odd", version: 1, title: null }, instructions: null'],
    ['capabilities: { tools: { listChanged: "yes" } }, _meta: null'],
  ])('that shakes hands in an odd way (%s) has its tools', async (fields) => {
    const { service } = makePool();
    const program = `on.initialize = ({ params }, reply) =>
      reply({ protocolVersion: params.protocolVersion, ${fields} });`;
    const id = await addScripted(service, program);
    await ready(service, id);
    expect((await service.tools(id)).tools.map(({ name }) => name)).toEqual(['echo']);
  });

  it('that puts more into its messages than JSON-RPC has is understood', async () => {
    const { service } = makePool();
    const program = `
      let answer;
      for (const method of Object.keys(on)) {
        const handle = on[method];
        on[method] = (message) => handle(message, (result) => send({ id: message.id, result, error: null, took: 3 }));
      }
      on['tools/call'] = ({ id }, reply) => {
        answer = () => send({ id, result: text('pinged') });
        setTools([{ name: 'later', inputSchema: { type: 'object' } }]);
        send({ method: 'notifications/tools/list_changed', params: null });
        send({ id: 'p', method: 'ping', params: null });
      };
      process.stdin.on('data', (chunk) => chunk.includes('"id":"p"') && answer());`;
    const id = await addScripted(service, program, { idleMs: 5000 });
    await ready(service, id);
    expect(await service.callTool(id, 'echo', {}, 'a')).toMatchObject({ content: [{ text: 'pinged' }] });
    await until(() => service.offeredTool(id, 'later') !== undefined, 'the changed list is seen');
  });

  it.each([
    ['of words alone', `'no room for you'`],
    ['without a code', `{ message: 'no room for you' }`],
    ['with a code that is a word', `{ code: 'E_FULL', message: 'no room for you' }`],
  ])('that refuses the handshake with an error %s is heard at once', async (_what, error) => {
    const { service } = makePool();
    const id = await addScripted(service, `on.initialize = ({ id }) => send({ id, error: ${error} });`);
    await until(() => stateOf(service, id).status === 'waiting-to-retry', 'it is refused', 10_000);
    expect(JSON.stringify(stateOf(service, id))).toContain('no room for you');
  });

  it.each([
    ['a NaN', '{"x": NaN}'],
    ['a raw control character', '{"text": "a\\u0007b'],
  ])('whose answer is no JSON for %s costs no time-out', async (_what, value) => {
    const { service } = makePool();
    const program = `on['tools/call'] = ({ id }) => raw('{"jsonrpc": "2.0", "id": ' + id + ', "result": ${value}}\\n');`;
    const id = await addScripted(service, program);
    await ready(service, id);
    const signal = AbortSignal.timeout(5000);
    const result = await service.callTool(id, 'echo', {}, 'a', { signal });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('not valid JSON') }] });
  });

  it('whose tools change while they are first listed has the new ones', async () => {
    const { service } = makePool();
    const program = `
      let isChanged = false;
      on['tools/list'] = async ({ params }, reply) => {
        const name = isChanged ? 'new' : 'old';
        if (params.cursor !== undefined) await sleep(500);
        else if (!isChanged) {
          isChanged = true;
          send({ method: 'notifications/tools/list_changed' });
          return reply({ tools: [{ name, inputSchema: { type: 'object' } }], nextCursor: 'p2' });
        }
        reply({ tools: [{ name: params.cursor === undefined ? name : 'second', inputSchema: { type: 'object' } }] });
      };`;
    const id = await addScripted(service, program);
    await ready(service, id);
    const names = async () => (await service.tools(id)).tools.map(({ name }) => name);
    await expect.poll(names, { timeout: 15_000 }).toEqual(['new']);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await names()).toEqual(['new']);
  });

  it('that asks without an end, and reads no answer, is disconnected', async () => {
    const { service } = makePool({ retryTimes: { ...DEFAULT_RETRY_TIMES, tries: 1 } });
    const program = `
      const flood = () => {
        while (process.stdout.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\\n'.repeat(1000)));
        process.stdout.once('drain', flood);
      };
      on['tools/call'] = () => { process.stdin.pause(); flood(); };`;
    const id = await addScripted(service, program);
    await ready(service, id);
    await expect(service.callTool(id, 'echo', {}, 'a')).rejects.toMatchObject({ code: 'call-lost' });
    expect(stateOf(service, id)).toMatchObject({
      status: 'failed',
      error: { message: 'The server “scripted” sends more than it reads, and was disconnected.' },
    });
  });

  it('that is stopped in its tracks costs a time-out, and is ended all the same', async () => {
    const { service } = makePool();
    const token = newToken();
    const program = `on['tools/call'] = () => process.kill(process.pid, 'SIGSTOP'); // ${token}`;
    const id = await addScripted(service, program, { idleMs: 1000 });
    await ready(service, id);
    await expect(service.callTool(id, 'echo', {}, 'a')).rejects.toMatchObject({ code: 'call-timeout' });
    await service.setEnabled(id, false);
    expect(pidsWith(token)).toEqual([]);
  });

  it('that nests everything too deep gets its answer through, and the connection stands', async () => {
    const { service } = makePool();
    const program = `const deep = '['.repeat(200000) + ']'.repeat(200000);
      const write = (text) => process.stdout.write('{"jsonrpc":"2.0",' + text + '}\\n');
      on['tools/call'] = ({ id }) => {
        write('"method":"notifications/message","params":{"level":"info","data":' + deep + '}');
        write('"method":"notifications/progress","params":' + deep);
        write('"id":5,"method":"roots/list","params":' + deep);
        write('"id":6,"method":"sampling/createMessage","params":{"messages":' + deep + '}');
        write('"id":' + deep + ',"result":{}');
        write('"id":' + id + ',"error":{"code":-1,"message":"no","data":' + deep + '}');
      };`;
    const id = await addScripted(service, program);
    await ready(service, id);
    for (const call of ['a', 'b'])
      expect(await service.callTool(id, 'echo', {}, call)).toMatchObject({
        isError: true,
        content: [{ text: 'no (error -1)' }],
      });
    expect((await service.tools(id, { refresh: true })).tools.length).toBe(1);
    expect(stateOf(service, id).status).toBe('ready');
  });

  it('that answers twice, and what nobody asked, is believed once', async () => {
    const { service } = makePool();
    const program = `on['tools/call'] = ({ id, params }) => {
        for (const other of [null, 1.5, -1, id + 1000, 'x', [id], { id }, true, 1e308]) send({ id: other, result: text('other') });
        send({ id, result: text(params.arguments.n), error: null });
        send({ id, error: { code: 1, message: 'again' } });
        send({ id, result: text('again') });
      };`;
    const id = await addScripted(service, program);
    await ready(service, id);
    const results = await Promise.all(['1', '2', '3'].map((n) => service.callTool(id, 'echo', { n }, n)));
    expect(results.map(({ content }) => content[0])).toEqual(['1', '2', '3'].map((text) => ({ type: 'text', text })));
  });

  it('whose tools are called like parts of the language has tools', async () => {
    const { service } = makePool();
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const program = `setTools(${JSON.stringify(names)}.map((name) => ({ name, inputSchema: { type: 'object' } })));
      on['tools/call'] = ({ params }, reply) => reply(text(params.name));`;
    const id = await addScripted(service, program);
    await ready(service, id);
    expect((await service.listServerTools(id)).map(({ name }) => name)).toEqual(names);
    for (const name of names)
      expect(await service.callTool(id, name, {}, name)).toMatchObject({ content: [{ text: name }] });
  });

  it.each(['exit 3', 'exec 0<&-; exit 3', 'exec 1>&-; exit 3', 'echo x; exit 3'])(
    'that ends before a word was said is said to have ended: %s',
    async (script) => {
      const { service } = makePool();
      const draft = { name: 'brief', type: 'stdio' as const, config: { command: 'sh', args: ['-c', script] } };
      await expect(service.testConnection(draft)).rejects.toMatchObject({
        message: 'The server “brief” ended before it was ready. It ended with exit code 3.',
      });
    },
  );
});
