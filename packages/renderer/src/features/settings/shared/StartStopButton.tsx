import type { LucideIcon } from 'lucide-react';
import { Square } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../../bridge/errors.ts';
import { toastError } from '../../../stores/toasts.ts';
import { Button, type ButtonProps } from '../../../ui/Button.tsx';

/** Starts something and, while it runs, stops it: one button, which keeps the focus. */
export function StartStopButton({
  running,
  onStart,
  onStop,
  icon,
  variant = 'secondary',
  disabled,
  children,
}: {
  running: boolean;
  onStart: () => void;
  /** Rejects when it could not be stopped: that is said, and it can be tried again. */
  onStop: () => Promise<unknown>;
  /** Of starting. */
  icon?: LucideIcon;
  /** Of starting. Default `secondary`. */
  variant?: ButtonProps['variant'];
  /** Whether it can't be started. */
  disabled?: boolean;
  /** What starting it is called. */
  children: string;
}) {
  const { t } = useTranslation('common');
  // A program takes a moment to end.
  const [stopping, setStopping] = useState(false);
  if (stopping && !running) setStopping(false);
  const press = ({ detail }: { detail: number }) => {
    // The second click of a double click doesn't stop what the first one began.
    if (detail > 1 || stopping) return;
    if (!running) return onStart();
    setStopping(true);
    onStop().catch((thrown) => {
      setStopping(false);
      toastError(toApiError(thrown));
    });
  };
  return running ? (
    <Button icon={stopping ? undefined : Square} aria-disabled={stopping || undefined} onClick={press}>
      {t(stopping ? 'stopping' : 'stop')}
    </Button>
  ) : (
    <Button icon={icon} variant={variant} disabled={disabled} onClick={press}>
      {children}
    </Button>
  );
}
