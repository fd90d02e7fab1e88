import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureSampleFiles } from './sample-files.ts';

const from = fileURLToPath(new URL('../../../../../resources/sample-files', import.meta.url));
let to: string;
beforeEach(() => {
  to = join(mkdtempSync(join(tmpdir(), 'samples-')), 'data', 'sample-files');
});
afterEach(() => rmSync(join(to, '..', '..'), { recursive: true, force: true }));

const listing = (folder: string) => readdirSync(folder, { recursive: true }).sort();

describe('ensureSampleFiles', () => {
  it('copies everything at the first run', () => {
    expect(ensureSampleFiles(from, to)).toBe(true);
    expect(listing(to)).toEqual(listing(from));
    expect(listing(to)).toEqual(
      expect.arrayContaining(['welcome.md', join('recipes', 'pancakes.md'), '世界のあいさつ.txt']),
    );
    expect(readFileSync(join(to, 'welcome.md'), 'utf8')).toBe(readFileSync(join(from, 'welcome.md'), 'utf8'));
    expect(readdirSync(join(to, '..')).sort()).toEqual(['sample-files', 'sample-files.copied']);
  });

  it('overwrites nothing and brings nothing back', () => {
    ensureSampleFiles(from, to);
    writeFileSync(join(to, 'welcome.md'), 'mine');
    rmSync(join(to, 'recipes'), { recursive: true });
    expect(ensureSampleFiles(from, to)).toBe(false);
    expect(readFileSync(join(to, 'welcome.md'), 'utf8')).toBe('mine');
    expect(existsSync(join(to, 'recipes'))).toBe(false);
  });

  it('leaves an emptied folder empty', () => {
    mkdirSync(to, { recursive: true });
    expect(ensureSampleFiles(from, to)).toBe(false);
    expect(listing(to)).toEqual([]);
  });

  it('brings a deleted folder back empty', () => {
    ensureSampleFiles(from, to);
    rmSync(to, { recursive: true });
    expect(ensureSampleFiles(from, to)).toBe(false);
    expect(listing(to)).toEqual([]);
  });

  it('copies again what an interruption has left unfinished', () => {
    mkdirSync(`${to}.unfinished`, { recursive: true });
    writeFileSync(join(`${to}.unfinished`, 'welcome.md'), 'cut o');
    expect(ensureSampleFiles(from, to)).toBe(true);
    expect(listing(to)).toEqual(listing(from));
  });

  it('leaves no half copy when it fails', () => {
    expect(() => ensureSampleFiles(join(from, 'missing'), to)).toThrow();
    expect(existsSync(to)).toBe(false);
  });
});
