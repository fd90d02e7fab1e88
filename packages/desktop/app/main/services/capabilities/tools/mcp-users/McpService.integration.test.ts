import { describe, expect, it } from 'vitest';
import { newToken, pidsWith } from '../../../../platform/process/__fixtures__/find-processes.ts';
import { makePool, memoryStore, notesFile, oddServer, QUICK_RETRIES, stateOf, until } from './__fixtures__/pool.ts';

const CALL = { text: 'hello' };

async function started(...behaviours: string[]) {
  const pool = makePool();
  const { id } = await pool.service.add({ name: 'odd', type: 'stdio', config: oddServer(...behaviours) });
  await pool.service.connect(id);
  let calls = 0;
  const call = (tool: string, args: Record<string, unknown> = {}, options = {}) =>
    pool.service.callTool(id, tool, args, `call-${calls++}`, options);
  const textOf = async (tool: string, args: Record<string, unknown> = {}) => {
    const { content } = await call(tool, args);
    return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
  };
  return { ...pool, id, call, textOf };
}

describe('a stdio server', () => {
  it('is connected, lists and calls', async () => {
    const { service, id, textOf, states } = await started();
    expect(stateOf(service, id)).toMatchObject({ status: 'ready', serverVersion: '1.2.3' });
    expect(states).toEqual(['connecting', 'ready']);
    const tools = await service.listServerTools(id);
    expect(tools.find(({ name }) => name === 'echo')).toMatchObject({
      id: 'mcp__odd__echo',
      serverId: id,
      serverName: 'odd',
    });
    expect(await textOf('echo', CALL)).toBe('hello');
  });

  it.each(['banner', 'noise', 'crlf'])('may print what is no message (%s)', async (behaviour) => {
    const { service, id, textOf } = await started(behaviour);
    expect(await textOf('echo', CALL)).toBe('hello');
    const logged = service.log(id).filter(({ source }) => source === 'stdout');
    expect(logged.length > 0).toBe(behaviour !== 'crlf');
    expect(logged.length).toBeLessThan(60);
  });

  it('is read byte by byte and split at newlines only', async () => {
    const { textOf } = await started();
    expect(await textOf('split')).toBe('smørrebrød 日本 🦊');
    expect(await textOf('u2028')).toBe('a\u2028b\u2029c\u0085d');
  });

  it('may send 11 MiB in one line, but not more than 32', async () => {
    const { textOf, call, service, id } = await started();
    expect((await textOf('big', { bytes: 11 * 1024 * 1024 })).length).toBe(11 * 1024 * 1024);
    await expect(call('big', { bytes: 33 * 1024 * 1024 })).rejects.toMatchObject({
      code: 'call-lost',
      message: expect.stringContaining('larger than 32 MiB'),
    });
    await until(() => stateOf(service, id).status === 'ready', 'connected again');
  });

  it.each([{ lines: true }, { lines: false }])('may write 400 KiB to stderr during a call (%o)', async (args) => {
    const { service, id, textOf } = await started();
    expect(await textOf('stderr', args)).toBe('done');
    expect(service.log(id).length).toBeLessThanOrEqual(1000);
  });

  it('that crashes in a call is named with its exit code and its last words, and comes back', async () => {
    const { service, id, call, textOf } = await started();
    await expect(call('crash')).rejects.toMatchObject({
      code: 'call-lost',
      message: expect.stringContaining('exit code 7'),
      details: expect.stringContaining('out of cheese'),
    });
    await until(() => stateOf(service, id).status === 'ready', 'connected again');
    expect(await textOf('echo', CALL)).toBe('hello');
  });

  it('that closes its output is lost', async () => {
    const { call } = await started();
    await expect(call('hang-up')).rejects.toMatchObject({ code: 'call-lost' });
  });

  it('without tools has none, whether it says so or not', async () => {
    for (const behaviour of ['no-tools', 'no-list']) {
      const { service, id } = await started(behaviour);
      expect(await service.listServerTools(id)).toEqual([]);
    }
  });

  it('that ends at an unknown request, or keeps silent at it, is spoken to in the old way', async () => {
    for (const behaviour of ['exit-at-probe', 'silent-probe']) {
      const { textOf } = await started(behaviour);
      expect(await textOf('echo', CALL)).toBe('hello');
    }
  });
});

