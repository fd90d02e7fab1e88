import type { LucideIcon } from 'lucide-react';
import { Square } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
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
  onStop: () => void;
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
    onStop();
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
