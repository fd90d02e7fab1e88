/** A pause longer than this begins a new word of type-ahead. In milliseconds. */
const TYPE_AHEAD_PAUSE = 800;

let typed = '';
let typedAt = 0;

/**
 * Which item of a list a key moves to: arrows, Home, End, or the first one after `current` whose title begins with what was
 * typed. Null for keys that move nothing.
 */
export function targetOfKey(event: KeyLike, titles: readonly string[], current: number, now: number): number | null {
  if (event.ctrlKey || event.metaKey || event.altKey || titles.length === 0) return null;
  switch (event.key) {
    case 'ArrowDown':
      return Math.min(current + 1, titles.length - 1);
    case 'ArrowUp':
      return Math.max(current - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return titles.length - 1;
  }
  // A leading space presses the button that has the focus.
  if ([...event.key].length !== 1 || (event.key === ' ' && now - typedAt > TYPE_AHEAD_PAUSE)) return null;
  typed = now - typedAt > TYPE_AHEAD_PAUSE ? event.key : typed + event.key;
  typedAt = now;
  const wanted = typed.toLocaleLowerCase();
  // The first letter moves on from the current item; further letters may stay on it.
  const from = typed.length === 1 ? current + 1 : current;
  for (let step = 0; step < titles.length; step += 1) {
    const index = (from + step) % titles.length;
    if (titles[index]?.toLocaleLowerCase().startsWith(wanted)) return index;
  }
  return null;
}

type KeyLike = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;
