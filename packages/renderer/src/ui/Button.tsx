import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { Spinner } from './Spinner.tsx';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'type'> {
  /** `primary` once per view; `danger` for what can't be taken back. Default `secondary`. */
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger';
  /** 36 px or 28 px high. Default `md`. */
  size?: 'md' | 'sm';
  icon?: LucideIcon;
  /** Shows that the press is being worked on and takes no second one. */
  busy?: boolean;
  type?: 'button' | 'submit';
}

const looks = {
  primary: 'border-transparent bg-accent text-on-accent enabled:hover:bg-accent-hover',
  secondary: 'bg-surface-2 text-text border-border enabled:hover:bg-surface-3',
  ghost: 'border-transparent text-text enabled:hover:bg-surface-3',
  danger: 'bg-surface-2 text-danger border-border enabled:hover:bg-danger-soft',
};

/** A button with a text. For one with an icon only there is IconButton. */
export function Button({
  variant = 'secondary',
  size = 'md',
  icon: Icon,
  busy,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cx(
        'inline-flex shrink-0 items-center justify-center gap-2 rounded-sm border font-medium text-sm whitespace-nowrap select-none',
        'transition-[background-color,transform] enabled:active:translate-y-px disabled:opacity-55',
        size === 'md' ? 'h-9 px-3.5' : 'h-7 px-2.5',
        looks[variant],
        className,
      )}
    >
      {busy ? <Spinner size={16} /> : Icon && <Icon size={16} aria-hidden />}
      {children}
    </button>
  );
}
