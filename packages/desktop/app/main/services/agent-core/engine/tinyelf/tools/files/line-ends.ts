export type LineEnd = '\n' | '\r\n';

/** The line end that most lines of a text have; undefined when it has none. */
export function lineEndOf(text: string): LineEnd | undefined {
  let all = 0;
  let crlf = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    all++;
    if (text[at - 1] === '\r') crlf++;
  }
  if (all === 0) return undefined;
  return crlf * 2 > all ? '\r\n' : '\n';
}

/** `\r\n` as `\n`; a `\r` alone stays. */
export const toLf = (text: string): string => text.replaceAll('\r\n', '\n');

export const withLineEnd = (text: string, lineEnd: LineEnd): string =>
  lineEnd === '\n' ? toLf(text) : toLf(text).replaceAll('\n', '\r\n');

/** Lines without their ends; what follows a final line end is no line. */
export function linesOf(text: string): string[] {
  const lines = toLf(text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
