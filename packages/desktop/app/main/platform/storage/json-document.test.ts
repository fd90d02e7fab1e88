import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './test-disks.ts';
import { openDocument } from './test-support.ts';

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

describe('JsonDocument', () => {
  it('gives back what was written, over a restart too', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'deep', 'settings.json');
    const { document, reports } = openDocument(file);
    expect(document.read()).toBeUndefined();
    const value = { 'a.b': { 'c.d': [1, null, '日本 🎉', { x: '\u2028' }] }, theme: 'dark' };
    document.write(value);
    document.write({ ...value, theme: 'light' });
    expect(document.read()).toEqual({ ...value, theme: 'light' });
    expect(openDocument(file).document.read()).toEqual({ ...value, theme: 'light' });
    expect(reports).toEqual([]);
    expect(readdirSync(join(temp.folder, 'deep')).sort()).toEqual(['settings.backup.json', 'settings.json']);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('is not changed by what happens to an object after it was written, and drops keys that are gone', () => {
    using temp = temporaryFolder();
    const { document } = openDocument(join(temp.folder, 'd.json'));
    const value: Record<string, unknown> = { a: { n: 1 }, b: 2 };
    document.write(value);
    (value.a as { n: number }).n = 9;
    expect(document.read()).toEqual({ a: { n: 1 }, b: 2 });
    document.write({ a: 1 });
    expect(read(join(temp.folder, 'd.json'))).toEqual({ a: 1 });
  });

  it('refuses what is no object', () => {
    using temp = temporaryFolder();
    const { document } = openDocument(join(temp.folder, 'd.json'));
    for (const value of [[], [1], 7, 'x', null, undefined, true])
      expect(() => document.write(value)).toThrow(TypeError);
    expect(readdirSync(temp.folder)).toEqual([]);
  });

  it('takes __proto__ and constructor keys as plain data', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'd.json');
    const text =
      '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"a":{"__proto__":{"admin":true}}}';
    writeFileSync(file, text);
    const { document } = openDocument(file);
    document.write(document.read());
    expect(JSON.stringify(read(file))).toBe(text);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('reads a file with a BOM and one with spaces around it', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'd.json');
    for (const text of ['\ufeff{"a":1}', ' \n{"a":1}\r\n', '\ufeff\n{"a":1}']) {
      writeFileSync(file, text);
      const { document, reports } = openDocument(file);
      expect(document.read()).toEqual({ a: 1 });
      document.write({ a: 2 });
      expect(read(file)).toEqual({ a: 2 });
      expect(reports).toEqual([]);
    }
  });
});

const damage: [string, string | Buffer][] = [
  ['NUL bytes', Buffer.alloc(40)],
  ['cut in the middle', '{"theme":"dark","lastMo'],
  ['cut within a character', Buffer.from('{"a":"日').subarray(0, -1)],
  ['two documents', '{"a":1}{"b":2}'],
  ['good and then NUL bytes', '{"a":1}\0\0\0\0'],
  ['an array', '[{"a":1}]'],
  ['a number', '7'],
  ['a string', '"x"'],
  ['null', 'null'],
  ['spaces only', '   \n'],
  ['a BOM only', '\ufeff'],
  ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le')],
  ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['a conflict of a file synchroniser', '<<<<<<< mine\n{"a":1}\n>>>>>>> theirs\n'],
];

