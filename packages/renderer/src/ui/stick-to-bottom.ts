/** Closer to the end than this counts as being there. In CSS pixels. */
const NEAR = 32;

export interface ScrollState {
  top: number;
  height: number;
  viewport: number;
}

/**
 * Whether the list goes on following new text after it was scrolled from `before` to `now`. Only the reader lets go: by
 * moving up. Content that gets shorter moves the list too, and may be longer again before anybody is told, so where the
 * height has changed it takes the reader's hand as well ({@link useReaderHand}).
 */
export function stillSticks(sticks: boolean, before: ScrollState, now: ScrollState, isReaders: boolean): boolean {
  if (atEnd(now)) return true;
  const movedUp = now.top < before.top - 1;
  const shrank = now.height < before.height || now.viewport !== before.viewport;
  const grew = now.height > before.height;
  return movedUp && !shrank && (isReaders || !grew) ? false : sticks;
}

export const atEnd = ({ top, height, viewport }: ScrollState): boolean => height - top - viewport <= NEAR;
