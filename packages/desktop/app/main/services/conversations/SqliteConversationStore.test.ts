import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AgentRun } from '@shared/contracts/agent-types.ts';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../platform/storage/test-disks.ts';
import { SCHEMA_VERSION, schemaVersion } from './schema.ts';
import { openStore, textMessage } from './test-support.ts';

const RUN: AgentRun = {
  preset: {
    id: 'p',
    name: 'Coder',
    description: '',
    shipped: true,
    systemPrompt: 'Work.',
    model: null,
    tools: ['Read'],
    mcpTools: true,
    servers: [],
    mode: 'ask',
    guardian: 'off',
    maxRounds: 50,
    tokenBudget: null,
  },
  workspace: '/home/ada/project',
  goal: 'Fix it',
  mode: 'accept-edits',
};

describe('SqliteConversationStore', () => {
  it('keeps conversations and messages over a restart', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'deep', 'er', 'conversations.db');
    const first = openStore(file);
    const model = { providerId: 'p', modelId: 'm' };
    const { id } = first.store.create({ model: null });
    first.store.rename(id, '天気 🎉\0 \ud800');
    first.store.setModel(id, model);
    first.store.putMessage(textMessage(id, 'b'));
    first.store.putMessage(textMessage(id, 'a', { parentId: 'b' }));
    first.store.putMessage(textMessage(id, 'b', { parts: [{ type: 'text', text: 'changed' }] }));
    first.store.close();
    first.store.close();

    const second = openStore(file);
    expect(second.reports).toEqual([]);
    expect(second.store.list()).toEqual([expect.objectContaining({ id, title: '天気 🎉 \ufffd', model })]);
    expect(second.store.messages(id)).toEqual([
      textMessage(id, 'b', { parts: [{ type: 'text', text: 'changed' }] }),
      textMessage(id, 'a', { parentId: 'b' }),
    ]);
    second.store.close();
    expect(readdirSync(join(temp.folder, 'deep', 'er'))).toEqual(['conversations.db']);
  });

  it('lists by use, even when the clock goes back; renaming is no use', () => {
    using temp = temporaryFolder();
    let now = 10_000;
    const { store } = openStore(join(temp.folder, 'c.db'), { now: () => now });
    const a = store.create({ model: null }).id;
    now = 5;
    const b = store.create({ model: null }).id;
    expect(store.list().map((c) => c.id)).toEqual([b, a]);
    store.rename(a, 'x');
    expect(store.list().map((c) => c.id)).toEqual([b, a]);
    expect(store.touch(a).updatedAt).toBe(5);
    expect(store.list().map((c) => c.id)).toEqual([a, b]);
    store.close();
  });

  it('hides what is removed, restores it, and deletes it with the end of the app', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'c.db');
    const { store } = openStore(file);
    const kept = store.create({ model: null }).id;
    const gone = store.create({ model: null }).id;
    for (const id of [kept, gone])
      store.putMessage(textMessage(id, 'm', { parts: [{ type: 'text', text: `mark-${id}` }] }));
    store.remove(kept);
    store.remove(gone);
    expect(store.list()).toEqual([]);
    expect(store.get(gone)).toBeUndefined();
    expect(() => store.rename(gone, 'x')).toThrow(expect.objectContaining({ code: 'not-found' }));
    expect(() => store.remove(gone)).toThrow(expect.objectContaining({ code: 'not-found' }));
    // A turn that is being stopped saves its last row.
    store.putMessage(textMessage(gone, 'late'));
    expect(store.restore(kept).id).toBe(kept);
    expect(store.messages(kept)).toHaveLength(1);
    store.close();

    const again = openStore(file).store;
    expect(again.list().map((c) => c.id)).toEqual([kept]);
    expect(() => again.restore(gone)).toThrow(expect.objectContaining({ code: 'not-found' }));
    expect(again.messages(gone)).toEqual([]);
    again.close();
    expect(readFileSync(file, 'latin1')).toContain(`mark-${kept}`);
    expect(readFileSync(file, 'latin1')).not.toContain(`mark-${gone}`);
  });

  it('says what it deletes for good, with the whole results that belong to it', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'c.db');
    const purged: unknown[] = [];
    const onPurge = (what: unknown) => void purged.push(what);
    const { store } = openStore(file, { onPurge });
    const [kept, gone] = [store.create({ model: null }).id, store.create({ model: null }).id] as const;
    const call = (callId: string, id?: string) => ({
      type: 'tool' as const,
      callId,
      wireName: 'w',
      args: {},
      state: 'done' as const,
      result: { isError: false, content: [], whole: { characters: 9, ...(id && { id }) } },
    });
    store.putMessage(textMessage(kept, 'a', { parts: [call('1', 'kept')] }));
    store.putMessage(textMessage(gone, 'a', { parts: [call('1', 'r1'), { type: 'text', text: 'x' }, call('2')] }));
    store.putMessage(textMessage(gone, 'b', { parts: [call('3', 'r2'), call('4', 'r1')] }));
    store.putMessage(textMessage(gone, 'c'));
    store.putMessage(textMessage(gone, 'd'));
    const raw = new DatabaseSync(file);
    raw.exec(
      `UPDATE messages SET parts = '[{"cut' WHERE id = 'c'; UPDATE messages SET parts = '[1,null]' WHERE id = 'd'`,
    );
    raw.close();
    store.remove(gone);
    expect(purged).toEqual([]);
    store.close();
    expect(purged).toEqual([{ conversationId: gone, resultIds: ['r1', 'r2'] }]);
  });

  it('tells the ids of all that is stored, and none where a file was set aside or can not be written', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'c.db');
    const { store } = openStore(file);
    const [listed, removed] = [store.create({ model: null }).id, store.create({ model: null }).id];
    store.remove(removed);
    expect(store.storedIds()).toEqual(new Set([listed, removed]));
    store.close();

    const [aside] = (() => {
      writeFileSync(file, 'damaged');
      const { store, reports } = openStore(file);
      expect(store.storedIds()).toBeUndefined();
      store.close();
      return reports.map(({ movedTo }) => movedTo);
    })();
    // At the start after that too, until the person has taken it away.
    const after = openStore(file);
    expect([after.reports, after.store.storedIds()]).toEqual([[], undefined]);
    unlinkSync(aside!);
    expect(after.store.storedIds()).toEqual(new Set());
    after.store.close();

    // Nothing can be opened where the folder is a file.
    const nowhere = openStore(join(file, 'c.db')).store;
    expect(nowhere.storedIds()).toBeUndefined();
    nowhere.close();
  });

  it('keeps what makes a conversation a run of the agent', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'c.db');
    const first = openStore(file).store;
    const { id } = first.create({ model: null, agent: RUN });
    expect(first.get(id)?.agent).toEqual(RUN);
    expect(first.setAgent(id, { ...RUN, mode: 'plan' }).agent?.mode).toBe('plan');
    expect(first.create({ model: null })).not.toHaveProperty('agent');
    first.close();
    const second = openStore(file).store;
    expect(second.list().map(({ agent }) => agent?.mode)).toEqual([undefined, 'plan']);
    second.close();
  });

  it.each([
    ['cut off', '{"goal'],
    ['from another version', JSON.stringify({ ...RUN, mode: 'yolo' })],
    ['empty', ''],
  ])('does not take a run for a chat whose agent is %s, and loses nothing of it', (_how, agent) => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'c.db');
    const first = openStore(file).store;
    const { id } = first.create({ model: null, agent: RUN });
    const message = textMessage(id, 'm');
    first.putMessage(message);
    first.close();
    const raw = new DatabaseSync(file);
    raw.prepare('UPDATE conversations SET agent = ? WHERE id = ?').run(agent, id);
    const second = openStore(file).store;
    const found = second.get(id);
    expect(found).not.toHaveProperty('agent');
    expect(found?.agentError).toMatchObject({ code: 'run-unreadable', hint: expect.stringContaining('new run') });
    expect(second.list()).toEqual([found]);
    expect(second.messages(id)).toEqual([message]);
    // It is kept as it is found, for a version that can read it.
    second.rename(id, 'Named');
    second.touch(id);
    second.close();
    expect(raw.prepare('SELECT agent FROM conversations WHERE id = ?').get(id)).toEqual({ agent });
    raw.close();
  });

  it('refuses unknown conversations, and drops messages for them', () => {
    using temp = temporaryFolder();
    const { store } = openStore(join(temp.folder, 'c.db'));
    for (const id of ['', 'nope', '__proto__', "'; DROP TABLE messages; --"]) {
      expect(store.get(id)).toBeUndefined();
      expect(store.messages(id)).toEqual([]);
      for (const call of ['remove', 'restore', 'touch'] as const) {
        expect(() => store[call](id)).toThrow(expect.objectContaining({ code: 'not-found' }));
      }
      store.putMessage(textMessage(id, 'm'));
      expect(store.messages(id)).toEqual([]);
    }
    store.close();
  });

  it('keeps equal message ids of two conversations apart', () => {
    using temp = temporaryFolder();
    const { store } = openStore(join(temp.folder, 'c.db'));
    const [a, b] = [store.create({ model: null }).id, store.create({ model: null }).id];
    store.putMessage(textMessage(a, 'm'));
    store.putMessage(textMessage(b, 'm', { parts: [] }));
    expect(store.messages(a)[0]!.parts).toHaveLength(1);
    expect(store.messages(b)[0]!.parts).toHaveLength(0);
    store.close();
  });

  it('finds the messages that a crash left behind', () => {
    using temp = temporaryFolder();
    const { store } = openStore(join(temp.folder, 'c.db'));
    const { id } = store.create({ model: null });
    store.putMessage(textMessage(id, 'q'));
    store.putMessage(textMessage(id, 'a', { status: 'streaming', role: 'assistant' }));
    expect(store.unfinishedMessages().map((m) => m.id)).toEqual(['a']);
    store.putMessage(textMessage(id, 'a', { status: 'interrupted', role: 'assistant' }));
    expect(store.unfinishedMessages()).toEqual([]);
    store.close();
  });

  it('shows a row that can’t be read as an error and the others as they are', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'c.db');
    const first = openStore(file).store;
    const { id } = first.create({ model: { providerId: 'p', modelId: 'm' } });
    for (const m of ['a', 'b', 'c']) first.putMessage(textMessage(id, m));
    first.close();
    const raw = new DatabaseSync(file);
    raw.exec(`UPDATE messages SET parts = '[{"type":"te' WHERE id = 'b'; UPDATE conversations SET model = '{'`);
    raw.close();
    const { store } = openStore(file);
    expect(store.get(id)).toMatchObject({ model: null });
    expect(store.messages(id).map((m) => m.parts[0]!.type)).toEqual(['text', 'error', 'text']);
    store.close();
  });

  it.each(['version-1', 'version-2'])('brings a database of %s up to date', (version) => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'c.db');
    const old = new DatabaseSync(file);
    old.exec(readFileSync(new URL(`./__fixtures__/${version}.sql`, import.meta.url), 'utf8'));
    old.close();
    const { store, reports } = openStore(file);
    expect(reports).toEqual([]);
    expect(store.list()).toEqual([
      { id: 'c-old', title: 'Bread', model: null, createdAt: 1000, updatedAt: 9000 },
      { id: 'c-new', title: '天気', model: { providerId: 'demo', modelId: 'demo' }, createdAt: 2000, updatedAt: 5000 },
    ]);
    expect(store.messages('c-old').map((m) => [m.id, m.parentId])).toEqual([
      ['m1', null],
      ['m2', 'm1'],
    ]);
    store.touch('c-new');
    expect(store.list()[0]!.id).toBe('c-new');
    expect(store.setAgent('c-new', RUN).agent).toEqual(RUN);
    store.close();
    const raw = new DatabaseSync(file);
    expect(schemaVersion(raw)).toBe(SCHEMA_VERSION);
    raw.close();
  });

  it('finds the messages of a conversation, and those that are unfinished, by an index', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'conversations.db');
    openStore(file).store.close();
    const db = new DatabaseSync(file);
    const plan = (where: string) =>
      db
        .prepare(`EXPLAIN QUERY PLAN SELECT parts FROM messages WHERE ${where} ORDER BY place`)
        .all()
        .map(({ detail }) => detail);
    expect(plan("conversation_id = 'c'")).toEqual([expect.stringContaining('USING INDEX messages_in_order')]);
    expect(plan("status = 'streaming'")).toEqual([expect.stringContaining('USING INDEX messages_unfinished')]);
    db.close();
  });
});

