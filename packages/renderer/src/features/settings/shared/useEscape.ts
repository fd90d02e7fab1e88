import { useEffect, useRef } from 'react';
import { isFilledSearch, overlayOpen } from '../../../ui/overlay.ts';

/** Runs `leave` on Esc, before the settings themselves take it, unless something lies over the view. */
export function useEscape(leave: () => void): void {
  const latest = useRef(leave);
  latest.current = leave;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || overlayOpen()) return;
      if (isFilledSearch(event.target)) return;
      event.preventDefault();
      latest.current();
    };
    // Capturing: an open menu closes at the same key, and is looked for before it has gone.
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, []);
}
