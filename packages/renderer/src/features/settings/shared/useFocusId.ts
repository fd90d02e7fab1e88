import { useEffect } from 'react';

/**
 * Puts the focus on the control with this `data-focus-id`, such as the row that one has come back to: when it appears, and
 * whenever `cause` changes.
 */
export function useFocusId(id: string | undefined, cause?: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same control may be wanted again for another cause
  useEffect(() => {
    if (id === undefined) return;
    let frame = 0;
    const focus = (triesLeft: number) => {
      const control = document.querySelector<HTMLElement>(`[data-focus-id="${CSS.escape(id)}"]`);
      if (control) control.focus();
      // What was just added comes into the list with an event of its own.
      else if (triesLeft > 0) frame = requestAnimationFrame(() => focus(triesLeft - 1));
    };
    focus(60);
    return () => cancelAnimationFrame(frame);
  }, [id, cause]);
}
