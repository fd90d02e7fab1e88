import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

/** A raised area that holds one thing. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cx('rounded-lg border border-border bg-surface-2', className)} />;
}
