import { describe, expect, it } from 'vitest';
import { globPattern } from './glob-pattern.ts';

describe('globPattern', () => {
  it.each<[string, string[], string[]]>([
    ['*.ts', ['a.ts', 'src/a.ts', '.hidden.ts'], ['a.tsx', 'a.ts/b']],
    ['./*.ts', ['a.ts', 'src/a.ts'], ['a.js']],
    ['src/*.ts', ['src/a.ts'], ['a.ts', 'src/deep/a.ts']],
    ['src/**/*.ts', ['src/a.ts', 'src/x/y/a.ts', 'src/.x/a.ts'], ['a.ts', 'other/src/a.ts']],
    ['**/*.ts', ['a.ts', 'x/a.ts'], ['a.js']],
    ['**', ['a', 'x/y', '.env'], []],
    ['*', ['a', 'x/y'], []],
    ['*.{md,txt}', ['a.md', 'x/b.txt'], ['a.m']],
    ['{src,test}/**', ['src/a', 'test/b/c'], ['lib/a']],
    ['file-[0-9]?', ['file-1a'], ['file-aa', 'file-1']],
    ['!*.ts', ['a.js'], ['a.ts', 'src/a.ts']],
    ['src/a.ts', ['src/a.ts'], ['src/b.ts']],
    ['日本/*', ['日本/a b'], ['日/a']],
    ['a\\*b', ['a*b'], ['axb']],
  ])('%s', (pattern, yes, no) => {
    const { matches } = globPattern(pattern);
    expect(yes.filter((path) => !matches(path))).toEqual([]);
    expect(no.filter(matches)).toEqual([]);
  });

  it.each<[string, string, boolean]>([
    ['src/lib/*.ts', 'src', true],
    ['src/lib/*.ts', 'src/lib', true],
    ['src/lib/**', 'src/lib/x', true],
    ['src/lib/*.ts', 'source', false],
    ['src/lib/*.ts', 'src/other', false],
    ['*.ts', 'anything', true],
    ['{a,b}/c', 'a', true],
    ['!src/**', 'lib', true],
  ])('%s may have matches below %s: %s', (pattern, folder, expected) => {
    expect(globPattern(pattern).reaches(folder)).toBe(expected);
  });
});
