import { LoaderCircle } from 'lucide-react';
import { cx } from './cx.ts';

/** Something is being worked on. Decorative: say in words beside it what it is. */
export function Spinner({ size = 16, className }: { size?: number; className?: string }) {
  return <LoaderCircle size={size} aria-hidden className={cx('shrink-0 animate-spin', className)} />;
}
