import { describe, expect, it } from 'vitest';
import { memoryStore, testSecrets } from './__fixtures__/pool.ts';
import { ServerRecords } from './server-records.ts';
import { isConsented, viewOf } from './stored-server.ts';

const stdio = {
  name: 'demo',
  type: 'stdio' as const,
  config: { command: 'node', args: ['a.js'], env: { KEY: 'sk-test-0000' } },
};
const web = {
  name: 'web',
  type: 'http' as const,
  config: { url: 'https://x.example/mcp', headers: { Authorization: 'sk-test-1111' } },
};

const setUp = (document?: unknown) => {
  const store = memoryStore(document);
  return { store, records: new ServerRecords(store, testSecrets) };
};

describe('ServerRecords', () => {
  it('keeps servers over a restart, with secrets sealed and not in the view', async () => {
    const { store, records } = setUp();
    const { id } = await records.add(stdio, true);
    const { id: webId } = await records.add(web, true);
    expect(store.text()).not.toContain('sk-test');
    const again = new ServerRecords(store, testSecrets);
    expect(await again.open(id)).toMatchObject({ id, name: 'demo', enabled: true, config: stdio.config });
    expect(await again.open(webId)).toMatchObject({ config: web.config });
    expect(viewOf(again.get(id))).toMatchObject({ consented: true, config: { envNames: ['KEY'], headerNames: [] } });
    expect(JSON.stringify(again.list().map(viewOf))).not.toContain('sealed');
  });

  it('keeps what another program says nothing of when a server is replaced by one of it', async () => {
    const { store, records } = setUp();
    const limits = { startMs: 5000, idleMs: 7000 };
    const { id } = await records.add({ ...stdio, limits }, true);
    await records.setToolEnabled(id, 'a', false);
    await records.rememberEra(id, 'legacy');
    const known = records.get(id).legacyFor;
    expect(known).toBeDefined();
    await records.replaceImported(id, { ...stdio, limits: { startMs: 9000 } });
    const replaced = new ServerRecords(store, testSecrets).get(id);
    expect(replaced).toMatchObject({
      enabled: false,
      toolsOff: ['a'],
      limits: { startMs: 9000, idleMs: 7000 },
      legacyFor: known,
    });
    // Even if it is the very same: nobody has agreed to what another program says.
    expect(isConsented(replaced)).toBe(false);
    await records.replaceImported(id, { ...web, limits: undefined });
    expect(records.get(id)).toMatchObject({ type: 'http', env: {}, toolsOff: ['a'], limits: { startMs: 9000 } });
  });

  it('keeps which tools are switched off: over an edit and a restart, not over a removal', async () => {
    const { store, records } = setUp();
    const { id } = await records.add(stdio, true);
    await records.setToolEnabled(id, 'a', false);
    await records.setToolEnabled(id, 'b', false);
    await records.setToolEnabled(id, 'b', false);
    await records.setToolEnabled(id, 'a', true);
    await records.update(id, { ...stdio, name: 'renamed' });
    expect(new ServerRecords(store, testSecrets).get(id).toolsOff).toEqual(['b']);
    await records.remove(id);
    expect(store.text()).not.toContain('toolsOff');
    await expect(records.setToolEnabled(id, 'a', false)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('refuses a name that differs only in case', async () => {
    const { records } = setUp();
    await records.add(stdio, true);
    await expect(records.add({ ...web, name: 'DEMO' }, true)).rejects.toMatchObject({ code: 'name-taken' });
    const renamed = (await records.import([{ ...web, name: 'Demo' }]))[0]!;
    expect(renamed.name).toBe('Demo (2)');
    await expect(records.update(renamed.id, { ...web, name: 'demo' })).rejects.toMatchObject({ code: 'name-taken' });
  });

  it('keeps a secret only for what it was given for', async () => {
    const { records } = setUp();
    const { id } = await records.add(stdio, true);
    const kept = { KEY: null };
    const updated = await records.update(id, { ...stdio, config: { ...stdio.config, args: ['b.js'], env: kept } });
    expect(await records.open(updated.id)).toMatchObject({ config: { args: ['b.js'], env: { KEY: 'sk-test-0000' } } });
    await expect(records.update(id, { ...stdio, config: { command: 'sh', env: kept } })).rejects.toMatchObject({
      code: 'invalid-config',
    });

    const { id: webId } = await records.add(web, true);
    const moved = (url: string) => ({ ...web, config: { url, headers: { Authorization: null } } });
    expect(await records.update(webId, moved('https://x.example/other'))).toMatchObject({ id: webId });
    await expect(records.update(webId, moved('https://y.example/mcp'))).rejects.toMatchObject({
      code: 'invalid-config',
    });
    await expect(
      records.update(webId, { ...web, config: { url: web.config.url, headers: { New: null } } }),
    ).rejects.toThrow(/New/);
  });

  it('doesn’t hand out a secret when the file was changed to send it elsewhere', async () => {
    const { store, records } = setUp();
    const { id } = await records.add(web, true);
    store.write(JSON.parse(store.text().replace('x.example', 'evil.example')));
    await expect(new ServerRecords(store, testSecrets).open(id)).rejects.toMatchObject({ code: 'secret-unreadable' });
  });

  it('takes a consent for exactly what would be started', async () => {
    const { store, records } = setUp();
    const { id } = (await records.import([stdio]))[0]!;
    await expect(records.setEnabled(id, true, false)).rejects.toMatchObject({ code: 'no-consent' });
    expect(isConsented(await records.setEnabled(id, true, true))).toBe(true);
    for (const [from, to] of [
      ['"a.js"', '"b.js"'],
      ['"command":"node"', '"command":"sh"'],
      ['"KEY":', '"LD_PRELOAD":'],
      ['"config":{', '"config":{"cwd":"/tmp",'],
    ] as const) {
      const changed = setUp(JSON.parse(store.text().replace(from, to))).records.get(id);
      expect(isConsented(changed)).toBe(false);
    }
  });

  it('skips a record that it can’t read, says so, and keeps it', async () => {
    const { store, records } = setUp();
    await records.add(stdio, true);
    const document = JSON.parse(store.text());
    const bad = [
      { name: 'broken', type: 'carrier-pigeon' },
      null,
      7,
      { ...document.servers[0], id: 'other' },
      { ...document.servers[0], name: 'other' },
      { ...document.servers[0], id: 'y', name: 'z', config: {} },
    ];
    const again = setUp({ ...document, servers: [bad[0], ...document.servers, ...bad.slice(1)] });
    expect(again.records.list().map(({ name }) => name)).toEqual(['demo']);
    expect(again.records.problems.map(({ name }) => name)).toEqual([
      'broken',
      '(unnamed)',
      '(unnamed)',
      'demo',
      'other',
      'z',
    ]);
    await again.records.add(web, true);
    expect(JSON.parse(again.store.text()).servers).toEqual(expect.arrayContaining(bad));
  });

  it('doesn’t write over a document that isn’t its own', async () => {
    for (const document of ['x', { servers: 'none' }, [1], null]) {
      const { store, records } = setUp(document);
      expect(records.list()).toEqual([]);
      expect(records.problems.length).toBe(1);
      await records.add(web, true);
      expect(JSON.parse(store.text()).unreadable).toEqual(document);
      expect(new ServerRecords(store, testSecrets).list().length).toBe(1);
    }
  });

  it('changes nothing when the disk refuses', async () => {
    const { store, records } = setUp();
    await records.add(stdio, true);
    store.write = () => {
      throw new Error('disk full');
    };
    await expect(records.add(web, true)).rejects.toThrow('disk full');
    await expect(records.remove(records.list()[0]!.id)).rejects.toThrow('disk full');
    expect(records.list().map(({ name }) => name)).toEqual(['demo']);
  });

  it.each([
    [{ ...stdio, config: {} }, 'command'],
    [{ ...stdio, config: { command: 'a\0b' } }, 'NUL'],
    [{ ...stdio, config: { command: 'a', env: { 'A=B': 'x' } } }, 'A=B'],
    [{ ...web, config: {} }, 'URL'],
    [{ ...web, config: { url: 'file:///etc/passwd' } }, 'URL'],
    [{ ...web, config: { url: 'https://a:b@x.example' } }, 'password'],
    [{ ...web, config: { url: 'https://x.example', headers: { 'a b': 'c' } } }, 'a b'],
  ])('refuses what can’t work: %j', async (draft, named) => {
    await expect(setUp().records.add(draft, true)).rejects.toMatchObject({
      code: 'invalid-config',
      message: expect.stringContaining(named),
    });
  });
});

describe('importing', () => {
  it('adds all or none', async () => {
    const { records, store } = setUp();
    await expect(records.import([web, { ...web, name: 'bad', config: { url: 'ftp://x' } }])).rejects.toMatchObject({
      code: 'invalid-config',
    });
    expect(records.list()).toEqual([]);
    expect(store.text()).toBe('');
    const names = (await records.import([web, { ...web }, { ...web, name: web.name.toUpperCase() }])).map(
      ({ name }) => name,
    );
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3);
  });

  it('leaves a server without consent, however it is edited, until somebody agrees', async () => {
    const { records } = setUp();
    const { id } = (await records.import([stdio]))[0]!;
    const { KEY: _, ...env } = stdio.config.env;
    for (const edit of [
      { ...stdio, name: 'renamed' },
      { ...stdio, config: { ...stdio.config, env, args: ['other'] } },
    ]) {
      await records.update(id, edit);
      await expect(records.setEnabled(id, true, false)).rejects.toMatchObject({ code: 'no-consent' });
    }
    await records.setEnabled(id, true, true);
    await records.update(id, stdio);
    await records.setEnabled(id, true, false);
  });
});
