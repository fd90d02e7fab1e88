import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { canMakeDisks, smallDisk } from '../../../../../../platform/storage/test-disks.ts';
import { testRun } from './test-support.ts';

describe.skipIf(!canMakeDisks())('a disk that refuses', () => {
  it('read-only: reads and searches, says that nothing can be written, and lists no change', async () => {
    using disk = smallDisk('256k');
    writeFileSync(path.join(disk.folder, 'a.txt'), 'one\n');
    await using run = await testRun({ root: disk.folder });
    disk.remount('ro');
    expect(await run.call('Read', { path: 'a.txt' })).toBe('     1\tone');
    expect(await run.call('Grep', { pattern: 'one' })).toBe('a.txt:1: one');
    const refused = /^Error: .* can't be written: it is on a read-only file system\.$/;
    expect(await run.call('Edit', { path: 'a.txt', old_text: 'one', new_text: 'two' })).toMatch(refused);
    expect(await run.call('Write', { path: 'a.txt', content: 'two' })).toMatch(refused);
    expect(await run.call('Write', { path: 'new.txt', content: 'two' })).toMatch(refused);
    expect(await run.call('Write', { path: 'sub/new.txt', content: 'two' })).toMatch(
      /^Error: sub\/new\.txt can't be written: /,
    );
    expect(await run.changes.list('run')).toEqual([]);
    expect(run.displays).toEqual([]);
  });

  it('read-only: says that a change can not be undone, and undoes it later', async () => {
    using disk = smallDisk('256k');
    writeFileSync(path.join(disk.folder, 'a.txt'), 'one\n');
    await using run = await testRun({ root: disk.folder });
    await run.call('Edit', { path: 'a.txt', old_text: 'one', new_text: 'two' });
    const [change] = await run.changes.list('run');
    disk.remount('ro');
    await expect(run.changes.undo('run', change!.id)).rejects.toMatchObject({ code: 'undo-failed' });
    disk.remount('rw');
    await run.changes.undo('run', change!.id);
    expect(await run.get('a.txt')).toBe('one\n');
  });

  it('full: says so, and leaves the old file and nothing else', async () => {
    using disk = smallDisk('64k');
    writeFileSync(path.join(disk.folder, 'a.txt'), 'one\n');
    await using run = await testRun({ root: disk.folder });
    await run.call('Read', { path: 'a.txt' });
    expect(await run.call('Write', { path: 'a.txt', content: 'x'.repeat(100_000) })).toBe(
      "Error: a.txt can't be written: the disk is full.",
    );
    expect(readFileSync(path.join(disk.folder, 'a.txt'), 'utf8')).toBe('one\n');
    expect(readdirSync(disk.folder)).toEqual(['a.txt']);
    expect(await run.changes.list('run')).toEqual([]);
  });
});
