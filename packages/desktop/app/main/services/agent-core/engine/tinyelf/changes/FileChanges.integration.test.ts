import { chmod, mkdir, readdir, readFile, rename, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testRun } from '../tools/files/test-support.ts';

type Run = Awaited<ReturnType<typeof testRun>>;

const write = (run: Run, name: string, content: string) => run.call('Write', { path: name, content });
const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );
const lastId = async (run: Run) => (await run.changes.list('run')).at(-1)!.id;
const newFile = (run: Run, name: string) => ({
  callId: 'call',
  path: name,
  real: run.at(name),
  before: undefined,
  after: Buffer.from('new'),
});
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('the journal', () => {
  it('lists what was changed, oldest first, and survives a restart', async () => {
    await using run = await testRun();
    await write(run, 'a.txt', 'one\n');
    await write(run, 'a.txt', 'two\n');
    await write(run, 'b.txt', 'b\n');
    const list = await run.changes.list('run');
    expect(list.map(({ path, kind, added, removed }) => [path, kind, added, removed])).toEqual([
      ['a.txt', 'created', 1, 0],
      ['a.txt', 'edited', 1, 1],
      ['b.txt', 'created', 1, 0],
    ]);
    const again = run.openJournal();
    expect(await again.list('run')).toEqual(list);
    expect(await again.diff('run', list[1]!.id)).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n');
    await again.undo('run', list[1]!.id);
    expect(await run.get('a.txt')).toBe('one\n');
    expect(await run.changes.list('other')).toEqual([]);
  });

  it('is for the person alone', async () => {
    await using run = await testRun();
    await write(run, 'a.txt', 'one\n');
    const folder = path.join(run.folder, 'changes', 'run');
    for (const name of ['.', ...(await readdir(folder))]) {
      expect((await stat(path.join(folder, name))).mode & 0o077).toBe(0);
    }
  });

  it('knows no run by a name that leads elsewhere', async () => {
    await using run = await testRun();
    for (const id of ['..', 'a/b', '', '.']) {
      await expect(run.changes.list(id)).rejects.toThrow(code('not-found'));
    }
  });

  it('forgets a run that is removed, and leaves its files', async () => {
    await using run = await testRun();
    await write(run, 'a.txt', 'one\n');
    const id = await lastId(run);
    await run.changes.record('other', newFile(run, 'b.txt'), async () => {});
    run.changes.forget('run');
    expect(await readdir(path.join(run.folder, 'changes'))).toEqual(['other']);
    expect(await run.changes.list('run')).toEqual([]);
    await expect(run.changes.undo('run', id)).rejects.toThrow(code('not-found'));
    expect(await run.get('a.txt')).toBe('one\n');
    for (const unknown of ['run', '..', '']) run.changes.forget(unknown);
    expect(await run.changes.list('other')).toHaveLength(1);
  });

  it('forgets the runs that are not stored any more, and none when that is not known', async () => {
    await using run = await testRun();
    for (const id of ['gone', 'run']) await run.changes.record(id, newFile(run, id), async () => {});
    const runs = () => readdir(path.join(run.folder, 'changes'));
    await run.changes.keepOnly(() => undefined);
    await run.changes.keepOnly(() => {
      throw new Error('can not be read');
    });
    expect(await runs()).toEqual(['gone', 'run']);
    await run.changes.keepOnly(() => new Set(['run', 'without changes']));
    expect(await runs()).toEqual(['run']);
    expect(await run.changes.list('run')).toHaveLength(1);
  });

  it('sets a damaged list aside and goes on', async () => {
    await using run = await testRun();
    await write(run, 'a.txt', 'one\n');
    const folder = path.join(run.folder, 'changes', 'run');
    await writeFile(path.join(folder, 'changes.json'), '[{"change"');
    expect(await run.changes.list('run')).toEqual([]);
    expect((await readdir(folder)).some((name) => name.startsWith('changes.json.damaged-'))).toBe(true);
    await write(run, 'a.txt', 'two\n');
    expect(await run.changes.list('run')).toHaveLength(1);
  });

  it('makes no change that it can not write down', async () => {
    await using run = await testRun();
    await run.put('a.txt', 'one');
    await writeFile(path.join(run.folder, 'changes'), 'a file in the place of the folder');
    expect(await run.call('Edit', { path: 'a.txt', old_text: 'one', new_text: 'two' })).toMatch(
      /^Error: .*could not be/,
    );
    expect(await run.get('a.txt')).toBe('one');
    expect(run.displays).toEqual([]);
  });

  it('keeps nothing of a change that failed', async () => {
    await using run = await testRun();
    const failing = run.changes.record(
      'run',
      { callId: 'c', path: 'a', real: run.at('a'), before: undefined, after: Buffer.from('x') },
      () => Promise.reject(new Error('the disk is full')),
    );
    await expect(failing).rejects.toThrow('the disk is full');
    expect(await run.changes.list('run')).toEqual([]);
    expect(run.events).toEqual([]);
  });

  it('drops the oldest contents when all runs together have too many', async () => {
    await using run = await testRun({ maxBytes: 2500 });
    const text = (letter: string) => `${letter.repeat(999)}\n`;
    for (const [index, letter] of ['a', 'b', 'c', 'd'].entries()) {
      await write(run, 'a.txt', text(letter));
      // Some disks count time in seconds.
      for (const name of await readdir(path.join(run.folder, 'changes/run'))) {
        const file = path.join(run.folder, 'changes/run', name);
        if (Date.now() - (await stat(file)).mtimeMs < 3_600_000) await utimes(file, 1000 + index, 1000 + index);
      }
    }
    const [, second, , last] = await run.changes.list('run');
    await expect(run.changes.diff('run', second!.id)).rejects.toThrow(code('not-found'));
    await expect(run.changes.undo('run', second!.id, { force: true })).rejects.toThrow(code('not-found'));
    await run.changes.undo('run', last!.id);
    expect(await run.get('a.txt')).toBe(text('c'));
  });
});

