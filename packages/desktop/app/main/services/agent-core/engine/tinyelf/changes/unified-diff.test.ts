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
