/** What a message holds besides words. */
export interface Literals {
  /** Text in quotes or in code marks. */
  quoted: string[];
  /** Names of files and folders: whatever has a slash or an extension. Quoted ones come last and are in `quoted` as well. */
  paths: string[];
  /** Paths with `*` or `?` in them. */
  globs: string[];
  urls: string[];
  numbers: number[];
  /** The message with every quotation, path and URL taken out, so that a file's name chooses no tool. */
  plain: string;
}

const QUOTES =
  /"([^"\n]+)"|“([^”\n]+)”|„([^“”\n]+)[“”]|«([^»\n]+)»|「([^」\n]+)」|『([^』\n]+)』|`([^`\n]+)`|(?<![\p{L}\p{N}])['‘]([^'’\n]+)['’](?![\p{L}\p{N}])/gu;
const URLS = /\b(?:https?|ftp|file|data):[^\s"'<>）」]+/giu;
/** A drive, a home, or at least one separator or an extension of 1 to 8 letters or digits; globs count too. */
const PATHS =
  /(?<![\p{L}\p{N}])(?:[A-Za-z]:[\\/]|~[\\/]|\.{0,2}[\\/])?(?:[\p{L}\p{N}\p{M}_@*()[\]{}-][\p{L}\p{N}\p{M}_.@*()[\]{}+-]*[\\/])*[\p{L}\p{N}\p{M}_@*.-]*\.[A-Za-z][A-Za-z0-9]{0,7}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}:])(?:[A-Za-z]:[\\/]|~[\\/]|\.{1,2}[\\/]|[\\/])?(?:[\p{L}\p{N}\p{M}_.@*-]+[\\/])+[\p{L}\p{N}\p{M}_.@*-]*|(?<![\p{L}\p{N}])\/[\p{L}\p{N}_.-]+/gu;
/** In scripts without spaces a file's name ends where its letters do: `welcome.mdを読んで`. */
const LATIN_PATHS =
  /(?<![A-Za-z0-9_./\\-])[A-Za-z0-9_./\\~-]*[A-Za-z0-9_-]\.[A-Za-z][A-Za-z0-9]{0,7}(?=[^\p{ASCII}])/gu;
const NUMBERS = /(?<![\p{L}\p{N}_.])[-−+]?\d[\d_]*(?:[.,]\d+)?(?:e[+-]?\d+)?(?![\p{L}\p{N}_])/giu;

export function readMessage(message: string): Literals {
  const quoted: string[] = [];
  const paths: string[] = [];
  const urls: string[] = [];
  let plain = message;
  const take = (pattern: RegExp, into: string[], accept: (text: string) => boolean = () => true) => {
    plain = plain.replace(pattern, (match) => {
      const text = trimEnd(match);
      if (!accept(text)) return match;
      into.push(text);
      return ` ${match.slice(text.length)} `;
    });
  };
  plain = plain.replace(QUOTES, (_match: string, ...groups: unknown[]) => {
    quoted.push(groups.slice(0, 8).find((group) => typeof group === 'string') as string);
    return ' ';
  });
  take(URLS, urls);
  take(LATIN_PATHS, paths);
  // "3.5" and "e.g." are no files.
  take(PATHS, paths, (text) => !/^[\d.,]+$/.test(text) && !/^(?:e\.g|i\.e|a\.m|p\.m)\.?$/i.test(text));
  const numbers = [...plain.matchAll(NUMBERS)]
    .map(([text]) => Number(text.replaceAll('_', '').replace('−', '-').replace(',', '.')))
    .filter(Number.isFinite);
  const isGlob = (path: string) => /[*?]/.test(path);
  return {
    quoted,
    paths: [...paths.filter((path) => !isGlob(path)), ...quoted.filter(looksLikePath)],
    globs: paths.filter(isGlob),
    urls,
    numbers,
    plain,
  };
}

/** Has a separator or an extension, and no spaces around which a sentence could be. */
function looksLikePath(text: string): boolean {
  return (
    /^[^\n]{1,300}$/.test(text) &&
    (/^[^\s]*[\\/][^\s]*$/.test(text) || /^[^\\/\n]{1,120}\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(text))
  );
}

export const isMediaPath = (path: string): boolean => /\.(?:png|jpe?g|gif|webp|bmp|svg|mp3|wav|ogg|flac)$/i.test(path);

const trimEnd = (text: string): string => text.replace(/[.,;:!?)\]}]+$/, '') || text;
