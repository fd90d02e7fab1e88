import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { linesOf } from '../line-ends.ts';
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
  const lines = decoded.kind === 'text' ? linesOf(decoded.text) : [];
  const matches: { index: number; at: number }[] = [];
  let more = false;
  for (const [index, line] of lines.entries()) {
    const at = line.search(expression);
    if (at === -1) continue;
    if (matches.length >= limit && mode !== 'count') {
      more = true;
      break;
    }
    matches.push({ index, at });
  }
  return { count: matches.length, lines: mode === 'lines' ? withContext(lines, matches, context) : [], more };
}

function withContext(lines: readonly string[], matches: { index: number; at: number }[], context: number): GrepLine[] {
  const places = new Map(matches.map(({ index, at }) => [index, at]));
  const shown: GrepLine[] = [];
  let next = 0;
  for (const { index } of matches) {
    const last = Math.min(index + context, lines.length - 1);
    for (let i = Math.max(next, index - context); i <= last; i++) {
      shown.push({ number: i + 1, text: cutAround(lines[i]!, places.get(i) ?? 0, MAX_LINE), isMatch: places.has(i) });
    }
    next = Math.max(next, last + 1);
  }
  return shown;
}

/** Nothing for what isn't a file any more. Follows no link, and waits for no pipe. */
function readWhole(real: string): Buffer | 'too-large' {
  const handle = openSync(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) return Buffer.alloc(0);
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
