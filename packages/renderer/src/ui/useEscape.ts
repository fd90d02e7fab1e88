import { useEffect, useRef, useState } from 'react';
import { overlayOpen } from './overlay.ts';

interface Taker {
  order: number;
  take: () => boolean;
}

/** Who takes Esc, the innermost last. */
const takers: Taker[] = [];
let rendered = 0;

function onKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || overlayOpen()) return;
  if (takers.findLast(({ take }) => take())) event.preventDefault();
}

/**
 * Runs `take` on Esc, unless a control took the key for itself or something lies over the view. What is further in, or came up
 * later, is asked first; `take` answers whether it had something to do, so that the next one isn't asked.
 */
export function useEscape(take: () => boolean): void {
  const latest = useRef(take);
  latest.current = take;
  // Parents render before their children, although their effects run after those.
  const [order] = useState(() => rendered++);
  useEffect(() => {
    const taker: Taker = { order, take: () => latest.current() };
    if (takers.length === 0) document.addEventListener('keydown', onKey);
    takers.push(taker);
    takers.sort((a, b) => a.order - b.order);
    return () => {
      takers.splice(takers.indexOf(taker), 1);
      if (takers.length === 0) document.removeEventListener('keydown', onKey);
    };
  }, [order]);
}
