import { cx } from './cx.ts';

/** How far something is, 0 to 1; null while that is unknown. */
export function ProgressBar({ value, label }: { value: number | null; label: string }) {
  const percent = value === null ? null : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className="h-1 w-full overflow-hidden rounded-full bg-surface-3"
    >
      <div
        className={cx('h-full rounded-full bg-accent transition-[width]', percent === null && 'breathe w-full')}
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}
