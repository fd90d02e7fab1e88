const SAFE = '[data-testid="approval"] button[data-safe]:not(:disabled)';

/** Whether an approval that appears may take the focus from `active`: not from someone who types, nor from another one. */
export function mayTakeFocus(active: Element | null): boolean {
  if (!active) return true;
  if (active.closest('[data-testid="approval"], [role="dialog"], [role="alertdialog"], [role="menu"]')) return false;
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
