import { describe, expect, it } from 'vitest';
import { diffLines, isCut } from './diff-lines.ts';

const diff = `--- a/tea.ts
+++ b/tea.ts
@@ -1,3 +1,3 @@
 one
-two
+2
 three
@@ -40 +40,2 @@
---- looks like a head
+forty
+
\\ No newline at end of file
`;

describe('diffLines', () => {
  it('tells what was added, removed and left, with the number of each line', () => {
    expect(diffLines(diff)).toEqual([
      { kind: 'hunk', text: '', number: 1 },
      { kind: 'same', text: 'one', number: 1 },
      { kind: 'removed', text: 'two', number: 2 },
      { kind: 'added', text: '2', number: 2 },
      { kind: 'same', text: 'three', number: 3 },
      { kind: 'hunk', text: '', number: 40 },
      { kind: 'removed', text: '--- looks like a head', number: 40 },
      { kind: 'added', text: 'forty', number: 40 },
      { kind: 'added', text: '', number: 41 },
    ]);
  });

  it('is empty for a diff without changes', () => {
    expect(diffLines('')).toEqual([]);
  });
});

describe('isCut', () => {
  it('says that changed lines are missing', () => {
    const lines = diffLines(diff);
    expect(isCut(lines, { added: 3, removed: 2 })).toBe(false);
    expect(isCut(lines, { added: 4, removed: 2 })).toBe(true);
    expect(isCut(lines, { added: 3, removed: 7 })).toBe(true);
  });
});
