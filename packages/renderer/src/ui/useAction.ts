import { useCallback, useRef, useState } from 'react';
import { type ApiError, toApiError } from '../bridge/errors.ts';

export interface Action<Args extends unknown[]> {
  /** Runs it unless it runs already; answers whether it worked. */
  run: (...args: Args) => Promise<boolean>;
  busy: boolean;
  /** Of the last run. */
  error: ApiError | null;
  clearError: () => void;
}

/** An asynchronous action of a button or form, with its busy state and its error. */
export function useAction<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>): Action<Args> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const running = useRef(false);
  const latest = useRef(work);
  latest.current = work;

  const run = useCallback(async (...args: Args): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setError(null);
    try {
      await latest.current(...args);
      return true;
    } catch (thrown) {
      setError(toApiError(thrown));
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);

  const clearError = useCallback(() => setError(null), []);
  return { run, busy, error, clearError };
}
