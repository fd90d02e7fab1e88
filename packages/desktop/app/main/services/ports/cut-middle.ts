/** Share of a cut text that is its beginning; ends often hold the outcome. */
const HEAD = 0.7;

/**
 * Beginning and end of a text of more than `room` characters, with a note between them that says how much is missing (it
 * comes on top of `room`); never half of a character.
 */
export function cutMiddle(text: string, room: number): string {
  if (text.length <= room) return text;
  let head = Math.floor(room * HEAD);
  let tail = text.length - (room - head);
  if (isHighSurrogate(text, head - 1)) head--;
  if (isHighSurrogate(text, tail - 1)) tail++;
  return `${text.slice(0, head)}\n[… ${tail - head} characters left out …]\n${text.slice(tail)}`;
}

const isHighSurrogate = (text: string, index: number): boolean => text.charCodeAt(index) >> 10 === 0x36;
