import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isAtSync } from '../pinned.ts';
import { cutAround } from '../presentation.ts';
import { decode } from '../text-encoding.ts';
import type { GrepLine, GrepMode } from './search-types.ts';

const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** Characters of a line that are shown. */
const MAX_LINE = 400;

export interface FileSearch {
  expression: RegExp;
  mode: GrepMode;
  context: number;
  /** Matching lines that are wanted, at most; may be 0. The mode `count` counts all of them. */
  limit: number;
}

export interface FileMatches {
  count: number;
  /** Only in the mode `lines`. */
  lines: GrepLine[];
  /** Others match too. */
  more: boolean;
}

/** Lines of one file that match. Files that are no text have none. Throws what the file system throws. */
export function searchFile(real: string, { expression, mode, context, limit }: FileSearch): FileMatches | 'too-large' {
  const bytes = readWhole(real);
  if (bytes === 'too-large') return bytes;
  const decoded = decode(bytes);
  const shown: GrepLine[] = [];
  /** Lines before the current one that no match is near enough to show yet. */
  let before: Line[] = [];
  let after = 0;
  let count = 0;
  let more = false;
  for (const line of decoded.kind === 'text' ? linesIn(decoded.text) : []) {
    const at = more ? -1 : line.text.search(expression);
    const isMatch = at !== -1 && (count < limit || mode === 'count');
    if (isMatch) count++;
    else if (at !== -1) more = true;
    if (mode === 'lines' && isMatch) {
      shown.push(...before.map((one) => shownLine(one, -1)), shownLine(line, at));
      before = [];
      after = context;
    } else if (after > 0) {
      shown.push(shownLine(line, -1));
      after--;
    } else {
      if (more) break;
      if (mode === 'lines' && context > 0) before = [...before.slice(-(context - 1) || before.length), line];
    }
  }
  return { count, lines: shown, more };
}

interface Line {
  number: number;
  text: string;
}

/** One at a time: all lines of a large file together could take more memory than a worker has, and the app with it. */
function* linesIn(text: string): Generator<Line> {
  for (let start = 0, number = 1; start < text.length; number++) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield { number, text: text.slice(start, found > start && text[found - 1] === '\r' ? found - 1 : end) };
    start = end + 1;
  }
}

const shownLine = ({ number, text }: Line, at: number): GrepLine => ({
  number,
  text: copy(cutAround(text, Math.max(at, 0), MAX_LINE)),
  isMatch: at !== -1,
});

/** A part of a text holds on to all of it: one line of each of many large files would need as much memory as all of them. */
const copy = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/**
 * Nothing for what isn't a file any more, or isn't there since a folder on the way has become a link. Follows no link, and waits
 * for no pipe.
 */
function readWhole(real: string): Buffer | 'too-large' {
  const handle = openSync(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile() || !isAtSync(handle, real)) return Buffer.alloc(0);
    if (stat.size > MAX_FILE_BYTES) return 'too-large';
    const bytes = Buffer.allocUnsafe(stat.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(handle, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}
