import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from 'diff';
import { decode } from '../tools/files/text-encoding.ts';

/** How long the search for the smallest difference may take, in milliseconds; it blocks. */
const TIME_LIMIT_MS = 300;
const CONTEXT = 3;
/** Contents of more lines aren't compared line by line: that would block for seconds and take gigabytes. */
const MAX_LINES = 100_000;
/** Lines of each side that are shown then. */
const SHOWN_LINES = 1000;

export interface Difference {
  /** With file headers; `/dev/null` for a file that wasn't there. Empty when nothing differs. */
  diff: string;
  /** Lines. */
  added: number;
  removed: number;
}

/**
 * A unified diff of two contents of one file; `before` is undefined for a new file. Where the smallest difference takes too
 * long to find, everything between the first and the last line that differ counts as replaced; where there are too many lines,
 * only the beginning of that is in the diff.
 */
export function unifiedDiff(path: string, before: Buffer | undefined, after: Buffer): Difference {
  const [old, now] = [before ? readable(before) : '', readable(after)];
  if (isMoreThan(MAX_LINES, old) || isMoreThan(MAX_LINES, now)) return hugeDifference(path, before && old, now);
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

function isMoreThan(max: number, text: string): boolean {
  let at = -1;
  for (let count = 0; count <= max; count++) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return false;
  }
  return true;
}

/** Everything between the first and the last line that differ, without taking the texts apart. */
function hugeDifference(path: string, before: string | undefined, now: string): Difference {
  const old = before ?? '';
  if (old === now) return { diff: '', added: 0, removed: 0 };
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old.charCodeAt(start) === now.charCodeAt(start)) start++;
  start = old.lastIndexOf('\n', start - 1) + 1;
  let end = 0;
  while (end < shorter - start && old.charCodeAt(old.length - 1 - end) === now.charCodeAt(now.length - 1 - end)) end++;
  // From the beginning of a line on, which is the same in both.
  const lineStart = old.indexOf('\n', Math.max(start, old.length - end) - 1);
  const same = lineStart === -1 ? 0 : Math.min(end, old.length - lineStart - 1);
  const removed = sideOf('-', old.slice(start, old.length - same));
  const added = sideOf('+', now.slice(start, now.length - same));
  const line = linesIn(old.slice(0, start)) + 1;
  const header = `--- ${before === undefined ? '/dev/null' : `a/${path}`}\n+++ b/${path}\n`;
  const range = `@@ -${removed.count ? line : line - 1},${removed.shown} +${added.count ? line : line - 1},${added.shown} @@\n`;
  return { diff: header + range + removed.text + added.text, added: added.count, removed: removed.count };
}

function sideOf(sign: string, text: string): { text: string; shown: number; count: number } {
  const count = linesIn(text);
  if (count === 0) return { text: '', shown: 0, count };
  const lines = text.split('\n', Math.min(count, SHOWN_LINES));
  const isWhole = lines.length === count;
  const end = isWhole && !text.endsWith('\n') ? '\\ No newline at end of file\n' : '';
  return { text: lines.map((line) => `${sign}${line}\n`).join('') + end, shown: lines.length, count };
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return text === '' || text.endsWith('\n') ? count : count + 1;
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