describe('a start that fails', () => {
  it('tells exit code and stderr, without the secrets in it, and is given up after five tries', async () => {
    const notes = notesFile();
    const { service } = makePool();
    const { id } = await service.add({
      name: 'odd',
      type: 'stdio',
      config: { ...oddServer('exit-at-once', `notes=${notes.file}`), env: { TOKEN: 'sk-secret-value' } },
    });
    await until(() => stateOf(service, id).status === 'failed', 'given up');
    expect(stateOf(service, id)).toMatchObject({
      error: {
        message: expect.stringContaining('exit code 3'),
        details: expect.stringContaining('cannot open the database'),
      },
    });
    // The first try starts it twice: the question for the newer protocol may have been what it ended at.
    expect(notes.lines().length).toBe(QUICK_RETRIES.tries + 1);
    expect(JSON.stringify([stateOf(service, id), service.log(id)])).not.toContain('sk-secret-value');
    await expect(service.connect(id)).rejects.toMatchObject({ code: 'connect-failed' });

    service.restart(id);
    await until(() => notes.lines().length > QUICK_RETRIES.tries + 1, 'tried again by hand');
  });

  it('names a folder that is missing, not the command', async () => {
    const { service } = makePool();
    const config = { ...oddServer(), cwd: '/no/such/folder' };
    const { id } = await service.add({ name: 'odd', type: 'stdio', config });
    await expect(service.connect(id)).rejects.toMatchObject({
      code: 'connect-failed',
      message: expect.stringContaining('/no/such/folder'),
    });
    expect(stateOf(service, id).status).toBe('failed');
  });

  it('names a command that is missing and where it was looked for', async () => {
    const { service } = makePool();
    const { id } = await service.add({ name: 'odd', type: 'stdio', config: { command: 'no-such-command' } });
    await expect(service.connect(id)).rejects.toMatchObject({
      message: expect.stringContaining('no-such-command'),
      details: expect.stringContaining('/usr/bin'),
    });
  });

  it('because nothing answers leaves no process', async () => {
    const token = newToken();
    const { service } = makePool();
    const draft = {
      name: 'odd',
      type: 'stdio' as const,
      config: oddServer('silent-start', token),
      limits: { startMs: 1500 },
    };
    await expect(service.testConnection(draft)).rejects.toMatchObject({
      code: 'connect-failed',
      message: expect.stringContaining('did not answer in time'),
    });
    expect(pidsWith(token)).toEqual([]);
  });

  it('ends at once when it is stopped, and leaves no process', async () => {
    const token = newToken();
    const { service } = makePool();
    const draft = { name: 'odd', type: 'stdio' as const, config: oddServer('silent-start', token) };
    const test = service.testConnection(draft, { testId: 'mine' });
    const outcome = expect(test).rejects.toMatchObject({ code: 'cancelled' });
    await until(() => pidsWith(token).length > 0, 'the program runs');
    service.stopTest('another');
    service.stopTest('mine');
    await outcome;
    expect(pidsWith(token)).toEqual([]);
    service.stopTest('mine');
  });
});

