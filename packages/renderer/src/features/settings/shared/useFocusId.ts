import { useEffect } from 'react';

/**
 * Puts the focus on the control with this `data-focus-id`, such as the row that one has come back to: when it appears, and
 * whenever `cause` changes.
 */
export function useFocusId(id: string | undefined, cause?: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same control may be wanted again for another cause
  useEffect(() => {
    if (id === undefined) return;
    document.querySelector<HTMLElement>(`[data-focus-id="${CSS.escape(id)}"]`)?.focus();
  }, [id, cause]);
}
