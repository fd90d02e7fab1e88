import { note } from './log.mjs';
import { refusingEmitter } from './not-emulated.mjs';

/** Electron's `Notification`, which this system doesn't support. */
export class Notification extends refusingEmitter('Notification') {
  /** @param {{ title?: string, body?: string, silent?: boolean }} [options] */
  constructor({ title = '', body = '', silent = false } = {}) {
    super();
    Object.assign(this, { title, body, silent });
  }
  show() {
    note(`a notification would show: ${/** @type {any} */ (this).title}`);
  }
  close() {}
  static isSupported() {
    return false;
  }
}
