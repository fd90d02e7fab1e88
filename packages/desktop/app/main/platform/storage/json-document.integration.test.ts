import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canMakeDisks, smallDisk } from './test-disks.ts';
import { openDocument } from './test-support.ts';

const storeFailed = expect.objectContaining({ code: 'store-failed', hint: expect.any(String) });

describe.skipIf(!canMakeDisks())('a disk that refuses', () => {
  it('full: says so and keeps the document, in memory and on the disk', () => {
    using disk = smallDisk('64k');
    const file = join(disk.folder, 'd.json');
    const { document } = openDocument(file);
    document.write({ a: 1 });
    expect(() => document.write({ a: 'x'.repeat(100_000) })).toThrow(storeFailed);
    expect(document.read()).toEqual({ a: 1 });
    expect(openDocument(file).document.read()).toEqual({ a: 1 });
    document.write({ a: 2 });
    expect(openDocument(file).document.read()).toEqual({ a: 2 });
    expect(readdirSync(disk.folder).sort()).toEqual(['d.backup.json', 'd.json']);
  });

  it('read-only: reads, refuses to write, and writes again when it may', () => {
    using disk = smallDisk('64k');
    const file = join(disk.folder, 'd.json');
    openDocument(file).document.write({ a: 1 });
    disk.remount('ro');
    const { document, reports } = openDocument(file);
    expect(document.read()).toEqual({ a: 1 });
    expect(() => document.write({ a: 2 })).toThrow(storeFailed);
    disk.remount('rw');
    document.write({ a: 3 });
    expect(openDocument(file).document.read()).toEqual({ a: 3 });
    expect(reports).toEqual([]);
  });

  it('read-only with a damaged file: uses the backup, leaves the file, and sets it aside when it may', () => {
    using disk = smallDisk('64k');
    const file = join(disk.folder, 'd.json');
    openDocument(file).document.write({ a: 1 });
    writeFileSync(file, '{"a');
    disk.remount('ro');
    const { document, reports } = openDocument(file);
    expect(document.read()).toEqual({ a: 1 });
    expect(reports).toEqual([{ file, movedTo: file, reason: 'damaged', recovered: true }]);
    expect(() => document.write({ a: 2 })).toThrow(storeFailed);
    expect(readFileSync(file, 'utf8')).toBe('{"a');
    disk.remount('rw');
    document.write({ a: 2 });
    expect(readFileSync(reports[1]!.movedTo, 'utf8')).toBe('{"a');
  });
});
