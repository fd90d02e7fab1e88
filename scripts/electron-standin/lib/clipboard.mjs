import { refuseMissing } from './not-emulated.mjs';

let text = '';

/** Electron's `clipboard`, for text and within this process only. */
export const clipboard = refuseMissing('clipboard', {
  readText: () => text,
  /** @param {string} value */
  writeText(value) {
    text = String(value);
  },
  clear() {
    text = '';
  },
});
