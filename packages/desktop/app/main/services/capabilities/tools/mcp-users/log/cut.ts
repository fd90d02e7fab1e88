/** The beginning of a text, as a text of its own: a plain `slice` would keep the whole text in memory as long as it lives. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
