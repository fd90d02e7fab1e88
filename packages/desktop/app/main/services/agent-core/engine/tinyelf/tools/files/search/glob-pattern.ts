import picomatch from 'picomatch';

/** A pattern, ready to be used. */
export interface GlobPattern {
  /** Takes a path relative to the folder that is searched, with `/`. */
  matches(path: string): boolean;
  /** Whether there can be matches below a folder. */
  reaches(folder: string): boolean;
}

/**
 * The one dialect of patterns (picomatch): `*`, `**`, `?`, `[a-z]`, `{a,b}`, `!(a|b)`, and `!` in front for everything else.
 * Names that begin with a dot are like others. Without a `/` it is matched against the name alone, in any folder.
 */
export function globPattern(pattern: string): GlobPattern {
  const clean = pattern.replace(/^\.\//, '');
  const isName = !clean.includes('/');
  const isMatch = picomatch(clean, { dot: true, basename: isName });
  const { base, negated } = picomatch.scan(clean);
  const start = negated || isName ? '' : base.replace(/\/$/, '');
  return {
    matches: (path) => isMatch(path),
    reaches: (folder) =>
      start === '' || folder === start || start.startsWith(`${folder}/`) || folder.startsWith(`${start}/`),
  };
}
