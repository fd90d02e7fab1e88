export const COMPOSER_ID = 'composer';

export const composerInput = (): HTMLTextAreaElement | null =>
  document.querySelector<HTMLTextAreaElement>(`textarea#${COMPOSER_ID}`);

/** Moves the focus to the composer once what was asked for is on the screen. */
export function focusComposer(): void {
  requestAnimationFrame(() => composerInput()?.focus());
}
