import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { Tooltip } from './Tooltip.tsx';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'children' | 'aria-label'> {
  icon: LucideIcon;
  /** What it does: tooltip and name for screen readers. */
  label: string;
  /** 16 or 20 px. Default 16. */
  iconSize?: 16 | 20;
  tooltipSide?: 'top' | 'bottom' | 'left' | 'right';
}

/** A button that shows only an icon: 32 px, with its label as tooltip. */
export function IconButton({
  icon: Icon,
  label,
  iconSize = 16,
  tooltipSide = 'top',
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} side={tooltipSide}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={cx(
          'inline-flex size-8 shrink-0 items-center justify-center rounded-sm text-muted transition-colors',
          'enabled:hover:bg-surface-3 enabled:hover:text-text enabled:active:translate-y-px disabled:opacity-50',
          className,
        )}
      >
        <Icon size={iconSize} aria-hidden />
      </button>
    </Tooltip>
  );
}
