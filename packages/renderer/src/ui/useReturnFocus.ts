import { useRef } from 'react';

/**
 * Gives the focus back to where it was before a dialog opened. Radix does so only for a dialog that has a trigger of its own.
 * Spread the handlers on the dialog's content.
 */
export function useReturnFocus(): {
  onOpenAutoFocus: (event: Event) => void;
  onCloseAutoFocus: (event: Event) => void;
} {
  const before = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = ownerOf(document.activeElement);
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      // Whoever closed it may have moved the focus already.
      if (document.activeElement === document.body) before.current?.focus();
    },
  };
}

/** An item of a menu goes away with its menu; the button that opened it stays. */
function ownerOf(element: Element | null): HTMLElement | null {
  const trigger = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const owner = trigger ? document.getElementById(trigger) : element;
  return owner instanceof HTMLElement ? owner : null;
}
