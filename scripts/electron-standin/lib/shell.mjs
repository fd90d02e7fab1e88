import { note } from './log.mjs';
import { refuseMissing } from './not-emulated.mjs';

/** Electron's `shell`. Says what it would open and opens nothing. */
export const shell = refuseMissing('shell', {
  /** @param {string} url */
  async openExternal(url) {
    if (!URL.canParse(url)) throw new Error('Invalid URL');
    note(`shell.openExternal ${url}`);
  },
  /**
   * @param {string} path
   * @returns {Promise<string>} an error message, empty for success
   */
  async openPath(path) {
    note(`shell.openPath ${path}`);
    return '';
  },
  /** @param {string} path */
  showItemInFolder(path) {
    note(`shell.showItemInFolder ${path}`);
  },
  beep() {
    note('shell.beep');
  },
});
