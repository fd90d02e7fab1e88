/**
 * Arguments as a person edits them: one per line, without any quoting of a shell. Only what a line can't show as it is (an
 * empty argument, a line break, space at either end) is written as a JSON string.
 */
export const linesToArgs = (lines: string): string[] => filledLines(lines).map(readLine);

export const argsToLines = (args: readonly string[]): string => args.map(writeLine).join('\n');

const filledLines = (lines: string): string[] =>
  lines
    .split(/\r\n|\n|\r/)
    .map(trimSpace)
    .filter((line) => line !== '');

/** Spaces and tabs only: anything rarer at an end of a line is part of the argument, and is shown. */
const trimSpace = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, '');

function readLine(line: string): string {
  if (line.length < 2 || !line.startsWith('"') || !line.endsWith('"')) return line;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? value : line;
  } catch {
    return line;
  }
}

function writeLine(arg: string): string {
  const survives = arg !== '' && !/[\r\n]/.test(arg) && trimSpace(arg) === arg && readLine(arg) === arg;
  return survives ? arg : JSON.stringify(arg);
}

/**
 * Splits a command line as a shell would: at spaces, with '…' and "…" keeping what is inside together. A backslash escapes
 * a quote, a backslash or a space, and is kept everywhere else, so that Windows paths survive. Null for an open quote.
 */
export function splitCommandLine(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (quote !== null) {
      if (char === quote) quote = null;
      else if (char === '\\' && quote === '"' && (next === '"' || next === '\\')) {
        word = (word ?? '') + next;
        at += 1;
      } else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (char === '\\' && /["'\\ ]/.test(next)) {
      word = (word ?? '') + next;
      at += 1;
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + char;
  }
  if (quote !== null) return null;
  return word === null ? words : [...words, word];
}

/** What a command field that holds a whole command line splits into; null where it is a command already. */
export function splitCommand(command: string): { command: string; args: string[] } | null {
  const text = command.trim();
  const words = splitCommandLine(text);
  const [first, ...args] = words ?? [];
  // A path may contain spaces: `C:\Program Files\node.exe`, `/opt/My App/server`.
  if (!first || args.length === 0 || (/[\\/]/.test(first) && !/^["']/.test(text))) return null;
  return { command: first, args };
}

/** What an arguments field that holds them all on one line splits into; null where there is nothing to split. */
export function splitArguments(lines: string): string[] | null {
  const [only, ...others] = filledLines(lines);
  if (only === undefined || others.length > 0) return null;
  const words = splitCommandLine(only);
  return words && words.length > 1 ? words : null;
}
