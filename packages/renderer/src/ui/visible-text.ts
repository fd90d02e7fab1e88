/** A piece of text: as it is, or a character that can't be seen, by its name. */
export type TextPiece = { text: string } | { hidden: string };

/**
 * What shows nothing, or changes how other text is shown: control and format characters (bidi overrides, zero-width spaces,
 * tags), private and unassigned ones, lone surrogates, fillers, line and paragraph separators. Line break and tab are shown
 * by what they do.
 */
const HIDDEN = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const HIDDEN_ALL = new RegExp(HIDDEN.source, 'gu');

/** Joiners and selectors within an emoji sequence belong to it. */
const EMOJI =
  /\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}]?\uFE0F?(?:\u200D\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}]?\uFE0F?)*/gu;

/** Splits text so that each character that hides something can be marked. Windows line ends count as line breaks. */
export function visiblePieces(text: string): TextPiece[] {
  const normal = text.replaceAll('\r\n', '\n');
  if (!HIDDEN.test(normal)) return [{ text: normal }];
  const emoji = new Set<number>();
  for (const match of normal.matchAll(EMOJI)) {
    for (let at = match.index; at < match.index + match[0].length; at += 1) emoji.add(at);
  }
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of normal.matchAll(HIDDEN_ALL)) {
    if (emoji.has(match.index)) continue;
    if (match.index > from) pieces.push({ text: normal.slice(from, match.index) });
    pieces.push({ hidden: `U+${match[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` });
    from = match.index + match[0].length;
  }
  if (from < normal.length) pieces.push({ text: normal.slice(from) });
  return pieces;
}

/** The same as one text, for places that take nothing else: a name must not be able to turn the words after it around. */
export const visibleString = (text: string): string =>
  visiblePieces(text)
    .map((piece) => ('text' in piece ? piece.text : `[${piece.hidden}]`))
    .join('');
