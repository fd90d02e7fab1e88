import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

const look =
  'w-full min-w-0 rounded-lg border border-border-strong bg-surface-2 px-3 text-sm text-text outline-offset-0 transition-colors disabled:opacity-55 aria-invalid:border-danger';

/** A line of text. `mono` for commands, paths, keys and addresses. */
export function Input({ mono, className, ...rest }: ComponentProps<'input'> & { mono?: boolean }) {
  return (
    <input
      autoComplete="off"
      spellCheck={mono ? false : undefined}
      {...rest}
      className={cx(look, 'h-9', mono && 'font-mono', className)}
    />
  );
}

/** Several lines of text. */
export function Textarea({ mono, className, ...rest }: ComponentProps<'textarea'> & { mono?: boolean }) {
  return (
    <textarea
      autoComplete="off"
      spellCheck={mono ? false : undefined}
      {...rest}
      className={cx(look, 'resize-y py-2', mono && 'font-mono', className)}
    />
  );
}
