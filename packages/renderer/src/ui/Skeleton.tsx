import { cx } from './cx.ts';

/** Stands where something is about to appear. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={cx('breathe rounded-sm bg-surface-3', className)} />
);
