import { readdir } from 'node:fs/promises';
import { hasWildcard, plain } from './expand-word.ts';

/** As many names as are looked at for one pattern. */
const MAX_NAMES = 5000;
/** As many paths as a pattern may stand for. */
const MAX_MATCHES = 200;

export interface GlobExpansion {
  /** What the pattern stands for, and its own text, which a shell uses when nothing matches. */
  matches: string[];
  /** Folders that are listed for it. */
  folders: string[];
}

/**
 * What a pattern with wildcards stands for on the disk now. undefined when that is too much to look at, or the pattern isn't
 * understood.
 *
 * @param from the absolute folder that a relative pattern starts at
 * @param home what `~` at the beginning stands for
 */
export async function expandGlob(pattern: string, from: string, home: string): Promise<GlobExpansion | undefined> {
  const literal = pattern.replace(/\\(.)/gs, '$1');
  const segments = pattern.split('/');
  const folders: string[] = [];
  let looked = 0;
  let found = [''];
  for (const [index, segment] of segments.entries()) {
    const end = index === segments.length - 1 ? '' : '/';
    if (!hasWildcard(segment)) {
      const name = index === 0 && segment === '~' ? home : plain(segment);
      found = found.map((before) => before + name + end);
      continue;
    }
    const tokens = tokensOf(segment);
    if (!tokens) return undefined;
    const next: string[] = [];
    for (const before of found) {
      folders.push(before || '.');
      // A folder that can't be listed has nothing that a pattern could match.
      // As the system follows it: `..` behind a link is not what the names alone say.
      const names = await readdir(before.startsWith('/') ? before : `${from}/${before}`).catch(() => []);
      looked += names.length;
      if (looked > MAX_NAMES) return undefined;
      const candidates = segment.startsWith('.')
        ? ['.', '..', ...names]
        : names.filter((name) => !name.startsWith('.'));
      const matching = candidates.filter((name) => matches(tokens, name));
      // A name that is no UTF-8 can't be looked up, but the shell will find what it stands for.
      if (candidates.some((name) => name.includes('\ufffd'))) return undefined;
      next.push(...matching.map((name) => before + name + end));
      if (next.length > MAX_MATCHES) return undefined;
    }
    found = next;
  }
  return { matches: [literal, ...found], folders };
}

/** One character of a name, or `*` for any number of them. */
type Token = '*' | ((char: string) => boolean);

/** undefined for what isn't understood. */
function tokensOf(segment: string): Token[] | undefined {
  const tokens: Token[] = [];
  const chars = [...segment];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string;
    if (char === '*') tokens.push('*');
    else if (char === '?') tokens.push(() => true);
    else if (char === '[') {
      const [all, not, set] = /^\[([!^]?)(\]?[^\]\\[]*)\]/u.exec(chars.slice(at).join('')) ?? [];
      const isIn = set === undefined ? undefined : setOf(set);
      if (all === undefined || !isIn) return undefined;
      tokens.push((one) => isIn(one) !== Boolean(not));
      at += [...all].length - 1;
    } else {
      const literal = char === '\\' ? (chars[++at] ?? '') : char;
      tokens.push((one) => one === literal);
    }
  }
  return tokens;
}

function setOf(set: string): ((char: string) => boolean) | undefined {
  try {
    const expression = new RegExp(`^[${set.replace(/[\]^]/g, '\\$&')}]$`, 'su');
    return (char) => expression.test(char);
  } catch {
    // A range that goes backwards, for one: shells differ in what they make of it.
    return undefined;
  }
}

/** Goes back to the last `*` only, so the time is bounded by the product of the lengths: a RegExp could take for ever. */
function matches(tokens: readonly Token[], name: string): boolean {
  const chars = [...name];
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < chars.length) {
    const current = tokens[token];
    if (current === '*') {
      star = token++;
      starAt = at;
    } else if (current?.(chars[at] as string)) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === '*');
}
