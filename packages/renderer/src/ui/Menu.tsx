import type { LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactElement } from 'react';
import { cx } from './cx.ts';

export interface MenuItem {
  label: string;
  icon?: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
}

/** A menu under its trigger, with arrow keys and type-ahead. */
export function Menu({
  trigger,
  items,
  keepFocus,
  open,
  onOpenChange,
}: {
  trigger: ReactElement;
  items: readonly MenuItem[];
  /** Leaves the focus where a chosen item put it, in place of giving it back to the trigger. */
  keepFocus?: boolean;
  /** To open it by other means than its trigger. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}) {
  return (
    <DropdownMenu.Root open={open} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => keepFocus && event.preventDefault()}
          className="appear z-50 max-w-[min(32rem,calc(100vw-16px))] min-w-44 rounded-lg border border-border bg-surface-2 p-1 shadow-float"
        >
          {items.map(({ label, icon: Icon, danger, disabled, onSelect }) => (
            <DropdownMenu.Item
              key={label}
              disabled={disabled}
              onSelect={onSelect}
              className={cx(
                'flex h-8 items-center gap-2.5 rounded-sm px-2 text-sm outline-none select-none data-[disabled]:opacity-55',
                danger ? 'text-danger data-[highlighted]:bg-danger-soft' : 'data-[highlighted]:bg-surface-3',
              )}
            >
              {Icon && <Icon size={16} aria-hidden className={danger ? undefined : 'text-muted'} />}
              <span className="truncate" title={label}>
                {label}
              </span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
