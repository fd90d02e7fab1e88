/** Whether something lies over the view that takes Esc for itself. */
export const overlayOpen = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null;
