export const COMPOSER_ID = 'composer';

/** Moves the focus to the composer once what was asked for is on the screen. */
export function focusComposer(): void {
  requestAnimationFrame(() => document.getElementById(COMPOSER_ID)?.focus());
}
