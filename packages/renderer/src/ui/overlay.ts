/** Whether something lies over the view that takes Esc for itself. */
export const overlayOpen = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null;

/** A search field with something in it takes Esc to empty itself, as the browser does. */
export const isFilledSearch = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';