describe('a damaged file', () => {
  it.each(damage)('%s: is set aside, and the backup used', (_, bad) => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'settings.json');
    openDocument(file).document.write({ theme: 'dark' });
    writeFileSync(file, bad);
    const { document, reports } = openDocument(file);
    expect(document.read()).toEqual({ theme: 'dark' });
    const movedTo = join(temp.folder, 'settings.damaged-2026-11-29T12-30-05.json');
    expect(reports).toEqual([{ file, movedTo, reason: 'damaged', recovered: true }]);
    expect(readFileSync(movedTo).equals(Buffer.from(bad as string))).toBe(true);
    // In its place again without waiting for the next change.
    expect(read(file)).toEqual({ theme: 'dark' });
    expect(openDocument(file).reports).toEqual([]);
  });

  it.each(damage)('%s: is set aside and reported without a backup too', (_, bad) => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'settings.json');
    writeFileSync(file, bad);
    const { document, reports } = openDocument(file);
    expect(document.read()).toBeUndefined();
    expect(reports).toEqual([expect.objectContaining({ reason: 'damaged', recovered: false })]);
    document.write({ a: 1 });
    expect(readFileSync(reports[0]!.movedTo).equals(Buffer.from(bad as string))).toBe(true);
    expect(openDocument(file).document.read()).toEqual({ a: 1 });
  });

  it('of no bytes: is new without a backup, damaged with one', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'd.json');
    writeFileSync(file, '');
    const fresh = openDocument(file);
    expect(fresh.reports).toEqual([]);
    fresh.document.write({ a: 1 });
    writeFileSync(file, '');
    const emptied = openDocument(file);
    expect(emptied.document.read()).toEqual({ a: 1 });
    expect(emptied.reports).toEqual([expect.objectContaining({ recovered: true })]);
  });

  it('and a damaged backup: both are kept', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'd.json');
    writeFileSync(file, '{"main');
    writeFileSync(join(temp.folder, 'd.backup.json'), '{"backup');
    const { document, reports } = openDocument(file);
    document.write({ a: 1 });
    expect(reports.map((report) => readFileSync(report.movedTo, 'utf8')).sort()).toEqual(['{"backup', '{"main']);
  });

  it('missing altogether: the backup is used', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'd.json');
    openDocument(file).document.write({ a: 1 });
    rmSync(file);
    expect(openDocument(file).document.read()).toEqual({ a: 1 });
  });

  it('that is a folder: is set aside', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'd.json');
    mkdirSync(file);
    const { document, reports } = openDocument(file);
    expect(reports).toHaveLength(1);
    document.write({ a: 1 });
    expect(openDocument(file).document.read()).toEqual({ a: 1 });
  });

  it.skipIf(process.platform === 'win32')('that is a pipe: is set aside and not waited for', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'd.json');
    openDocument(file).document.write({ a: 1 });
    const replaceByPipe = () => {
      rmSync(file);
      execFileSync('mkfifo', [file]);
    };
    replaceByPipe();
    const { document, reports } = openDocument(file);
    expect(document.read()).toEqual({ a: 1 });
    replaceByPipe();
    document.write({ a: 2 });
    expect(read(file)).toEqual({ a: 2 });
    expect(reports.map(({ reason }) => reason)).toEqual(['damaged', 'changed-elsewhere']);
    expect(reports.every(({ movedTo }) => statSync(movedTo).isFIFO())).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('whose backup is a pipe: is written all the same', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'd.json');
    openDocument(file).document.write({ a: 1 });
    rmSync(join(temp.folder, 'd.backup.json'));
    execFileSync('mkfifo', [join(temp.folder, 'd.backup.json')]);
    openDocument(file).document.write({ a: 2 });
    expect(read(file)).toEqual({ a: 2 });
  });

  it('twice in one second: nothing is overwritten', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'd.json');
    for (const text of ['one', 'two']) {
      writeFileSync(file, text);
      openDocument(file);
    }
    const kept = readdirSync(temp.folder).map((name) => readFileSync(join(temp.folder, name), 'utf8'));
    expect(kept.sort()).toEqual(['one', 'two']);
  });
});

describe('two writers', () => {
  it('lose nothing: what the other one wrote is kept aside', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'd.json');
    const first = openDocument(file);
    first.document.write({ from: 'first' });
    const second = openDocument(file);
    second.document.write({ from: 'second' });
    first.document.write({ from: 'first again' });
    expect(read(file)).toEqual({ from: 'first again' });
    expect(first.reports).toEqual([expect.objectContaining({ reason: 'changed-elsewhere' })]);
    expect(read(first.reports[0]!.movedTo)).toEqual({ from: 'second' });
    expect(second.reports).toEqual([]);
  });

  it('are no matter when the file was only copied back as it was', () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'd.json');
    const { document, reports } = openDocument(file);
    document.write({ a: 1 });
    const text = readFileSync(file);
    rmSync(file);
    writeFileSync(file, text);
    document.write({ a: 2 });
    expect(reports).toEqual([]);
  });
});
