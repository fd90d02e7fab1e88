import { lstatSync } from 'node:fs';
import path from 'node:path';
import { globPattern } from './glob-pattern.ts';
import { searchFile } from './search-file.ts';
import type { GlobRequest, GrepFile, GrepRequest, SearchGaps, SearchRequest, SearchResults } from './search-types.ts';
import { type WalkedFile, walk } from './walk.ts';

/** Does the work of Glob and Grep. Blocks, for as long as an expression takes: it is run in a worker thread. */
export function search(request: GlobRequest): SearchResults['glob'];
export function search(request: GrepRequest): SearchResults['grep'];
export function search(request: SearchRequest): SearchResults['glob' | 'grep'];
export function search(request: SearchRequest): SearchResults['glob' | 'grep'] {
  const gaps: SearchGaps = { more: false, outOfTime: false, unreadable: 0, tooLarge: 0 };
  // The gaps are known only once the files are.
  if (request.kind === 'glob') return { ...findFiles(request, gaps), ...gaps };
  return { ...findLines(request, gaps), ...gaps };
}

function findFiles(request: GlobRequest, gaps: SearchGaps): { files: string[] } {
  const files: string[] = [];
  for (const file of candidates(request, request.pattern, gaps)) {
    if (files.length === request.limit) {
      gaps.more = true;
      break;
    }
    files.push(file.absolute);
  }
  return { files };
}

function findLines(request: GrepRequest, gaps: SearchGaps): { files: GrepFile[] } {
  const expression = new RegExp(request.source, request.flags);
  const { mode, context, limit } = request;
  const files: GrepFile[] = [];
  let left = limit;
  for (const { absolute, isLink } of candidates(request, request.glob ?? '**', gaps)) {
    // What a link leads to is searched where it is.
    if (isLink) continue;
    let found: ReturnType<typeof searchFile>;
    try {
      found = searchFile(absolute, { expression, mode, context, limit: mode === 'lines' ? left : 1 });
    } catch {
      gaps.unreadable++;
      continue;
    }
    if (found === 'too-large') {
      gaps.tooLarge++;
      continue;
    }
    const { count, lines, more } = found;
    gaps.more = mode === 'lines' ? more : count > 0 && left === 0;
    if (count > 0 && left > 0) files.push({ real: absolute, count, lines });
    if (gaps.more) break;
    left -= mode === 'lines' ? count : Math.min(count, 1);
  }
  return { files };
}

function* candidates(request: SearchRequest, pattern: string, gaps: SearchGaps): Generator<WalkedFile> {
  const end = performance.now() + request.softLimitMs;
  const glob = globPattern(pattern);
  const { root, top, includeIgnored } = request;
  if (lstatSync(root).isFile()) {
    const name = path.basename(root);
    if (glob.matches(name)) yield { path: name, absolute: root, isLink: false };
    return;
  }
  const onUnreadable = () => {
    gaps.unreadable++;
  };
  for (const file of walk({ root, top, includeIgnored, reaches: glob.reaches, onUnreadable })) {
    if (performance.now() > end) {
      gaps.outOfTime = true;
      return;
    }
    if (glob.matches(file.path)) yield file;
  }
}