describe('connecting', () => {
  it('is done once for all who ask in the same moment', async () => {
    const notes = notesFile();
    const { service } = makePool();
    const config = oddServer(`notes=${notes.file}`);
    const { id } = await service.add({ name: 'odd', type: 'stdio', config }, { enabled: false });
    await service.setEnabled(id, true);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => service.callTool(id, 'echo', { text: String(i) }, `c${i}`)),
    );
    expect(answers.map(({ content }) => content[0])).toEqual(
      Array.from({ length: 10 }, (_, i) => ({ type: 'text', text: String(i) })),
    );
    expect(notes.lines().filter((line) => line.startsWith('start')).length).toBe(1);
  });

  it('is given up for a server that starts and dies, for ever', async () => {
    for (const behaviour of ['die-after-start', 'exit-after-init']) {
      const notes = notesFile();
      const { service } = makePool();
      const { id } = await service.add({
        name: 'odd',
        type: 'stdio',
        config: oddServer(behaviour, `notes=${notes.file}`),
      });
      await until(() => stateOf(service, id).status === 'failed', `given up: ${behaviour}`);
      expect(notes.lines().filter((line) => line.startsWith('start')).length).toBe(QUICK_RETRIES.tries);
    }
  });

  it('ends without a process when the server is switched off, edited or removed meanwhile', async () => {
    const token = newToken();
    const { service } = makePool();
    const draft = { name: 'odd', type: 'stdio' as const, config: oddServer('slow-start=60000', token) };
    const { id } = await service.add(draft);
    await until(() => pidsWith(token).length === 1, 'started');
    await service.setEnabled(id, false);
    expect(pidsWith(token)).toEqual([]);
    expect(stateOf(service, id).status).toBe('off');

    await service.setEnabled(id, true);
    await until(() => pidsWith(token).length === 1, 'started again');
    await service.update(id, { ...draft, config: oddServer('edited', token) });
    await until(() => stateOf(service, id).status === 'ready', 'connected as edited');
    expect(pidsWith('slow-start=60000')).toEqual([]);
    expect(pidsWith(token).length).toBe(1);

    await service.remove(id);
    expect(pidsWith(token)).toEqual([]);
    expect(service.listServers()).toEqual([]);
  });

  it('of one server doesn’t delay the others, and the late one is named', async () => {
    const { service } = makePool();
    await service.add({ name: 'late', type: 'stdio', config: oddServer('slow-start=60000') });
    await service.add({ name: 'broken', type: 'stdio', config: { command: 'no-such-command' } });
    const { id } = await service.add({ name: 'good', type: 'stdio', config: oddServer() });
    await service.connect(id);
    const tools = await service.listAllActiveServerTools({ waitMs: 100 });
    expect(new Set(tools.map(({ serverName }) => serverName))).toEqual(new Set(['good']));
    expect(service.lateServers()).toEqual(['late']);
  });

  it('restarts only for what a connection depends on', async () => {
    const { service, id, states } = await started();
    await service.update(id, { name: 'renamed', type: 'stdio', config: oddServer(), limits: { idleMs: 500 } });
    expect(states).toEqual(['connecting', 'ready']);
    expect((await service.listServerTools(id))[0]).toMatchObject({ id: 'mcp__renamed__echo', serverName: 'renamed' });
    await expect(service.callTool(id, 'silent', {}, 'c')).rejects.toMatchObject({ code: 'call-timeout' });
  });
});

describe('a consent', () => {
  it('is needed before anything is started, and is for exactly what the person saw', async () => {
    const token = newToken();
    const { service, store } = makePool();
    const [imported] = await service.importServers([{ name: 'odd', type: 'stdio', config: oddServer(token) }]);
    const id = imported!.id;
    expect(imported).toMatchObject({ enabled: false, consented: false });
    await expect(service.setEnabled(id, true)).rejects.toMatchObject({ code: 'no-consent' });
    await expect(service.connect(id)).rejects.toMatchObject({ code: 'connect-failed' });
    expect(pidsWith(token)).toEqual([]);
    await service.setEnabled(id, true, { consent: true });
    await service.connect(id);
    expect(pidsWith(token).length).toBe(1);

    const changed = makePool({ store: memoryStore(JSON.parse(store.text().replace(token, `${token}-changed`))) });
    changed.service.connectEnabled();
    await expect(changed.service.connect(id)).rejects.toMatchObject({ code: 'no-consent' });
    expect(stateOf(changed.service, id).status).toBe('failed');
    expect(pidsWith(`${token}-changed`)).toEqual([]);
  });
});

describe('a type', () => {
  it('that is unknown is refused by name, and so is a URL transport without a URL', () => {
    const { service } = makePool();
    const server = { id: 'x', name: 'x', enabled: true, config: {} };
    expect(() => service.createTransport({ ...server, type: 'carrier-pigeon' as 'http' })).toThrow(/carrier-pigeon/);
    for (const type of ['http', 'sse'] as const)
      expect(() => service.createTransport({ ...server, type })).toThrow(/no URL/);
    expect(() => service.createTransport({ ...server, type: 'stdio' })).toThrow(/no command/);
  });
});