describe('undo', () => {
  it('restores an edited file with its permissions, byte for byte', async () => {
    await using run = await testRun();
    await run.put('a.sh', '\ufeffone\r\ntwo\nthree');
    await chmod(run.at('a.sh'), 0o750);
    const before = await run.bytes('a.sh');
    await run.call('Edit', { path: 'a.sh', old_text: 'two', new_text: 'changed' });
    await chmod(run.at('a.sh'), 0o600);
    const undone = await run.changes.undo('run', await lastId(run));
    expect(undone).toMatchObject({ path: 'a.sh', undone: true });
    expect(await run.bytes('a.sh')).toEqual(before);
    expect((await stat(run.at('a.sh'))).mode & 0o777).toBe(0o750);
    expect(await run.changes.list('run')).toEqual([undone]);
    expect(run.events.at(-1)).toEqual({
      type: 'agent.fileChanged',
      payload: { conversationId: 'run', change: undone },
    });
    expect(await readdir(run.root)).toEqual(['a.sh']);
  });

  it('removes a file that was created', async () => {
    await using run = await testRun();
    await write(run, 'new/a.txt', 'x');
    await run.changes.undo('run', await lastId(run));
    expect(await exists(run.at('new/a.txt'))).toBe(false);
  });

  it('is refused a second time', async () => {
    await using run = await testRun();
    await write(run, 'a.txt', 'x');
    const id = await lastId(run);
    await run.changes.undo('run', id);
    await expect(run.changes.undo('run', id)).rejects.toThrow(code('already-undone'));
    await expect(run.changes.undo('run', id, { force: true })).rejects.toThrow(code('already-undone'));
    await expect(run.changes.undo('run', 'other')).rejects.toThrow(code('not-found'));
  });

  it('at once twice: happens once', async () => {
    await using run = await testRun();
    await write(run, 'a.txt', 'x');
    const id = await lastId(run);
    const both = await Promise.allSettled([run.changes.undo('run', id), run.changes.undo('run', id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('while the run goes on: comes before the next change of the file or after it, and loses no other', async () => {
    await using run = await testRun();
    for (let round = 0; round < 20; round++) {
      await run.put('a.txt', 'one');
      await run.call('Read', { path: 'a.txt' });
      await write(run, 'a.txt', 'two');
      const id = await lastId(run);
      const changes = [() => write(run, 'a.txt', 'three'), () => write(run, `b${round}.txt`, 'b')];
      const undo = () => run.changes.undo('run', id);
      const order = round % 2 === 0 ? [undo, ...changes] : [...changes, undo];
      const settled = await Promise.allSettled(order.map((begin) => begin()));
      const undone = settled[order.indexOf(undo)]!;
      const text = await run.get('a.txt');
      const { undone: isUndone } = (await run.changes.list('run')).find((change) => change.id === id)!;
      expect(isUndone).toBe(undone.status === 'fulfilled');
      // A change after the undo is refused: the model hasn't seen what is there now.
      expect(text).toBe(isUndone ? 'one' : 'three');
      expect(await run.get(`b${round}.txt`)).toBe('b');
    }
  });

  it.each<[string, (run: Run) => Promise<unknown>]>([
    ['was changed by someone', (run) => run.put('a.txt', 'by someone')],
    ['was removed', (run) => unlink(run.at('a.txt'))],
    ['was changed by the run later', (run) => write(run, 'a.txt', 'three')],
  ])('refuses a file that %s, unless forced', async (_, happens) => {
    await using run = await testRun();
    await write(run, 'a.txt', 'one');
    await write(run, 'a.txt', 'two');
    const id = await lastId(run);
    await happens(run);
    await expect(run.changes.undo('run', id)).rejects.toThrow(code('changed-since'));
    expect((await run.changes.list('run')).every(({ undone }) => !undone)).toBe(true);
    expect(await run.changes.undo('run', id, { force: true })).toMatchObject({ undone: true });
    expect(await run.get('a.txt')).toBe('one');
  });

  it('goes back step by step', async () => {
    await using run = await testRun();
    for (const text of ['one', 'two', 'three']) await write(run, 'a.txt', text);
    const ids = (await run.changes.list('run')).map(({ id }) => id);
    await run.changes.undo('run', ids[2]!);
    expect(await run.get('a.txt')).toBe('two');
    await run.changes.undo('run', ids[1]!);
    expect(await run.get('a.txt')).toBe('one');
    await run.changes.undo('run', ids[0]!);
    expect(await exists(run.at('a.txt'))).toBe(false);
  });

  it('never follows a link that came later, not even by force', async () => {
    await using run = await testRun();
    await run.put('sub/a.txt', 'one');
    await run.call('Edit', { path: 'sub/a.txt', old_text: 'one', new_text: 'two' });
    const id = await lastId(run);
    const outside = path.join(run.folder, 'outside');
    await mkdir(outside);
    await writeFile(path.join(outside, 'a.txt'), 'two');
    await rename(run.at('sub'), run.at('moved'));
    await symlink(outside, run.at('sub'));
    await expect(run.changes.undo('run', id, { force: true })).rejects.toThrow(code('changed-since'));
    expect(await readFile(path.join(outside, 'a.txt'), 'utf8')).toBe('two');

    await unlink(run.at('sub'));
    await rename(run.at('moved'), run.at('sub'));
    await unlink(run.at('sub/a.txt'));
    await symlink(path.join(outside, 'a.txt'), run.at('sub/a.txt'));
    await expect(run.changes.undo('run', id, { force: true })).rejects.toThrow(code('changed-since'));
    expect(await readFile(path.join(outside, 'a.txt'), 'utf8')).toBe('two');
  });

  it('makes folders anew that are gone', async () => {
    await using run = await testRun();
    await run.put('sub/a.txt', 'one');
    await run.call('Edit', { path: 'sub/a.txt', old_text: 'one', new_text: 'two' });
    await rename(run.at('sub'), run.at('gone'));
    await run.changes.undo('run', await lastId(run), { force: true });
    expect(await run.get('sub/a.txt')).toBe('one');
  });

  it('takes a change that the app was killed before making as undone', async () => {
    await using run = await testRun();
    await run.put('a.txt', 'one');
    await run.call('Edit', { path: 'a.txt', old_text: 'one', new_text: 'two' });
    await run.put('a.txt', 'one');
    expect(await run.changes.undo('run', await lastId(run))).toMatchObject({ undone: true });
    expect(await run.get('a.txt')).toBe('one');
  });

  it('makes the model read the file again', async () => {
    await using run = await testRun();
    await write(run, 'a.txt', 'one');
    await write(run, 'a.txt', 'two');
    await run.changes.undo('run', await lastId(run));
    expect(await write(run, 'a.txt', 'three')).toBe('Error: a.txt has changed since you read it. Read it again.');
  });
});
