import { AppError } from '../../../../../ports/errors.ts';
import { lineEndOf, toLf, withLineEnd } from './line-ends.ts';

/** More would keep the app busy for seconds. */
const MAX_REPLACEMENTS = 100_000;

export interface Replacement {
  text: string;
  /** How often the old text was replaced. */
  count: number;
  /** Numbers of the lines on which it begins, from 1; after a single one, also of a second place that overlaps it. */
  lines: number[];
}

/**
 * Puts `replacement` in the place of every `old` (which isn't empty). Line ends don't matter for finding, and what is put in
 * gets those of what it replaces, or of the rest of the text; everything else stays as it was, byte for byte. Throws AppError
 * `too-many-places` for more than 100,000 of them.
 */
export function replaceText(content: string, old: string, replacement: string): Replacement {
  const plain = toLf(content);
  const wanted = toLf(old);
  const carriageReturns = plain.length === content.length ? [] : positionsOfCrlf(content);
  const fileEnd = lineEndOf(content);

  let text = '';
  let copied = 0;
  let line = 1;
  let counted = 0;
  let count = 0;
  const lines: number[] = [];
  const noteLine = (at: number) => {
    for (; counted < at; counted++) if (plain[counted] === '\n') line++;
    lines.push(line);
  };
  for (let at = plain.indexOf(wanted); at !== -1; at = plain.indexOf(wanted, at + wanted.length)) {
    noteLine(at);
    if (++count > MAX_REPLACEMENTS) {
      throw new AppError('too-many-places', `old_text is there more than ${MAX_REPLACEMENTS} times.`, {
        hint: 'Give more of what is around it, or use Bash.',
      });
    }
    const from = at + countBelow(carriageReturns, at);
    const end = at + wanted.length;
    const to = end + countBelow(carriageReturns, end);
    const lineEnd = lineEndOf(content.slice(from, to)) ?? fileEnd;
    text += content.slice(copied, from) + (lineEnd ? withLineEnd(replacement, lineEnd) : replacement);
    copied = to;
  }
  if (count === 1) {
    const second = plain.indexOf(wanted, plain.indexOf(wanted) + 1);
    if (second !== -1) noteLine(second);
  }
  return { text: text + content.slice(copied), count, lines };
}

/** Where the line ends of `\r\n` are once they are `\n`, ascending. */
function positionsOfCrlf(content: string): number[] {
  const positions: number[] = [];
  for (let at = content.indexOf('\r\n'); at !== -1; at = content.indexOf('\r\n', at + 2)) {
    positions.push(at - positions.length);
  }
  return positions;
}

/** How many of the ascending numbers are below a limit. */
function countBelow(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