describe('a call', () => {
  it('lasts as long as progress comes, but not for ever', async () => {
    const { service, id, call } = await started();
    await service.update(id, {
      name: 'odd',
      type: 'stdio',
      config: oddServer(),
      limits: { idleMs: 1000, totalMs: 4000 },
    });
    const progress: unknown[] = [];
    const onProgress = (each: unknown) => progress.push(each);
    expect(await call('progress', { times: 6, every: 300 }, { onProgress })).toMatchObject({ isError: false });
    expect(progress[0]).toEqual({ progress: 1, total: 6, message: 'step 1' });
    expect(progress.length).toBe(6);
    await expect(call('progress', { times: 1000, every: 100 })).rejects.toMatchObject({
      code: 'call-timeout',
      message: expect.stringContaining('longer than 4 s'),
    });
    await expect(call('silent')).rejects.toMatchObject({
      code: 'call-timeout',
      message: expect.stringContaining('no sign of life for 1 s'),
    });
  });

  it('that is cancelled tells the server, drops the late answer, and leaves the connection usable', async () => {
    const notes = notesFile();
    const { service, id, textOf } = await started(`notes=${notes.file}`);
    const running = service.callTool(id, 'slow', { ms: 600 }, 'mine');
    await until(() => notes.lines().includes('call slow'), 'the call runs');
    expect(service.cancelCall('mine')).toBe(true);
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    expect(service.cancelCall('mine')).toBe(false);
    await until(() => notes.lines().some((line) => line.startsWith('cancelled')), 'the server is told');
    const told = JSON.parse(
      notes
        .lines()
        .find((line) => line.startsWith('cancelled'))!
        .slice('cancelled '.length),
    );
    expect(told).toEqual({ requestId: expect.any(Number), reason: 'The request was cancelled.' });
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await textOf('echo', CALL)).toBe('hello');
  });

  it('that timed out is never repeated', async () => {
    const notes = notesFile();
    const { service, id, call, textOf } = await started(`notes=${notes.file}`);
    await service.update(id, {
      name: 'odd',
      type: 'stdio',
      config: oddServer(`notes=${notes.file}`),
      limits: { idleMs: 500 },
    });
    await expect(call('silent')).rejects.toMatchObject({ code: 'call-timeout' });
    expect(await textOf('echo', CALL)).toBe('hello');
    expect(notes.lines().filter((line) => line === 'call silent').length).toBe(1);
    expect(notes.lines().filter((line) => line.startsWith('start')).length).toBe(1);
  });

  it('can be cancelled before the connection is there', async () => {
    const { service } = makePool();
    const { id } = await service.add({ name: 'odd', type: 'stdio', config: oddServer('slow-start=60000') });
    const controller = new AbortController();
    const call = service.callTool(id, 'echo', CALL, 'c1', { signal: controller.signal });
    controller.abort(new Error('for my own reasons'));
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await expect(service.callTool(id, 'echo', CALL, 'c2', { signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('never loses a result for an odd block', async () => {
    const { call } = await started();
    const { content } = await call('odd');
    expect(content.map(({ type }) => type)).toEqual(
      'unknown text unknown unknown image text unknown resource_link resource audio'.split(' '),
    );
    expect(await call('null-result')).toMatchObject({ isError: false, content: [{ type: 'unknown' }] });
    expect(await call('structured')).toEqual({ isError: false, content: [], structuredContent: { n: 3 } });
    expect(await call('error')).toMatchObject({ isError: true, content: [{ text: 'no such file' }] });
    expect(await call('rpc-error')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Unknown tool') }],
    });
  });

  it('sends arguments as they are', async () => {
    const { textOf } = await started();
    const args = { filter: { kind: 'A' }, limit: null, __proto__x: [1, { a: undefined }], 'a.b': 'ø' };
    expect(JSON.parse(await textOf('args', args))).toEqual(JSON.parse(JSON.stringify(args)));
  });
});

describe('a listing', () => {
  it('keeps the good tools, and says what is wrong with the others', async () => {
    const { service, id } = await started('bad-tools');
    const { tools, rejected } = await service.tools(id);
    expect(tools.map(({ name }) => name)).toEqual(['good_1', 'good_2', 'good_3', 'good_4', 'good_5']);
    expect(tools.map(({ description }) => description)).toEqual([
      'The tool good_1',
      'The tool good_2',
      '(destructive)',
      'The tool good_4 (readOnly)',
      'The tool good_5',
    ]);
    expect(rejected.map(({ name }) => name)).toEqual([
      'empty',
      'null',
      'missing',
      'list',
      'text',
      ...Array(4).fill('(unnamed)'),
    ]);
    for (const { reason } of rejected) expect(reason).not.toBe('');
  });

  it('follows pages, and takes the first of two tools with one name', async () => {
    const { service, id } = await started('pages');
    const { tools } = await service.tools(id);
    expect(tools.map(({ name }) => name)).toEqual(['a0', 'b0', 'on_every_page', 'a1', 'b1', 'a2', 'b2']);
  });

  it.each(['endless-cursor', 'new-cursors', 'empty-cursor'])('comes to an end: %s', async (behaviour) => {
    const notes = notesFile();
    const { service, id } = await started(behaviour, `notes=${notes.file}`);
    expect((await service.tools(id)).tools.length).toBeGreaterThan(0);
    expect(notes.lines().filter((line) => line.startsWith('list')).length).toBeLessThanOrEqual(200);
  });

  it('is done again after a change, before the next list is given out', async () => {
    const { service, id, textOf } = await started();
    await textOf('change', { name: 'brand_new' });
    await expect
      .poll(async () => (await service.listAllActiveServerTools()).map(({ name }) => name), { timeout: 10_000 })
      .toContain('brand_new');
    expect(stateOf(service, id)).toMatchObject({ toolCount: (await service.tools(id)).tools.length });
  });

  it('is done few times in a storm of changes, and the last one counts', async () => {
    const notes = notesFile();
    const { service, id, textOf } = await started(`notes=${notes.file}`, 'slow-list=150');
    await textOf('storm');
    await expect
      .poll(async () => (await service.listServerTools(id)).map(({ name }) => name), { timeout: 10_000 })
      .toContain('storm_49');
    expect(notes.lines().filter((line) => line.startsWith('list')).length).toBeLessThan(8);
  });

  it('that fails keeps the old one, and is tried once more', async () => {
    const notes = notesFile();
    const { service, id, textOf } = await started(`notes=${notes.file}`, 'fail-lists=1');
    const before = (await service.tools(id)).tools.length;
    await textOf('change', { name: 'brand_new' });
    await until(() => notes.lines().includes('failed list'), 'the refresh fails');
    expect((await service.listServerTools(id)).length).toBe(before);
    await expect.poll(async () => (await service.tools(id)).tools.length, { timeout: 10_000 }).toBe(before + 1);
  });

  it('sends nothing when it is warm', async () => {
    const notes = notesFile();
    const { service } = await started(`notes=${notes.file}`);
    const lists = () => notes.lines().filter((line) => line.startsWith('list')).length;
    const before = lists();
    for (let i = 0; i < 5; i++) await service.listAllActiveServerTools();
    expect(lists()).toBe(before);
  });
});

describe('closing', () => {
  it('ends stubborn servers behind wrappers in parallel, once, and refuses new ones', async () => {
    const token = newToken();
    const { service } = makePool();
    const { command, args = [] } = oddServer('stubborn', token);
    const wrapped = { command: 'sh', args: ['-c', '"$0" "$@"; true', command!, ...args] };
    for (let i = 0; i < 5; i++) await service.add({ name: `odd ${i}`, type: 'stdio', config: wrapped });
    await service.add({ name: 'late', type: 'stdio', config: oddServer('slow-start=60000', 'stubborn', token) });
    await until(() => service.listServers().filter(({ state }) => state.status === 'ready').length === 5, 'five ready');
    const began = performance.now();
    await Promise.all([service.closeAll(), service.closeAll()]);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(pidsWith(token)).toEqual([]);
    await expect(service.connect(service.listServers()[0]!.server.id)).rejects.toMatchObject({
      code: 'connect-failed',
    });
    expect(await service.listAllActiveServerTools()).toEqual([]);
  });
});
