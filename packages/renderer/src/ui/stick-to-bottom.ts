/** Closer to the end than this counts as being there. In CSS pixels. */
const NEAR = 32;

export interface ScrollState {
  top: number;
  height: number;
  viewport: number;
}

/**
 * Whether the list goes on following new text after it was scrolled from `before` to `now`. Only the reader lets go: by
 * moving up while nothing got shorter; content that grows or shrinks moves nobody off the end.
 */
export function stillSticks(sticks: boolean, before: ScrollState, now: ScrollState): boolean {
  if (atEnd(now)) return true;
  const movedUp = now.top < before.top - 1;
  const shrank = now.height < before.height || now.viewport !== before.viewport;
  return movedUp && !shrank ? false : sticks;
}

export const atEnd = ({ top, height, viewport }: ScrollState): boolean => height - top - viewport <= NEAR;
