import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from 'diff';
import { decode } from '../tools/files/text-encoding.ts';

/** How long the search for the smallest difference may take, in milliseconds; it blocks. */
const TIME_LIMIT_MS = 300;
const CONTEXT = 3;

export interface Difference {
  /** With file headers; `/dev/null` for a file that wasn't there. Empty when nothing differs. */
  diff: string;
  /** Lines. */
  added: number;
  removed: number;
}

/**
 * A unified diff of two contents of one file; `before` is undefined for a new file. Where the smallest difference takes too
 * long to find, everything between the first and the last line that differ counts as replaced.
 */
export function unifiedDiff(path: string, before: Buffer | undefined, after: Buffer): Difference {
  const [old, now] = [before ? readable(before) : '', readable(after)];
  const names = { oldFile: before ? `a/${path}` : '/dev/null', newFile: `b/${path}` };
  const patch =
    structuredPatch(names.oldFile, names.newFile, old, now, undefined, undefined, {
      context: CONTEXT,
      timeout: TIME_LIMIT_MS,
    }) ?? coarsePatch(names, old, now);
  let added = 0;
  let removed = 0;
  for (const { lines } of patch.hunks) {
    for (const line of lines) {
      if (line.startsWith('+')) added++;
      else if (line.startsWith('-')) removed++;
    }
  }
  return { diff: patch.hunks.length > 0 ? formatPatch(patch, FILE_HEADERS_ONLY) : '', added, removed };
}

function readable(bytes: Buffer): string {
  const decoded = decode(bytes);
  return decoded.kind === 'text' ? decoded.text : bytes.toString('latin1');
}

function coarsePatch(names: { oldFile: string; newFile: string }, old: string, now: string): StructuredPatch {
  const [a, b] = [linesWithMark(old), linesWithMark(now)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const before = a.slice(Math.max(0, start - CONTEXT), start);
  const behind = a.slice(a.length - end, a.length - end + CONTEXT);
  const [removed, added] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const mark = (sign: string, lines: string[]) => lines.flatMap((line) => `${sign}${line}`.split('\0'));
  return {
    oldFileName: names.oldFile,
    newFileName: names.newFile,
    oldHeader: undefined,
    newHeader: undefined,
    index: undefined,
    hunks: [
      {
        oldStart: start - before.length + 1,
        newStart: start - before.length + 1,
        oldLines: before.length + removed.length + behind.length,
        newLines: before.length + added.length + behind.length,
        lines: [...mark(' ', before), ...mark('-', removed), ...mark('+', added), ...mark(' ', behind)],
      },
    ],
  };
}

/** Lines; one without a line end carries the usual remark, behind a NUL, and so differs from one that has it. */
function linesWithMark(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop();
  if (last) lines.push(`${last}\0\\ No newline at end of file`);
  return lines;
}
