import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ResultFiles } from './result-files.ts';

function setUp() {
  const base = mkdtempSync(join(tmpdir(), 'tinyelf-results-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const folder = join(base, 'results');
  const logger = { warn: vi.fn() };
  const open = (more = {}) => new ResultFiles({ folder, logger, ...more });
  /** Makes the file of an id older. */
  const age = (id: string, ms: number) => {
    const time = (Date.now() - ms) / 1000;
    utimesSync(join(folder, `${id}.txt`), time, time);
  };
  return { base, folder, logger, open, age };
}

it('keeps a text and finds it again, after a restart too', () => {
  const { open } = setUp();
  const id = open().keep('smørrebrød') ?? '';
  const file = open().find(id) ?? '';
  expect(readFileSync(file, 'utf8')).toBe('smørrebrød');
});

it('removes what is too old, and the oldest when there is too much; other files stay', () => {
  const { folder, open, age } = setUp();
  const results = open({ maxBytes: 250 });
  const [old, middle] = [results.keep('a'.repeat(100)) ?? '', results.keep('b'.repeat(100)) ?? ''];
  writeFileSync(join(folder, 'mine.txt'), 'x');
  age(old, 60_000);
  age(middle, 30_000);
  const last = results.keep('c'.repeat(100)) ?? '';
  expect([old, middle, last].map((id) => results.find(id) !== undefined)).toEqual([false, true, true]);
  const large = results.keep('d'.repeat(1000)) ?? '';
  expect([middle, last, large].map((id) => results.find(id) !== undefined)).toEqual([false, false, true]);
  age(large, 31 * 86_400_000);
  open();
  expect(readdirSync(folder)).toEqual(['mine.txt']);
});

it('a disk that refuses is a warning and no id', () => {
  const { base, folder, logger, open } = setUp();
  writeFileSync(folder, 'a file where the folder should be');
  expect(open().keep('x')).toBeUndefined();
  expect(logger.warn).toHaveBeenCalled();
  expect(existsSync(base)).toBe(true);
});

it('removes one that is not wanted any more, and only of its own', () => {
  const { folder, logger, open } = setUp();
  const results = open();
  const [gone, kept] = [results.keep('a') ?? '', results.keep('b') ?? ''];
  writeFileSync(join(folder, 'mine.txt'), 'x');
  results.remove(gone);
  results.remove(gone);
  results.remove('mine');
  expect(results.find(gone)).toBeUndefined();
  expect(readdirSync(folder).toSorted()).toEqual([`${kept}.txt`, 'mine.txt'].toSorted());
  expect(logger.warn).not.toHaveBeenCalled();
});

it('finds nothing outside of its folder', () => {
  const { folder, open } = setUp();
  const results = open();
  results.keep('x');
  writeFileSync(join(folder, '..', 'secret.txt'), 'x');
  expect(results.find('../secret')).toBeUndefined();
  expect(results.find('')).toBeUndefined();
});
