import { refuseMissing } from './not-emulated.mjs';

let text = '';

/** Electron's `clipboard`, for text and within this process only. */
export const clipboard = refuseMissing('clipboard', {
  readText: async () => text,
  /** @param {string} value */
  async writeText(value) {
    text = String(value);
  },
  clear() {
    text = '';
  },
});
