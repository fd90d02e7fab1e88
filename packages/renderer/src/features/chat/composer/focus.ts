export const COMPOSER_ID = 'composer';

export const composerInput = (): HTMLTextAreaElement | null =>
  document.querySelector<HTMLTextAreaElement>(`textarea#${COMPOSER_ID}`);

let asked = 0;

/** Moves the focus to the composer once what was asked for is on the screen. */
export function focusComposer(): void {
  dropFocus();
  asked = requestAnimationFrame(() => composerInput()?.focus());
}

/** Takes that back: what opens now wants the focus, and would be closed by its going elsewhere. */
export function dropFocus(): void {
  cancelAnimationFrame(asked);
}
