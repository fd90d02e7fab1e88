import { useState } from 'react';

/** The first `step` items of a long list, and a way to more. Starts over when `resetKey` changes. */
export function usePaged<Item>(items: readonly Item[], step: number, resetKey = '') {
  const [state, setState] = useState({ shown: step, resetKey });
  const shown = state.resetKey === resetKey ? state.shown : step;
  const rest = Math.max(0, items.length - shown);
  return {
    shown: items.slice(0, shown),
    /** How many are not shown. */
    rest,
    more: () => setState({ shown: shown + step, resetKey }),
  };
}
