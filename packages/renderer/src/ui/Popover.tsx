import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

/** A floating panel at its trigger. Esc and a click beside it close it. */
export function Popover({
  open,
  onOpenChange,
  trigger,
  label,
  align = 'end',
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  trigger: ReactElement;
  /** Name of the panel for screen readers. */
  label: string;
  /** Which of its sides is in line with the trigger's. */
  align?: 'start' | 'end';
  children: ReactNode;
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="appear z-50 w-84 max-w-[calc(100vw-16px)] overflow-hidden rounded-lg border border-border bg-surface-2 shadow-float outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
