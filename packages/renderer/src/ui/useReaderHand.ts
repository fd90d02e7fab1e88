import { type RefObject, useLayoutEffect, useRef } from 'react';

const SCROLL_KEYS = ['ArrowUp', 'PageUp', 'Home', 'Tab', ' '];

/** Tells whether the reader is scrolling a box: with the wheel, a finger, its bar or keys. True until that scrolling has ended. */
export function useReaderHand(scroller: RefObject<HTMLElement | null>): RefObject<boolean> {
  const hand = useRef(false);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const listeners = new AbortController();
    const on = <Name extends keyof HTMLElementEventMap>(name: Name, act: (event: HTMLElementEventMap[Name]) => void) =>
      element.addEventListener(name, act, { passive: true, signal: listeners.signal });
    const take = () => {
      hand.current = true;
    };
    const release = () => {
      hand.current = false;
    };
    on('wheel', ({ deltaY }) => deltaY < 0 && take());
    on('touchmove', take);
    on('keydown', ({ key }) => SCROLL_KEYS.includes(key) && take());
    // On the bar, or to select text beyond the edge.
    on('pointerdown', take);
    on('scrollend', release);
    // Wherever it ends, also when nothing was scrolled by it.
    for (const name of ['pointerup', 'pointercancel', 'keyup'] as const)
      window.addEventListener(name, release, { signal: listeners.signal });
    return () => listeners.abort();
  }, [scroller]);
  return hand;
}
