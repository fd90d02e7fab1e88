const SAFE = '[data-testid="approval"] button[data-safe]:not(:disabled)';

/** Whether an approval that appears may take the focus from `active`: not from someone who types, nor from another one. */
export function mayTakeFocus(active: Element | null): boolean {
  if (!active) return true;
  if (
    active.closest(
      '[data-testid="approval"], [data-testid="server-request"], [role="dialog"], [role="alertdialog"], [role="menu"]',
    )
  )
    return false;
  const typing = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement;
  return !(typing && active.value !== '');
}

/** The safe answer of the next approval on the screen after `current`, else of the first one. */
export function nextApproval(current: Element | null): HTMLButtonElement | null {
  const others = [...document.querySelectorAll<HTMLButtonElement>(SAFE)].filter((button) => !current?.contains(button));
  const after = others.find(
    (button) => current && current.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  return after ?? others[0] ?? null;
}

/** How many frames a new row of the list may take until it has been measured and shown. */
const MAX_FRAMES = 30;

/**
 * Focuses a button of an approval, or of a server's request, and brings the whole of it into view. The list keeps a new row hidden until it has been
 * measured, and what is hidden takes no focus: so it is tried again each frame. Returns the function that gives up.
 */
export function focusWhenShown(button: HTMLButtonElement): () => void {
  let frame = 0;
  let tries = 0;
  const attempt = () => {
    if (!mayTakeFocus(document.activeElement)) return;
    button.focus({ preventScroll: true });
    if (document.activeElement === button) {
      // After the list has moved to its end for the new row.
      frame = requestAnimationFrame(() => {
        button
          .closest('[data-testid="approval"], [data-testid="server-request"]')
          ?.scrollIntoView?.({ block: 'nearest' });
      });
    } else if (tries < MAX_FRAMES) {
      tries += 1;
      frame = requestAnimationFrame(attempt);
    }
  };
  attempt();
  return () => cancelAnimationFrame(frame);
}
