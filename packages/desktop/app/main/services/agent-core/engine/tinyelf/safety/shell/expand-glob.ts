import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { hasWildcard, plain } from './expand-word.ts';

/** As many names as are looked at for one pattern. */
const MAX_NAMES = 5000;
/** As many paths as a pattern may stand for. */
const MAX_MATCHES = 200;

/**
 * What a pattern with wildcards stands for on the disk now, with the pattern's own text, which a shell uses when nothing
 * matches. undefined when that is too much to look at, or the pattern isn't understood.
 *
 * @param from the absolute folder that a relative pattern starts at
 * @param home what `~` at the beginning stands for
 */
export async function expandGlob(pattern: string, from: string, home: string): Promise<string[] | undefined> {
  const literal = pattern.replace(/\\(.)/gs, '$1');
  const segments = pattern.split('/');
  let looked = 0;
  let found = [''];
  for (const [index, segment] of segments.entries()) {
    const end = index === segments.length - 1 ? '' : '/';
    if (!hasWildcard(segment)) {
      const name = index === 0 && segment === '~' ? home : plain(segment);
      found = found.map((before) => before + name + end);
      continue;
    }
    const matcher = toRegExp(segment);
    if (!matcher) return undefined;
    const next: string[] = [];
    for (const before of found) {
      // A folder that can't be listed has nothing that a pattern could match.
      const names = await readdir(path.resolve(from, before || '.')).catch(() => []);
      looked += names.length;
      if (looked > MAX_NAMES) return undefined;
      const candidates = segment.startsWith('.')
        ? ['.', '..', ...names]
        : names.filter((name) => !name.startsWith('.'));
      next.push(...candidates.filter((name) => matcher.test(name)).map((name) => before + name + end));
      if (next.length > MAX_MATCHES) return undefined;
    }
    found = next;
  }
  return [literal, ...found];
}

function toRegExp(segment: string): RegExp | undefined {
  let source = '';
  for (let at = 0; at < segment.length; at++) {
    const char = segment[at] as string;
    if (char === '\\') source += quoted(segment[++at] ?? '');
    else if (char === '*') source += '.*';
    else if (char === '?') source += '.';
    else if (char === '[') {
      const [all, not, set] = /^\[([!^]?)(\]?[^\]\\[]*)\]/.exec(segment.slice(at)) ?? [];
      if (all === undefined || set === undefined) return undefined;
      source += `[${not ? '^' : ''}${set.replace(/[\]^]/g, '\\$&')}]`;
      at += all.length - 1;
    } else source += quoted(char);
  }
  try {
    return new RegExp(`^${source}$`, 'su');
  } catch {
    // A range that goes backwards, for one: shells differ in what they make of it.
    return undefined;
  }
}

const quoted = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
