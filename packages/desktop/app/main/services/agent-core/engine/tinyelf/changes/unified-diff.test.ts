import { applyPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

const diffOf = (before: string | undefined, after: string, path = 'a.txt') =>
  unifiedDiff(path, before === undefined ? undefined : Buffer.from(before), Buffer.from(after));

describe('unifiedDiff', () => {
  it('shows a new file as added', () => {
    expect(diffOf(undefined, 'x\ny\n')).toEqual({
      diff: '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n',
      added: 2,
      removed: 0,
    });
  });

  it('is empty where nothing differs', () => {
    expect(diffOf('x', 'x')).toEqual({ diff: '', added: 0, removed: 0 });
    expect(diffOf(undefined, '')).toEqual({ diff: '', added: 0, removed: 0 });
  });

  it.each([
    ['a\nb\nc\n', 'a\nB\nc\n'],
    ['a\nb', 'a\nb\n'],
    ['a\n', ''],
    ['a\r\nb\r\n', 'a\nb\n'],
    ['', 'a'],
  ])('leads from %j to %j', (before, after) => {
    expect(applyPatch(before, diffOf(before, after).diff, { autoConvertLineEndings: false })).toBe(after);
  });

  it('shows UTF-16 as text, and quotes odd names', () => {
    const bytes = Buffer.from('\ufeffж\n', 'utf16le');
    expect(unifiedDiff('new\nline', bytes, Buffer.from('\ufeffя\n', 'utf16le')).diff).toBe(
      '--- "a/new\\nline"\n+++ "b/new\\nline"\n@@ -1,1 +1,1 @@\n-ж\n+я\n',
    );
  });

  it('takes what differs as a whole where looking for less takes too long', () => {
    const lines = (from: number) =>
      Array.from({ length: 40_000 }, (_, i) => `${(i * 7919 + from) % 40_009}\n`).join('');
    for (const [end, otherEnd] of [
      ['same\n', 'same\n'],
      ['same', 'same\n'],
    ]) {
      const before = `first\n${lines(1)}${end}`;
      const after = `first\n${lines(3)}${otherEnd}`;
      const start = performance.now();
      const { diff, added, removed } = diffOf(before, after);
      expect(performance.now() - start).toBeLessThan(15_000);
      expect([added, removed].every((count) => count >= 39_000)).toBe(true);
      expect(applyPatch(before, diff)).toBe(after);
    }
  });
});

describe('contents of very many lines', () => {
  const many = (count: number) => 'line\n'.repeat(count);
  const of = (text: string) => Buffer.from(text);

  it('shows what differs, and counts it', () => {
    const { diff, added, removed } = unifiedDiff(
      'a',
      of(`${many(100_000)}old\n${many(50_000)}`),
      of(`${many(100_000)}new\nmore\n${many(50_000)}`),
    );
    expect(diff).toBe('--- a/a\n+++ b/a\n@@ -100001,1 +100001,2 @@\n-old\n+new\n+more\n');
    expect([added, removed]).toEqual([2, 1]);
  });

  it('shows lines that are put in or taken out between others that are the same', () => {
    const [fewer, more] = [of(many(150_000)), of(many(150_002))];
    expect(unifiedDiff('a', fewer, more)).toMatchObject({ added: 2, removed: 0 });
    expect(unifiedDiff('a', more, fewer)).toMatchObject({ added: 0, removed: 2 });
  });

  it('says that a line end is missing', () => {
    const { diff } = unifiedDiff('a', of(`${many(150_000)}x`), of(`${many(150_000)}x\n`));
    expect(diff).toBe('--- a/a\n+++ b/a\n@@ -150001,1 +150001,1 @@\n-x\n\\ No newline at end of file\n+x\n');
  });

  it('is short for a file of ten million lines, and soon there', { timeout: 60_000 }, () => {
    const began = performance.now();
    const { diff, added, removed } = unifiedDiff('a', undefined, Buffer.alloc(10_000_000, 10));
    expect([added, removed]).toEqual([10_000_000, 0]);
    expect(diff.length).toBeLessThan(10_000);
    expect(diff).toMatch(/^--- \/dev\/null\n\+\+\+ b\/a\n@@ -0,0 \+1,1000 @@\n\+\n/);
    expect(performance.now() - began).toBeLessThan(4000);
  });
});
