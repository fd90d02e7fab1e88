import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement } from 'react';

/** Shows `text` beside its child after half a second of hovering, or at once on keyboard focus. */
export function Tooltip({
  text,
  side = 'top',
  children,
}: {
  text: string;
  side?: 'top' | 'bottom' | 'left' | 'right';
  children: ReactElement;
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="appear z-50 max-w-72 rounded-sm bg-text px-2 py-1 text-surface-1 text-xs"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const TooltipProvider = Radix.Provider;