describe('a file that is no sound database of ours', () => {
  /** A database with content, closed properly. */
  function sound(file: string, textLength = 3000) {
    const { store } = openStore(file);
    const { id } = store.create({ model: null });
    for (let n = 0; n < 40; n++)
      store.putMessage(textMessage(id, `m${n}`, { parts: [{ type: 'text', text: 'x'.repeat(textLength) }] }));
    store.close();
    return readFileSync(file);
  }
  const noise = Buffer.from(Array.from({ length: 9000 }, (_, n) => (n * 7919 + 13) % 251));

  const replaced = (good: Buffer, from: string, to: string) =>
    Buffer.from(good.toString('latin1').replaceAll(from, to), 'latin1');
  /** `PRAGMA user_version` is four bytes of the header. */
  const withVersion = (good: Buffer, version: number) => {
    const changed = Buffer.from(good);
    changed.writeUInt32BE(version, 60);
    return changed;
  };

  const damage: [string, string, (good: Buffer) => Buffer][] = [
    ['NUL bytes', 'damaged', (good) => Buffer.alloc(good.length)],
    ['one NUL byte', 'damaged', () => Buffer.alloc(1)],
    ['random bytes', 'damaged', () => noise],
    ['a BOM before it', 'damaged', (good) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), good])],
    ['cut in the middle', 'damaged', (good) => good.subarray(0, good.length >> 1)],
    ['cut within a page', 'damaged', (good) => good.subarray(0, good.length - 100)],
    ['cut within its header', 'damaged', (good) => good.subarray(0, 50)],
    ['only its magic', 'damaged', (good) => good.subarray(0, 16)],
    ['NUL bytes in the middle', 'damaged', (good) => Buffer.from(good).fill(0, 4096, good.length - 4096)],
    [
      'random bytes in the middle',
      'damaged',
      (good) => Buffer.concat([good.subarray(0, 8192), noise.subarray(0, 4096), good.subarray(12_288)]),
    ],
    ['another name of a column', 'damaged', (good) => replaced(good, 'removed_at', 'removed_it')],
    ['an older version than its tables are of', 'damaged', (good) => withVersion(good, 1)],
    ['JSON text', 'damaged', () => Buffer.from('{"conversations":[]}')],
  ];

  it.each(damage)('%s: is set aside as %s and the app goes on', (_, reason, spoil) => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'conversations.db');
    const bad = spoil(sound(file));
    writeFileSync(file, bad);
    const { store, reports } = openStore(file);
    const movedTo = join(temp.folder, `conversations.${reason}-2026-11-29T12-30-05.db`);
    expect(reports).toEqual([{ file, movedTo, reason }]);
    expect(readFileSync(movedTo).equals(bad)).toBe(true);
    expect(store.list()).toEqual([]);
    const { id } = store.create({ model: null });
    store.putMessage(textMessage(id, 'm'));
    store.close();
    const again = openStore(file);
    expect(again.reports).toEqual([]);
    expect(again.store.messages(id)).toHaveLength(1);
    again.store.close();
  });

  it('takes an empty file for a new one', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'c.db');
    writeFileSync(file, '');
    const { store, reports } = openStore(file);
    expect(reports).toEqual([]);
    store.create({ model: null });
    store.close();
  });

  it('sets an emptied file aside together with a log that holds its content', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'c.db');
    writeFileSync(file, '');
    writeFileSync(`${file}-wal`, 'pages');
    const { store, reports } = openStore(file);
    expect(reports).toHaveLength(1);
    expect(readFileSync(`${reports[0]!.movedTo}-wal`, 'utf8')).toBe('pages');
    store.close();
  });

  it('sets aside what a newer app or another program wrote, and a folder of that name', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'c.db');
    const raw = new DatabaseSync(file);
    raw.exec('CREATE TABLE recipes (name TEXT)');
    raw.close();
    const foreign = openStore(file);
    expect(foreign.reports[0]!.reason).toBe('foreign');
    foreign.store.close();

    const newer = new DatabaseSync(file);
    newer.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    newer.close();
    const ours = openStore(file);
    expect(ours.reports[0]!.reason).toBe('newer');
    ours.store.close();

    const other = join(temp.folder, 'folder.db');
    mkdirSync(other);
    const folder = openStore(other);
    expect(folder.reports).toHaveLength(1);
    folder.store.create({ model: null });
    folder.store.close();
  });

  it('never overwrites an earlier one that was set aside in the same second', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'c.db');
    for (const text of ['one', 'two', 'three']) {
      writeFileSync(file, text);
      openStore(file).store.close();
      truncateSync(file, 0);
    }
    const texts = readdirSync(temp.folder)
      .filter((name) => name.includes('damaged'))
      .map((name) => readFileSync(join(temp.folder, name), 'utf8'));
    expect(texts.sort()).toEqual(['one', 'three', 'two']);
  });

  it('reports damage that shows while the app runs, and checks the file at the next start', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'c.db');
    // More than SQLite keeps in memory from the check at the start.
    sound(file, 200_000);
    const { store } = openStore(file);
    const { id } = store.list()[0]!;
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xee, 4096 * 3));
    expect(() => store.messages(id)).toThrow(
      expect.objectContaining({ code: 'store-failed', hint: expect.any(String) }),
    );
    expect(existsSync(`${file}-check`)).toBe(true);
    store.close();
    const next = openStore(file);
    expect(next.reports).toHaveLength(1);
    expect(existsSync(`${file}-check`)).toBe(false);
    next.store.close();
  });
});
