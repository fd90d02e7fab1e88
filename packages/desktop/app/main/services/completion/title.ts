const MAX_LENGTH = 60;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * A title made from a conversation's first message: its first line with words on it, without Markdown's leading marks, cut at
 * the end of a word to at most 60 UTF-16 units with an ellipsis. Never cuts through a character, an emoji included. Empty when
 * there is nothing to make it from.
 */
export function titleFrom(text: string): string {
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    const title = line
      // Control characters, and those that turn the direction of the text around them.
      .replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .replace(/^(?:#{1,6} |>+ ?|[-*+] |`{3,}.*)+/, '')
      .trim();
    if (/[\p{L}\p{N}\p{S}\p{Emoji}]/u.test(title)) return shorten(title);
  }
  return '';
}

function shorten(title: string): string {
  if (title.length <= MAX_LENGTH) return title;
  let cut = '';
  // No more than the limit has to be looked at, and a little, to see where the last character ends.
  for (const { segment } of graphemes.segment(title.slice(0, MAX_LENGTH * 2))) {
    if (cut.length + segment.length > MAX_LENGTH - 1) break;
    cut += segment;
  }
  const wordEnd = /\s/.test(title[cut.length] ?? '') ? cut.length : cut.lastIndexOf(' ');
  // Scripts without spaces, and very long words, are cut where they are.
  const atWord = wordEnd >= MAX_LENGTH / 2 ? cut.slice(0, wordEnd) : cut;
  return `${atWord.replace(/[\s,;:.–—-]+$/u, '')}…`;
}
