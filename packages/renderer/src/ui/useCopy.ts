import { useEffect, useRef, useState } from 'react';
import { api } from '../bridge/api.ts';
import { toApiError, unwrap } from '../bridge/errors.ts';
import { toastError } from '../stores/toasts.ts';

/** Copies text to the clipboard; `copied` is true for two seconds after it worked. */
export function useCopy(): { copied: boolean; copy: (text: string) => void } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = (text: string) => {
    unwrap(api().app.copyText({ text })).then(
      () => {
        setCopied(true);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setCopied(false), 2000);
      },
      (thrown: unknown) => toastError(toApiError(thrown)),
    );
  };
  return { copied, copy };
}
