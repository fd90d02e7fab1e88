import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** After an update of a growing text, the window is free for this many times what the update took. */
const FREE = 2;

/**
 * A growing text, at a pace that the window can follow: each update waits until the last one is on the screen, and leaves
 * room for typing and scrolling besides. On a slow machine text comes in larger pieces, not later. (A deferred value would
 * not do: every new delta makes React begin its rendering again, so that on a slow machine nothing comes until the end.)
 */
export function usePaced(text: string, growing: boolean): string {
  const [shown, setShown] = useState(text);
  const latest = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const began = useRef<number>(undefined);
  const freeFrom = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the time at which this text has been built is what is wanted
  useLayoutEffect(() => {
    if (began.current === undefined) return;
    const now = performance.now();
    freeFrom.current = now + (now - began.current) * FREE;
    began.current = undefined;
  }, [shown]);

  useEffect(() => {
    latest.current = text;
    if (!growing || text === shown || timer.current !== undefined) return;
    timer.current = setTimeout(
      () => {
        timer.current = undefined;
        began.current = performance.now();
        setShown(latest.current);
      },
      Math.max(0, freeFrom.current - performance.now()),
    );
  }, [text, shown, growing]);

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );

  return growing ? shown : text;
}
