export interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'hunk';
  /** Without the sign; empty for a hunk. */
  text: string;
  /** Of the line in the file: after the change, or before it for one that was removed. For a hunk: of its first line. */
  number?: number;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The lines of a unified diff of one file, without its head and its remarks about the last line's end. */
export function diffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inHunk = false;
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      inHunk = true;
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      lines.push({ kind: 'hunk', text: '', number: after });
    } else if (!inHunk || line.startsWith('\\')) {
      // Of the head, and of "\ No newline at end of file", nothing is shown.
    } else if (line.startsWith('+')) {
      lines.push({ kind: 'added', text: line.slice(1), number: after++ });
    } else if (line.startsWith('-')) {
      lines.push({ kind: 'removed', text: line.slice(1), number: before++ });
    } else {
      lines.push({ kind: 'same', text: line.slice(1), number: after++ });
      before += 1;
    }
  }
  return lines;
}

/** Whether a unified diff is that of a file that wasn't there before. */
export const isNewFile = (diff: string): boolean => diff.startsWith('--- /dev/null\n');

/** Whether lines that were changed are missing: what is shown in a card is cut when it is long. */
export function isCut(lines: readonly DiffLine[], { added, removed }: { added: number; removed: number }): boolean {
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length;
  return count('added') < added || count('removed') < removed;
}
