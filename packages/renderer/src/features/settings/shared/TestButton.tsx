import { Square } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';

/** Starts a test and, while one runs, stops it: one button, which keeps the focus. */
export function TestButton({
  busy,
  onTest,
  onStop,
  children,
}: {
  busy: boolean;
  onTest: () => void;
  onStop: () => void;
  /** What it is called while no test runs. */
  children: string;
}) {
  const { t } = useTranslation('common');
  // A program takes a moment to end.
  const [stopping, setStopping] = useState(false);
  if (stopping && !busy) setStopping(false);
  const press = ({ detail }: { detail: number }) => {
    // The second click of a double click doesn't stop what the first one began.
    if (detail > 1 || stopping) return;
    if (!busy) return onTest();
    setStopping(true);
    onStop();
  };
  return (
    <Button icon={busy && !stopping ? Square : undefined} aria-disabled={stopping || undefined} onClick={press}>
      {busy ? t(stopping ? 'stopping' : 'stop') : children}
    </Button>
  );
}
