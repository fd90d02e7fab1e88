import { ImportProblem } from './problem.ts';

export type Quoting = 'posix' | 'windows';

const operatorProblem = (found: string) =>
  new ImportProblem(
    `It contains “${found}”, which only a shell understands. Paste one command alone, or put the text into quotes.`,
  );
const openQuote = () => new ImportProblem('A quotation mark is opened and never closed.');

/** Which rules a command line follows: those of Windows where it shows a path, a program or a variable of Windows. */
export const quotingOf = (text: string): Quoting =>
  /(^|[\s"'=])[A-Za-z]:\\|\.(exe|cmd|bat|ps1)(["'\s]|$)|%[A-Za-z_]\w*%/i.test(text) ? 'windows' : 'posix';

/**
 * Splits one command line into its words. A variable that the shell would expand becomes `${env:NAME}`. What a shell would do
 * beyond starting one program (`;`, `|`, `&&`, redirections, command substitution) is refused with an {@link ImportProblem},
 * as is an open quote.
 */
export const splitCommandLine = (line: string, quoting: Quoting): string[] =>
  quoting === 'posix' ? splitPosix(line) : splitWindows(line);

/** `$NAME`, `${NAME}` and PowerShell's `$env:NAME`; `%NAME%`. */
const VARIABLES: Record<Quoting, RegExp> = {
  posix: /\$(?:env:)?(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/y,
  windows: /%([A-Za-z_]\w*)%/y,
};

/** What stands at `at` for the command line's reader: a variable as it is written here, or the character itself. */
function readAt(line: string, at: number, quoting: Quoting): { text: string; length: number } {
  const pattern = VARIABLES[quoting];
  pattern.lastIndex = at;
  const found = pattern.exec(line);
  if (!found) return { text: line.charAt(at), length: 1 };
  return { text: `\${env:${found[1] ?? found[2]}}`, length: found[0].length };
}

function splitPosix(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  const add = (text: string) => {
    word = (word ?? '') + text;
  };
  const take = (from: number) => {
    const { text, length } = readAt(line, from, 'posix');
    add(text);
    at = from + length;
  };
  while (at < line.length) {
    const char = line.charAt(at);
    const next = line.charAt(at + 1);
    at += 1;
    if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === '\\') {
      if (next !== '') add(next);
      at += 1;
    } else if (char === "'") {
      const end = line.indexOf("'", at);
      if (end < 0) throw openQuote();
      add(line.slice(at, end));
      at = end + 1;
    } else if (char === '"') {
      add('');
      for (;;) {
        const inner = line.charAt(at);
        if (inner === '') throw openQuote();
        at += 1;
        if (inner === '"') break;
        if (inner === '`' || (inner === '$' && line.charAt(at) === '(')) throw operatorProblem(inner);
        if (inner === '\\' && /["\\$`]/.test(line.charAt(at))) {
          add(line.charAt(at));
          at += 1;
        } else take(at - 1);
      }
    } else if (/[;|&<>`()]/.test(char) || (char === '$' && next === '(')) throw operatorProblem(char);
    else if (char === '#' && word === undefined) break;
    else take(at - 1);
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** As programs on Windows read their command line; text in '…' stays together as well, as PowerShell has it. */
function splitWindows(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quoted = false;
  let at = 0;
  const take = (from: number) => {
    const { text, length } = readAt(line, from, 'windows');
    word = (word ?? '') + text;
    at = from + length;
  };
  while (at < line.length) {
    const char = line.charAt(at);
    if (char === '\\') {
      const [slashes] = /^\\+/.exec(line.slice(at)) ?? [''];
      at += slashes.length;
      // Backslashes are text, unless they stand before a quotation mark.
      if (line.charAt(at) !== '"') word = (word ?? '') + slashes;
      else {
        word = (word ?? '') + '\\'.repeat(Math.floor(slashes.length / 2));
        if (slashes.length % 2 === 1) {
          word += '"';
          at += 1;
        }
      }
      continue;
    }
    at += 1;
    if (char === '"') {
      word ??= '';
      if (quoted && line.charAt(at) === '"') {
        word += '"';
        at += 1;
      } else quoted = !quoted;
    } else if (quoted) take(at - 1);
    else if (char === "'" && word === undefined) {
      const end = line.indexOf("'", at);
      if (end < 0) throw openQuote();
      word = line.slice(at, end);
      at = end + 1;
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (/[|&<>]/.test(char)) throw operatorProblem(char);
    else take(at - 1);
  }
  if (quoted) throw openQuote();
  if (word !== undefined) words.push(word);
  return words;
}

/** What stands before and after the first `separator`; nothing after where there is none. */
export function splitAt(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
