import { useEffect, useState } from 'react';
import { formatDuration } from './duration.ts';

interface Props {
  /** Milliseconds since the epoch. */
  startedAt?: number;
  endedAt?: number;
  running: boolean;
}

/** How long something took, or is taking so far. */
export function Elapsed({ startedAt, endedAt, running }: Props) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  if (startedAt === undefined || (!running && endedAt === undefined)) return null;
  const ms = (endedAt ?? now) - startedAt;
  // Under a second a running clock would only flicker.
  if (running && ms < 1000) return null;
  return <span className="tabular">{formatDuration(running ? Math.floor(ms / 1000) * 1000 : ms)}</span>;
}
